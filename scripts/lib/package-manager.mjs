/**
 * The package managers of the distributions whose package names we know:
 * the command that installs, and the IDs in /etc/os-release that have it.
 */
const managers = {
  apt: {
    install: 'apt-get install -y --no-install-recommends',
    ids: ['debian', 'ubuntu'],
  },
  dnf: { install: 'dnf install -y', ids: ['fedora', 'rhel', 'centos', 'amzn'] },
  zypper: { install: 'zypper install -y', ids: ['suse', 'opensuse', 'sles'] },
  pacman: { install: 'pacman -S --needed', ids: ['arch'] },
  apk: { install: 'apk add', ids: ['alpine'] },
};

/**
 * Which package manager this distribution has, by ID and ID_LIKE.
 * @param {string} release the text of /etc/os-release
 * @returns {'apt' | 'dnf' | 'zypper' | 'pacman' | 'apk' | undefined}
 */
export function packageManager(release) {
  const value = (key) =>
    new RegExp(`^${key}=["']?([^"'\n]*)`, 'm').exec(release)?.[1]?.toLowerCase() ?? '';
  const ids = [value('ID'), ...value('ID_LIKE').split(' ')].filter(Boolean);
  const matches = (id, known) => id === known || id.startsWith(`${known}-`);
  for (const id of ids) {
    for (const [name, { ids: knownIds }] of Object.entries(managers)) {
      if (knownIds.some((known) => matches(id, known))) return name;
    }
  }
  return undefined;
}

/**
 * The command that installs packages, to be shown or run.
 * @param {keyof typeof managers} manager
 * @param {readonly string[]} packages
 */
export function installCommand(manager, packages) {
  return `${managers[manager].install} ${packages.join(' ')}`;
}
