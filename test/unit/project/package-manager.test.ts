import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installCommand, packageManager } from '../../../scripts/lib/package-manager.mjs';

const releases = [
  ['PRETTY_NAME="Debian GNU/Linux 12 (bookworm)"\nVERSION_ID="12"\nID=debian\n', 'apt'],
  ['NAME="Ubuntu"\nID=ubuntu\nID_LIKE=debian\n', 'apt'],
  ['ID=linuxmint\nID_LIKE="ubuntu debian"\n', 'apt'],
  ['ID=fedora\n', 'dnf'],
  ['ID="rocky"\nID_LIKE="rhel centos fedora"\n', 'dnf'],
  ['ID="opensuse-tumbleweed"\nID_LIKE="opensuse suse"\n', 'zypper'],
  ['ID="opensuse-leap"\n', 'zypper'],
  ['ID=arch\nBUILD_ID=rolling\n', 'pacman'],
  ['ID=manjaro\nID_LIKE=arch\n', 'pacman'],
  ['ID=alpine\n', 'apk'],
] as const;

for (const [release, manager] of releases) {
  const [, id] = /^ID="?([\w-]+)/m.exec(release) ?? [];
  test(`${id ?? ''} has ${manager}`, () => {
    assert.equal(packageManager(release), manager);
  });
}

test('a distribution that we do not know has none', () => {
  assert.equal(packageManager('ID=nixos\n'), undefined);
  assert.equal(packageManager('VARIANT_ID=debian\n'), undefined);
  assert.equal(packageManager(''), undefined);
});

test('the command to install is whole', () => {
  assert.equal(
    installCommand('apt', ['clang', 'make']),
    'apt-get install -y --no-install-recommends clang make',
  );
  assert.equal(installCommand('apk', ['clang']), 'apk add clang');
});
