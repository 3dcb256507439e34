import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** A Debian kernel that the tests boot. */
export interface Kernel {
  /** What its release begins with, as in uname. */
  readonly version: string;
  readonly suite: string;
  /**
   * How the packages with the image are called. The first that fits any is taken,
   * and of those the newest.
   */
  readonly packages: readonly RegExp[];
}

/** One of each shape that the programs meet; the last is the newest that Debian has. */
export const kernels: readonly Kernel[] = [
  kernel('5.10', 'bullseye'),
  kernel('6.1', 'bookworm'),
  kernel('6.12', 'trixie'),
  kernel('7', 'sid'),
];

function kernel(version: string, suite: string): Kernel {
  const escaped = version.replace('.', '\\.');
  // Since 7.2 the image is in a package of its own, and linux-image depends on it.
  return {
    version,
    suite,
    packages: ['binary', 'image'].map(
      (kind) => new RegExp(`^linux-${kind}-${escaped}\\.[\\w.+-]*-cloud-amd64$`),
    ),
  };
}

const cache = join(
  process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
  'cgleak',
  'kernels',
);

/**
 * The image of a kernel, as a file. Taken from the Debian mirror that this host's
 * apt uses, through an apt configuration apart, so that nothing is installed;
 * kept in the user's cache.
 */
export function kernelImage(kernel: Kernel): string {
  const image = join(cache, `vmlinuz-${kernel.version}`);
  if (existsSync(image)) return image;

  mkdirSync(cache, { recursive: true });
  const work = mkdtempSync(join(cache, 'fetch-'));
  try {
    const apt = aptApart(work, kernel.suite);
    apt('apt-get', 'update', '--quiet');
    const names = apt('apt-cache', 'pkgnames', 'linux-')
      .split('\n')
      .sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
    const name = kernel.packages
      .map((pattern) => names.findLast((each) => pattern.test(each)))
      .find((found) => found !== undefined);
    if (name === undefined) {
      throw new Error(
        `Debian ${kernel.suite} has no kernel ${kernel.version} for clouds`,
      );
    }
    apt('apt-get', 'download', name);
    const archive = readdirSync(work).find((file) => file.endsWith('.deb'));
    if (archive === undefined)
      throw new Error(`apt-get download ${name} left no package`);
    execFileSync('dpkg-deb', ['--extract', archive, 'root'], { cwd: work });
    const found = execFileSync('find', ['root', '-type', 'f', '-name', 'vmlinuz*'], {
      cwd: work,
      encoding: 'utf8',
    }).split('\n')[0];
    if (!found) throw new Error(`The package ${name} holds no vmlinuz`);
    renameSync(join(work, found), image);
    return image;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

function aptApart(
  work: string,
  suite: string,
): (command: string, ...args: string[]) => string {
  for (const folder of ['lists/partial', 'archives/partial']) {
    mkdirSync(join(work, folder), { recursive: true });
  }
  const sources = join(work, 'sources.list');
  const keyring = '/usr/share/keyrings/debian-archive-keyring.gpg';
  writeFileSync(sources, `deb [signed-by=${keyring}] ${debianMirror()} ${suite} main\n`);
  writeFileSync(join(work, 'status'), '');
  const config = join(work, 'apt.conf');
  writeFileSync(
    config,
    [
      `Dir::State "${work}";`,
      `Dir::State::lists "${work}/lists";`,
      `Dir::State::status "${work}/status";`,
      `Dir::Cache "${work}";`,
      `Dir::Etc::sourcelist "${sources}";`,
      'Dir::Etc::sourceparts "-";',
      'Acquire::Languages "none";',
      // A mirror that was frozen at some day is as good here; signatures count.
      'Acquire::Check-Valid-Until "false";',
      'APT::Sandbox::User "root";',
    ].join('\n'),
  );
  return (command, ...args) =>
    execFileSync(command, args, {
      cwd: work,
      env: { ...process.env, APT_CONFIG: config },
      encoding: 'utf8',
      maxBuffer: 64 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
}

/** The mirror of Debian's main archive that this host takes its own packages from. */
function debianMirror(): string {
  const uris = execFileSync('apt-get', ['indextargets', '--format', '$(REPO_URI)'], {
    encoding: 'utf8',
  }).split('\n');
  const mirror = uris.find((uri) => /\/debian\/?$/.test(uri));
  if (mirror === undefined) {
    throw new Error(
      "This host's apt has no Debian mirror (apt-get indextargets): the kernel tests need one.",
    );
  }
  return mirror;
}
