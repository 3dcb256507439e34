import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { installCommand, packageManager } from './package-manager.mjs';
import { run } from './run.mjs';
import { SetupError } from './setup-error.mjs';

/**
 * Installs what is missing, as root and with apt; else tells the command that does.
 *
 * @param {readonly import('./needs.mjs').Need[]} needs
 * @param {string} purpose `to build`
 * @throws {SetupError}
 */
export async function ensureSystemPackages(needs, purpose) {
  const missing = () => needs.filter((need) => !need.met());
  const first = missing();
  if (first.length === 0) return;

  const what = first.map((need) => need.what).join(', ');
  const manager = packageManager(readRelease());
  if (manager === undefined) {
    throw new SetupError(
      `Missing ${purpose}: ${what}. Install it with this distribution's package manager.`,
    );
  }
  const isRoot = process.getuid() === 0;
  if (manager !== 'apt' || !isRoot) {
    const packages = packagesOf(first, manager);
    throw new SetupError(
      `Missing ${purpose}: ${what}. Install it and try again:\n  ` +
        (isRoot ? '' : 'sudo ') +
        installCommand(manager, packages),
    );
  }

  if (!hasPackageLists()) await apt(['update']);
  const packages = packagesOf(first, manager);
  console.error(`Installing with apt ${purpose}: ${packages.join(' ')} …`);
  if (packages.includes('docker.io') && existsSync('/run/systemd/system')) {
    console.error(
      '  (docker.io starts its daemon; the tests need only its programs:' +
        ' systemctl disable --now docker.service docker.socket)',
    );
  }
  const install = ['install', '-y', '--no-install-recommends', ...packages];
  // Lists that are too old name files that the mirror has no more.
  if ((await tryApt(install)).code !== 0) {
    await apt(['update']);
    await apt(install);
  }

  const still = missing();
  if (still.length > 0) {
    const left = still.map((need) => need.what).join(', ');
    throw new SetupError(`Missing ${purpose} even with ${packages.join(' ')}: ${left}.`);
  }
}

function readRelease() {
  const path = ['/etc/os-release', '/usr/lib/os-release'].find((each) =>
    existsSync(each),
  );
  return path === undefined ? '' : readFileSync(path, 'utf8');
}

function packagesOf(needs, manager) {
  const specifications = needs.flatMap(
    (need) => need.packages[manager]?.split(' ') ?? [],
  );
  const names = specifications.flatMap((specification) => {
    const [first, ...others] = specification.split('|');
    if (manager !== 'apt') return first.startsWith('?') ? [] : first;
    if (first.startsWith('?')) return aptKnows(first.slice(1)) ? first.slice(1) : [];
    return [first, ...others].find(aptKnows) ?? others.at(-1) ?? first;
  });
  return [...new Set(names)];
}

function aptKnows(name) {
  return spawnSync('apt-cache', ['show', name], { stdio: 'ignore' }).status === 0;
}

function hasPackageLists() {
  try {
    return readdirSync('/var/lib/apt/lists').some((name) => /_(In)?Release$/.test(name));
  } catch {
    return false;
  }
}

function tryApt(args) {
  return run('apt-get', ['-o', 'DPkg::Lock::Timeout=300', ...args], {
    env: { DEBIAN_FRONTEND: 'noninteractive' },
  });
}

async function apt(args) {
  const { code, output } = await tryApt(args);
  if (code !== 0) throw new SetupError(`apt-get ${args.join(' ')} failed.`, output);
}
