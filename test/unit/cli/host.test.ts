import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BpfError } from '../../../src/bpf-ts/index.js';
import { CgroupfsError } from '../../../src/cgroupfs/index.js';
import {
  hierarchyChecks,
  memoryCgroupCheck,
} from '../../../src/cli/doctor/cgroup-checks.js';
import { hostChecks } from '../../../src/cli/doctor/host-checks.js';
import { failureOf } from '../../../src/cli/failure.js';
import { HostError } from '../../../src/cli/host-error.js';
import {
  isInitialUserNamespace,
  missingCapabilities,
} from '../../../src/cli/host/capabilities.js';
import { isAtLeast } from '../../../src/cli/host/kernel.js';
import { lockdownLevel } from '../../../src/cli/host/lockdown.js';
import { requireHost } from '../../../src/cli/host/require-host.js';
import type { HostFacts } from '../../../src/cli/host/require-host.js';
import { UnderError } from '../../../src/watch/index.js';

const good: HostFacts = {
  platform: 'linux',
  kernel: '6.1.0-40-amd64',
  missingCapabilities: [],
  initialUserNamespace: true,
  btf: true,
  lockdown: 'none',
};

test('a host that lacks something is told in one sentence what, and what to do', () => {
  const examples: readonly [Partial<HostFacts>, RegExp][] = [
    [{ platform: 'darwin' }, /this is darwin: run it on the Linux host/],
    [{ kernel: '5.7.19' }, /Linux 5\.8 or later .* this is 5\.7\.19: boot/],
    [
      { missingCapabilities: ['CAP_BPF', 'CAP_PERFMON'] },
      /lacks CAP_BPF and CAP_PERFMON .*sudo.*AmbientCapabilities/,
    ],
    [{ initialUserNamespace: false }, /user namespace.*on the host itself/],
    [{ btf: false }, /no BTF .*CONFIG_DEBUG_INFO_BTF=y/],
    [{ lockdown: 'confidentiality' }, /confidentiality.*lockdown=integrity/],
  ];
  for (const [facts, message] of examples)
    assert.throws(
      () => {
        requireHost({ ...good, ...facts });
      },
      (error: unknown) =>
        error instanceof HostError &&
        message.test(error.message) &&
        failureOf(error).exitCode === 77,
      JSON.stringify(facts),
    );
});

test('a host that has all, or does not tell, is let through', () => {
  requireHost(good);
  requireHost({ ...good, lockdown: undefined, missingCapabilities: undefined });
  requireHost({ ...good, kernel: '5.8.0', lockdown: 'integrity' });
  assert.ok(hostChecks(good, []).every(({ state }) => state !== 'fail'));
});

test('the doctor fails what watch would refuse', () => {
  const bad: readonly Partial<HostFacts>[] = [
    { platform: 'darwin' },
    { kernel: '4.19.0' },
    { missingCapabilities: ['CAP_BPF'] },
    { initialUserNamespace: false },
    { btf: false },
    { lockdown: 'confidentiality' },
  ];
  for (const facts of bad) {
    const failed = hostChecks({ ...good, ...facts }, []).filter(
      ({ state }) => state === 'fail',
    );
    assert.equal(failed.length, 1, JSON.stringify(facts));
    assert.ok(failed[0]?.remedy);
  }
});

test('capabilities come from the effective set', () => {
  const status = (set: string) =>
    `Name:\tnode\nCapPrm:\t0000000000000000\nCapEff:\t${set}\n`;
  assert.deepEqual(missingCapabilities(status('000001ffffffffff')), []);
  assert.deepEqual(missingCapabilities(status('0000000000200000')), []);
  assert.deepEqual(missingCapabilities(status('000000c000000000')), []);
  assert.deepEqual(missingCapabilities(status('0000008000000000')), ['CAP_PERFMON']);
  assert.deepEqual(missingCapabilities(status('0000000000000000')), [
    'CAP_BPF',
    'CAP_PERFMON',
  ]);
  assert.equal(missingCapabilities('Name:\tnode\n'), undefined);
});

test('a user namespace is known by its map', () => {
  assert.equal(isInitialUserNamespace('         0          0 4294967295\n'), true);
  assert.equal(isInitialUserNamespace('         0       1000          1\n'), false);
  assert.equal(isInitialUserNamespace(''), false);
});

test('releases compare by their numbers', () => {
  for (const kernel of ['5.8.0', '5.10.0-30-amd64', '6.1', '10.0.1', '5.8-rc1'])
    assert.equal(isAtLeast('5.8', kernel), true, kernel);
  for (const kernel of ['5.7.19', '4.19.0', '2.6.32', 'nonsense'])
    assert.equal(isAtLeast('5.8', kernel), false, kernel);
});

test('the lockdown level is the one in brackets', () => {
  assert.equal(lockdownLevel('none [integrity] confidentiality\n'), 'integrity');
  assert.equal(lockdownLevel(''), undefined);
});

test('each kind of failure has its sentence and its exit code', () => {
  const examples: readonly [unknown, number][] = [
    [new CgroupfsError('proc is strange'), 77],
    [new BpfError('The kernel refused (EPERM).', 1), 77],
    [new UnderError('no cgroup'), 1],
    [new Error('surprise'), 1],
    ['a string', 1],
  ];
  for (const [error, code] of examples) {
    const failure = failureOf(error);
    assert.equal(failure.exitCode, code, String(error));
    assert.doesNotMatch(failure.message, /\n/);
  }
  assert.match(failureOf(new Error('surprise')).message, /surprise.*CGLEAK_DEBUG=1/);
});

test('memory-cgroup ids are a warning when they run out', () => {
  assert.equal(memoryCgroupCheck(42).state, 'ok');
  assert.match(memoryCgroupCheck(42).message, /42 of 65,535/);
  assert.equal(memoryCgroupCheck(60_000).state, 'warn');
  assert.equal(memoryCgroupCheck(undefined).state, 'ok');
});

test('a hierarchy that is not seen, or in part, is a warning', () => {
  const checks = hierarchyChecks([
    { id: 0, version: 2, controllers: ['v2'], mountPoint: '/cg\x1b', mountRoot: '/' },
    { id: 4, version: 1, controllers: ['memory'] },
    {
      id: 5,
      version: 1,
      controllers: ['cpu'],
      mountPoint: '/cpu',
      mountRoot: '/docker/a',
    },
  ]);
  assert.deepEqual(
    checks.map(({ state }) => state),
    ['ok', 'warn', 'warn'],
  );
  assert.equal(checks[0]?.message, 'v2 at /cg\\x1b');
});
