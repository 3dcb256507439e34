import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { findCommand } from './find-command.mjs';
import { nodeHeaders } from './node-headers.mjs';
import { inProject } from './project.mjs';

/**
 * What has to be on the machine besides Node and npm, and which packages have
 * it. `a|b` is the first that the distribution knows, `?a` is left out where it
 * does not know it. `met` looks for what is needed itself, however it came there.
 *
 * @typedef {object} Need
 * @property {string} what
 * @property {() => boolean} met
 * @property {Partial<Record<'apt' | 'dnf' | 'zypper' | 'pacman' | 'apk', string>>} packages
 */

const command =
  (...names) =>
  () =>
    names.every(findCommand);

const file =
  (...paths) =>
  () =>
    paths.every((path) => existsSync(path));

/** The major version of a clang tool; undefined where it does not run. */
function llvmVersion(name) {
  try {
    const said = execFileSync(name, ['--version'], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return Number(/version (\d+)/.exec(said)?.[1]);
  } catch {
    return undefined;
  }
}

const leastClang = 12;

/** The clang that compiles the BPF programs: $CLANG, or the first good one. */
export function findClang() {
  const versions = [22, 21, 20, 19, 18, 17, 16, 15, 14, 13, 12];
  const names = process.env.CLANG
    ? [process.env.CLANG]
    : ['clang', ...versions.map((version) => `clang-${version}`)];
  return names.find(
    (name) =>
      (name.includes('/') ? existsSync(name) : findCommand(name)) &&
      (llvmVersion(name) ?? 0) >= leastClang,
  );
}

/** A tool whose verdict differs from version to version. */
const llvmTool = 19;
export function findLlvmTool(name) {
  return [`${name}-${llvmTool}`, name].find(
    (each) => findCommand(each) && llvmVersion(each) === llvmTool,
  );
}

/** @type {readonly Need[]} */
export const buildNeeds = [
  {
    what: `clang ${leastClang} or newer`,
    met: () => findClang() !== undefined,
    packages: {
      apt: 'clang-19|clang',
      dnf: 'clang',
      zypper: 'clang',
      pacman: 'clang',
      apk: 'clang',
    },
  },
  {
    what: 'libbpf, to build with',
    met: file('/usr/include/bpf/libbpf.h', '/usr/include/bpf/bpf_tracing.h'),
    packages: {
      apt: 'libbpf-dev',
      dnf: 'libbpf-devel libbpf-static',
      zypper: 'libbpf-devel libbpf-devel-static',
      pacman: 'libbpf',
      apk: 'libbpf-dev',
    },
  },
  {
    what: 'libelf, to build with',
    met: file('/usr/include/libelf.h'),
    packages: {
      apt: 'libelf-dev',
      dnf: 'elfutils-libelf-devel',
      zypper: 'libelf-devel',
      pacman: 'libelf',
      apk: 'elfutils-dev',
    },
  },
  {
    what: 'zlib, to build with',
    met: file('/usr/include/zlib.h'),
    packages: {
      apt: 'zlib1g-dev',
      dnf: 'zlib-devel',
      zypper: 'zlib-devel',
      pacman: 'zlib',
      apk: 'zlib-dev',
    },
  },
  {
    what: 'a C++ compiler and its libraries',
    met: () => command('cc', 'c++')() && existsSync('/usr/include/stdio.h'),
    packages: {
      apt: 'g++ libc6-dev',
      dnf: 'gcc-c++',
      zypper: 'gcc-c++',
      pacman: 'gcc',
      apk: 'g++ linux-headers',
    },
  },
  {
    what: 'make',
    met: command('make'),
    packages: { apt: 'make', dnf: 'make', zypper: 'make', pacman: 'make', apk: 'make' },
  },
  {
    what: 'Python 3 for node-gyp',
    met: command('python3'),
    packages: {
      apt: 'python3',
      dnf: 'python3',
      zypper: 'python3',
      pacman: 'python',
      apk: 'python3',
    },
  },
  {
    // Where Node came from elsewhere, its headers came with it.
    what: "Node's headers",
    met: () => nodeHeaders() !== undefined || !isDistributionsNode(),
    packages: {
      apt: 'libnode-dev',
      dnf: 'nodejs-devel',
      zypper: 'nodejs-devel-default',
      apk: 'nodejs-dev',
    },
  },
];

function isDistributionsNode() {
  return process.execPath.startsWith('/usr/bin/');
}

/** @type {readonly Need[]} */
export const checkNeeds = [
  {
    what: `clang-format ${llvmTool}`,
    met: () => findLlvmTool('clang-format') !== undefined,
    packages: {
      apt: `clang-format-${llvmTool}`,
      dnf: 'clang-tools-extra',
      zypper: `clang${llvmTool}`,
      pacman: 'clang',
      apk: `clang${llvmTool}-extra-tools`,
    },
  },
  {
    what: `clang-tidy ${llvmTool}`,
    met: () => findLlvmTool('clang-tidy') !== undefined,
    packages: {
      apt: `clang-tidy-${llvmTool}`,
      dnf: 'clang-tools-extra',
      zypper: `clang${llvmTool}`,
      pacman: 'clang',
      apk: `clang${llvmTool}-extra-tools`,
    },
  },
  {
    what: 'git',
    met: () => !existsSync(inProject('.git')) || command('git')(),
    packages: { apt: 'git', dnf: 'git', zypper: 'git', pacman: 'git', apk: 'git' },
  },
];

const staticBusybox = {
  what: 'a static busybox in /bin',
  met: () =>
    existsSync('/bin/busybox') &&
    !readFileSync('/bin/busybox').subarray(0, 4096).includes('/ld-'),
  packages: {
    apt: 'busybox-static',
    dnf: 'busybox',
    zypper: 'busybox-static',
    pacman: 'busybox',
    apk: 'busybox-static',
  },
};

/** @type {readonly Need[]} */
export const e2eNeeds = [
  staticBusybox,
  {
    what: 'runc',
    met: command('runc'),
    packages: { apt: 'runc', dnf: 'runc', zypper: 'runc', pacman: 'runc', apk: 'runc' },
  },
  {
    what: 'crun',
    met: command('crun'),
    packages: { apt: 'crun', dnf: 'crun', zypper: 'crun', pacman: 'crun', apk: 'crun' },
  },
  {
    what: 'Podman',
    met: command('podman', 'conmon'),
    packages: {
      apt: 'podman',
      dnf: 'podman',
      zypper: 'podman',
      pacman: 'podman',
      apk: 'podman',
    },
  },
  {
    what: 'Docker',
    met: command('dockerd', 'docker'),
    packages: {
      apt: 'docker.io ?docker-cli',
      dnf: 'moby-engine',
      zypper: 'docker',
      pacman: 'docker',
      apk: 'docker',
    },
  },
];

/** @type {readonly Need[]} */
export const kernelNeeds = [
  staticBusybox,
  {
    what: 'qemu for x86_64',
    met: command('qemu-system-x86_64'),
    packages: {
      apt: 'qemu-system-x86',
      dnf: 'qemu-system-x86-core',
      zypper: 'qemu-x86',
      pacman: 'qemu-system-x86',
      apk: 'qemu-system-x86_64',
    },
  },
  {
    what: 'cpio',
    met: command('cpio'),
    packages: { apt: 'cpio', dnf: 'cpio', zypper: 'cpio', pacman: 'cpio', apk: 'cpio' },
  },
];

/** @type {readonly Need[]} */
export const benchNeeds = [
  {
    what: 'bpftrace',
    met: command('bpftrace'),
    packages: {
      apt: 'bpftrace',
      dnf: 'bpftrace',
      zypper: 'bpftrace',
      pacman: 'bpftrace',
      apk: 'bpftrace',
    },
  },
];
