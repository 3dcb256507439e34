import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { BpfError } from '../../../src/bpf-ts/index.js';
import type { ProgramStatus } from '../../../src/bpf-ts/index.js';
import {
  jsonDoctor,
  jsonEvent,
  jsonFinding,
  jsonStatus,
  jsonSummary,
} from '../../../src/report/index.js';
import {
  bare,
  closed,
  context,
  dying,
  emptiedByExit,
  emptiedByMove,
  emptiedBySignal,
  hierarchies,
  mkdir,
  opened,
  plain,
  second,
  strange,
} from './fixtures.js';

const document = (name: string) =>
  readFileSync(new URL(`../../../docs/${name}`, import.meta.url), 'utf8');
const schema = JSON.parse(document('schema/cgleak.schema.json')) as object;
const validate = new Ajv2020({ allErrors: true, allowUnionTypes: true }).compile(schema);

function assertValid(line: string): Record<string, unknown> {
  const parsed: unknown = JSON.parse(line);
  assert.ok(validate(parsed), `${line}\n${JSON.stringify(validate.errors, null, 1)}`);
  assert.ok(!line.includes('\n'));
  return parsed as Record<string, unknown>;
}

const programs: readonly ProgramStatus[] = [
  { name: 'on_mkdir', section: 'tp_btf/cgroup_mkdir', state: 'attached' },
  { name: 'on_rename', section: 'tp_btf/cgroup_rename', state: 'disabled' },
  {
    name: 'on_exit',
    section: 'tp_btf/sched_process_exit',
    state: 'unavailable',
    reason: new BpfError('The kernel refused it (EPERM).', 1),
  },
];
const epoch = context.toWallClock(0n);

test('every line that can be printed is in the schema', () => {
  const events = [
    mkdir,
    emptiedByExit,
    emptiedBySignal,
    emptiedByMove,
    ...plain,
    strange,
  ];
  const updated = { ...opened, state: 'updated' as const };
  const owner = {
    owner: 'docker',
    idKind: 'container',
    id: '4f5e',
    keepsEmpty: false,
    isWholeParent: false,
    outlives: false,
  };
  const findings = [opened, updated, closed, bare, { ...opened, owner }, dying];
  const started = {
    command: 'watch',
    version: '0.1.0',
    kernel: '6.1.0',
    hierarchies,
    programs,
  };
  const lines = [
    ...events.map((event) => jsonEvent(event, context)),
    ...findings.map((finding) => jsonFinding(finding, context)),
    jsonStatus({ state: 'started', ...started }, epoch),
    jsonStatus(
      { state: 'started', ...started, grace: second / 2n, under: ['/a\xff'] },
      epoch,
    ),
    jsonStatus({ state: 'lost', lostPerCpu: [3, 0] }, epoch),
    jsonStatus({ state: 'ended', events: 3, lost: 3 }, epoch),
    jsonSummary(
      {
        created: 4,
        removed: 3,
        findings: 2,
        open: 1,
        pending: 1,
        emptyParents: 1,
        lost: 0,
        duration: 1_500_000_000n,
      },
      epoch,
    ),
    jsonDoctor(
      {
        version: '0.1.0',
        kernel: '6.1.0',
        machine: 'x86_64',
        checks: [
          { name: 'kernel', state: 'ok', message: 'Linux' },
          { name: 'BTF', state: 'fail', message: 'not there', remedy: 'boot another' },
        ],
        programs,
        hierarchies,
        memoryCgroups: { used: 42, limit: 65_535 },
      },
      epoch,
    ),
  ];
  for (const line of lines) assertValid(line);
});

test('every line in the documentation is in the schema', () => {
  const text = document('json.md');
  const lines = [...text.matchAll(/```ndjson\n([^`]+)```/g)].flatMap(([, block = '']) =>
    block.trim().split('\n'),
  );
  const types = new Set(lines.map((line) => assertValid(line)['type']));
  assert.deepEqual([...types].sort(), [
    'doctor',
    'empty',
    'event',
    'finding',
    'scan',
    'status',
    'summary',
  ]);
});

test('every name in the schema is in the documentation', () => {
  const text = document('json.md');
  const { $defs } = schema as {
    $defs: Record<string, { properties?: Record<string, object> }>;
  };
  const names = Object.values($defs).flatMap(({ properties }) =>
    Object.keys(properties ?? {}),
  );
  assert.ok(names.length > 50);
  for (const name of new Set(names)) assert.match(text, new RegExp(`\\b${name}\\b`));
});

test('the schema refuses what it does not know', () => {
  const event = JSON.parse(jsonEvent(mkdir, context)) as object;
  assert.equal(validate({ ...event, surprise: 1 }), false);
  assert.equal(validate({ ...event, v: 2 }), false);
  assert.equal(validate({ ...event, time: '2026-12-01T14:00:00Z' }), false);
  const finding = JSON.parse(jsonFinding(closed, context)) as Record<string, unknown>;
  assert.equal(validate({ ...finding, reason: undefined }), false);
});

test('an event says who did what to which cgroup', () => {
  assert.deepEqual(JSON.parse(jsonEvent(mkdir, context)), {
    v: 1,
    type: 'event',
    time: '2026-12-01T14:01:02.042000001Z',
    event: 'mkdir',
    hierarchy: 1,
    controllers: ['cpu', 'cpuacct'],
    id: '18446744073709551615',
    path: '/nomad/94715179-b709-3010-3b91-21c477e6fbad',
    task: { pid: 13590, tid: 13591, comm: 'nomad', uid: 0 },
    ancestors: [
      { pid: 13011, comm: 'nomad' },
      { pid: 1, comm: 'systemd' },
    ],
  });
});

test('an emptied cgroup says how its last task went', () => {
  const part = (event: typeof mkdir) => {
    const { lastTask, movedBy } = assertValid(jsonEvent(event, context));
    return { lastTask, movedBy };
  };
  const [byExit, bySignal, byMove] = [emptiedByExit, emptiedBySignal, emptiedByMove].map(
    part,
  );
  const ls = { pid: 13602, comm: 'ls' };
  assert.deepEqual(byExit?.lastTask, { ...ls, exitCode: 0, signal: null });
  assert.deepEqual(bySignal?.lastTask, { ...ls, exitCode: null, signal: 'SIGKILL' });
  assert.deepEqual(byMove, { lastTask: undefined, movedBy: { pid: 7, comm: 'cgexec' } });
});

test('bytes that are no UTF-8 are escaped, with the exact ones beside', () => {
  const event = assertValid(jsonEvent(strange, context));
  assert.equal(event['path'], '/a b/\x1b[31m\\xff"\\x41');
  assert.equal(
    Buffer.from(event['pathBase64'] as string, 'base64').toString('latin1'),
    strange.path,
  );
  assert.deepEqual(event['controllers'], ['hierarchy=77']);
  assert.equal(event['pathTruncated'], true);
  assert.equal((event['task'] as { comm: string }).comm, 'a\x1b[2J\\xfe b');
});

test('a finding lists both sides by their controllers', () => {
  const finding = assertValid(jsonFinding(opened, context));
  assert.deepEqual(finding['left'], ['name=systemd']);
  assert.deepEqual(finding['removed'], ['v2', 'cpu', 'cpuacct', 'memory']);
  assert.equal(finding['createdAt'], '2026-12-01T14:01:38.000000000Z');
  assert.equal(finding['emptiedAt'], '2026-12-01T14:01:41.000000000Z');
  assert.deepEqual(finding['siblings'], {
    count: 341,
    p50Seconds: 0.012345678,
    p99Seconds: 0.08,
  });
  assert.equal(finding['reason'], undefined);
});

test('a closed finding says why, and who did it', () => {
  const finding = assertValid(jsonFinding(closed, context));
  assert.equal(finding['reason'], 'removed');
  assert.deepEqual(finding['removedBy'], {
    pid: 14007,
    tid: 14007,
    comm: 'rmdir',
    uid: 1000,
  });
});
