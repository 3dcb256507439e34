// What binding.gyp asks about this machine, one answer a call:
//   node scripts/native-config.mjs clang|target-arch|system-include|libbpf|sources|objects|headers
// Paths are relative to the project, since gyp splits lists at spaces.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = join(dirname(fileURLToPath(import.meta.url)), '..');

function run(command, args) {
  return spawnSync(command, args, { encoding: 'utf8' });
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

function findClang() {
  const named = process.env.CLANG;
  const candidates = named
    ? [named]
    : ['clang', ...[22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12].map((n) => `clang-${n}`)];
  const found = candidates.find((name) => run(name, ['--version']).status === 0);
  return (
    found ??
    fail(
      named
        ? `CLANG is set to ${named}, which does not run. Set it to a clang, or unset it.`
        : 'No clang found, which compiles the BPF programs. Install it: apt-get install clang',
    )
  );
}

/** The architecture as the __TARGET_ARCH_ macros of libbpf's headers call it. */
function targetArch() {
  const names = { x64: 'x86', arm64: 'arm64' };
  return (
    names[process.arch] ?? fail(`cgleak is built for x64 and arm64, not ${process.arch}.`)
  );
}

/** Where Debian and its kin keep asm/types.h; the plain directory elsewhere. */
function systemInclude() {
  const machine = { x64: 'x86_64', arm64: 'aarch64' }[process.arch];
  const multiarch = `/usr/include/${machine}-linux-gnu`;
  return existsSync(join(multiarch, 'asm/types.h')) ? multiarch : '/usr/include';
}

const staticLibbpf = [
  '-l:libbpf.a',
  '-lelf',
  '-lz',
  '-Wl,--exclude-libs,ALL',
  // Distributions compile libbpf.a for executables: its one reference to data of
  // another library, stderr, could not be linked into an addon. It is for the
  // default print function alone, which bpf-ts replaces.
  '-Wl,--defsym,stderr=bpf_ts_no_stderr',
];

/** libbpf within the addon where its archive allows that, the shared one else. */
function libbpf() {
  const directory = mkdtempSync(join(tmpdir(), 'cgleak-libbpf-'));
  try {
    const source = join(directory, 'probe.c');
    writeFileSync(
      source,
      `#include <bpf/libbpf.h>
       __attribute__((visibility("hidden"))) void *bpf_ts_no_stderr;
       void *probe(void) {
         return (void *)((long)bpf_object__open_mem(0, 0, 0) + (long)bpf_linker__new(0, 0) +
                         (long)ring_buffer__new(0, 0, 0, 0));
       }`,
    );
    const base = [
      '-shared',
      '-fPIC',
      '-Wl,-z,defs',
      '-o',
      join(directory, 'probe.so'),
      source,
    ];
    for (const libraries of [staticLibbpf, ['-lbpf']]) {
      const result = run(process.env.CC ?? 'cc', [...base, ...libraries]);
      if (result.status === 0) return libraries.join(' ');
    }
    return fail(
      'No libbpf to link with. Install it: apt-get install libbpf-dev libelf-dev zlib1g-dev',
    );
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function bpfFiles(ending) {
  return readdirSync(join(project, 'bpf'))
    .filter((name) => name.endsWith(ending))
    .sort();
}

/** Which files of bpf/ make up each object that the addon holds. */
const linkedObjects = {
  lifecycle: ['lifecycle', 'populated'],
  snapshot: ['snapshot'],
};

const answers = {
  clang: findClang,
  'target-arch': targetArch,
  'system-include': systemInclude,
  libbpf,
  sources: () =>
    bpfFiles('.bpf.c')
      .map((name) => `bpf/${name}`)
      .join(' '),
  // The caller says of which linked object, and in which directory.
  objects: () =>
    (linkedObjects[process.argv[3]] ?? fail('native-config: no such linked object'))
      .map((name) => `${process.argv[4]}/${name}.bpf.o`)
      .join(' '),
  headers: () =>
    bpfFiles('.h')
      .map((name) => `bpf/${name}`)
      .join(' '),
};

const answer = answers[process.argv[2]];
if (!answer) fail(`native-config: ask for one of ${Object.keys(answers).join(', ')}`);
console.log(answer());
