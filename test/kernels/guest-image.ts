import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const project = fileURLToPath(new URL('../..', import.meta.url));

/** What the first process of the guest does: mounts, runs one test file, powers off. */
const init = `#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sysfs /sys
mount -t devtmpfs devtmpfs /dev
mount -t tmpfs tmpfs /tmp
ip link set lo up
HOME=/tmp PATH=/bin NO_COLOR=1 node --test-reporter=tap /app/guest.mjs
echo "node ended with $?"
dmesg | tail -n 20
sync
poweroff -f
`;

/**
 * Makes an initramfs with busybox, this Node, the built project and the guest's
 * tests in it. Returns its file; the caller removes the folder it is in.
 */
export function buildGuestImage(): string {
  const work = mkdtempSync(join(tmpdir(), 'cgleak-guest-'));
  const root = join(work, 'root');
  for (const folder of ['bin', 'proc', 'sys', 'dev', 'tmp', 'app']) {
    mkdirSync(join(root, folder), { recursive: true });
  }
  copyFileSync('/bin/busybox', join(root, 'bin/busybox'));
  writeFileSync(join(root, 'init'), init);
  chmodSync(join(root, 'init'), 0o755);

  copyWithLibraries(process.execPath, join(root, 'bin/node'), root);
  const addons = ['bpf_ts.node', 'cgleak_objects.node', 'cgroupfs.node'];
  mkdirSync(join(root, 'app/build/Release'), { recursive: true });
  for (const addon of addons) {
    const path = join('build/Release', addon);
    copyWithLibraries(join(project, path), join(root, 'app', path), root);
  }
  copyFileSync(join(project, 'package.json'), join(root, 'app/package.json'));
  cpSync(join(project, 'dist'), join(root, 'app/dist'), { recursive: true });
  copyModules('yargs', root);

  buildSync({
    entryPoints: [join(project, 'test/kernels/guest.ts')],
    outfile: join(root, 'app/guest.mjs'),
    bundle: true,
    platform: 'node',
    format: 'esm',
    external: ['cgleak'],
  });

  const image = join(work, 'initramfs.cpio');
  execFileSync('sh', ['-c', `find . | cpio --quiet -o -H newc > '${image}'`], {
    cwd: root,
  });
  rmSync(root, { recursive: true });
  return image;
}

function copyWithLibraries(source: string, destination: string, root: string): void {
  copyFileSync(source, destination);
  const libraries = execFileSync('ldd', [source], { encoding: 'utf8' }).matchAll(
    /(\/\S+) \(0x/g,
  );
  for (const [, library] of libraries) {
    if (library === undefined) continue;
    mkdirSync(join(root, dirname(library)), { recursive: true });
    copyFileSync(library, join(root, library));
  }
}

/** Copies a package and all that it depends on. */
function copyModules(name: string, root: string): void {
  const path = join('node_modules', name);
  cpSync(join(project, path), join(root, 'app', path), { recursive: true });
  const manifest = JSON.parse(
    execFileSync('cat', [join(project, path, 'package.json')], { encoding: 'utf8' }),
  ) as { dependencies?: Record<string, string> };
  for (const dependency of Object.keys(manifest.dependencies ?? {}))
    copyModules(dependency, root);
}
