import type { RingBatch } from '../bpf-ts/index.js';
import { forEachRecord } from '../bpf-ts/index.js';
import type { CgroupEvent, ExitedTask, Task, TaskName } from './event.js';
import {
  decodeEventHead,
  decodeMkdirEvent,
  decodePopulatedEvent,
  emptiedCause,
  eventHeadOffsets,
  eventKind,
  mkdirEventSize,
  plainEventSize,
  populatedEventSize,
} from './layout.generated.js';
import type { EventHead, PopulatedEvent } from './layout.generated.js';

/** Decodes a batch of records, each one of the structs in bpf/events.h and a path. */
export function decodeBatch(batch: RingBatch): CgroupEvent[] {
  const events: CgroupEvent[] = [];
  forEachRecord(batch, (offset) => {
    events.push(decodeRecord(batch, offset));
  });
  return events;
}

function decodeRecord({ view, bytes }: RingBatch, offset: number): CgroupEvent {
  const kind = view.getUint8(offset + eventHeadOffsets.kind);
  switch (kind) {
    case eventKind.mkdir: {
      const { head, ancestors } = decodeMkdirEvent(view, offset);
      return {
        kind: 'mkdir',
        ...base(head, bytes, offset + mkdirEventSize),
        ancestors: ancestors.filter(({ pid }) => pid !== 0),
      };
    }
    case eventKind.populated: {
      const head = decodeEventHead(view, offset);
      return { kind: 'populated', ...base(head, bytes, offset + populatedEventSize) };
    }
    case eventKind.emptied: {
      const record = decodePopulatedEvent(view, offset);
      return {
        kind: 'emptied',
        ...base(record.head, bytes, offset + populatedEventSize),
        ...cause(record),
      };
    }
    case eventKind.rmdir:
      return plain('rmdir', decodeEventHead(view, offset), bytes, offset);
    case eventKind.release:
      return plain('release', decodeEventHead(view, offset), bytes, offset);
    case eventKind.rename:
      return plain('rename', decodeEventHead(view, offset), bytes, offset);
    default:
      throw new RangeError(`The BPF programs sent an event of the unknown kind ${kind}`);
  }
}

function plain(
  kind: 'rmdir' | 'release' | 'rename',
  head: EventHead,
  bytes: Buffer,
  offset: number,
): CgroupEvent {
  return { kind, ...base(head, bytes, offset + plainEventSize) };
}

function base(head: EventHead, bytes: Buffer, pathOffset: number) {
  const task: Task = { pid: head.pid, tid: head.tid, uid: head.uid, comm: head.comm };
  return {
    time: head.time,
    hierarchy: head.hierarchy,
    id: head.id,
    path: bytes.toString('latin1', pathOffset, pathOffset + head.pathLength),
    pathTruncated: head.pathTruncated !== 0,
    task,
  };
}

function cause(record: PopulatedEvent): {
  lastTask?: ExitedTask;
  movedBy?: TaskName;
} {
  if (record.cause === emptiedCause.byExit) {
    const { pid, tid, comm } = record;
    return { lastTask: { pid, tid, comm, ...exitStatus(record.exitCode) } };
  }
  return { movedBy: { pid: record.head.pid, comm: record.head.comm } };
}

/** Takes apart a status as in wait(2): the exit code above, the signal below. */
export function exitStatus(status: number): Pick<ExitedTask, 'exitCode' | 'signal'> {
  const signal = status & 0x7f;
  return signal === 0
    ? { exitCode: (status >> 8) & 0xff, signal: null }
    : { exitCode: null, signal };
}
