import type { RingBatch } from '../bpf-ts/index.js';
import { forEachRecord } from '../bpf-ts/index.js';
import type { CgroupEvent, EmptiedEvent, ExitedTask, PlainEvent, Task } from './event.js';
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

/** Plain literals, one for each shape: spreading a common part takes three times as long. */
function decodeRecord({ view, bytes }: RingBatch, offset: number): CgroupEvent {
  const kind = view.getUint8(offset + eventHeadOffsets.kind);
  switch (kind) {
    case eventKind.mkdir: {
      const { head, ancestors } = decodeMkdirEvent(view, offset);
      return {
        kind: 'mkdir',
        time: head.time,
        hierarchy: head.hierarchy,
        id: head.id,
        path: pathOf(head, bytes, offset + mkdirEventSize),
        pathTruncated: head.pathTruncated !== 0,
        task: taskOf(head),
        ancestors: ancestors.filter(({ pid }) => pid !== 0),
      };
    }
    case eventKind.emptied:
      return emptied(decodePopulatedEvent(view, offset), bytes, offset);
    case eventKind.populated:
      return plain('populated', view, bytes, offset, populatedEventSize);
    case eventKind.rmdir:
      return plain('rmdir', view, bytes, offset, plainEventSize);
    case eventKind.release:
      return plain('release', view, bytes, offset, plainEventSize);
    case eventKind.rename:
      return plain('rename', view, bytes, offset, plainEventSize);
    default:
      throw new RangeError(
        `The BPF programs sent an event of the unknown kind ${String(kind)}`,
      );
  }
}

function plain(
  kind: PlainEvent['kind'],
  view: DataView,
  bytes: Buffer,
  offset: number,
  structSize: number,
): PlainEvent {
  const head = decodeEventHead(view, offset);
  return {
    kind,
    time: head.time,
    hierarchy: head.hierarchy,
    id: head.id,
    path: pathOf(head, bytes, offset + structSize),
    pathTruncated: head.pathTruncated !== 0,
    task: taskOf(head),
  };
}

function emptied(record: PopulatedEvent, bytes: Buffer, offset: number): EmptiedEvent {
  const { head, pid, tid, comm } = record;
  const cause: Pick<EmptiedEvent, 'lastTask' | 'movedBy'> =
    record.cause === emptiedCause.byExit
      ? { lastTask: { pid, tid, comm, ...exitStatus(record.exitCode) } }
      : { movedBy: { pid: head.pid, comm: head.comm } };
  return {
    kind: 'emptied',
    time: head.time,
    hierarchy: head.hierarchy,
    id: head.id,
    path: pathOf(head, bytes, offset + populatedEventSize),
    pathTruncated: head.pathTruncated !== 0,
    task: taskOf(head),
    ...cause,
  };
}

function taskOf({ pid, tid, uid, comm }: EventHead): Task {
  return { pid, tid, uid, comm };
}

function pathOf({ pathLength }: EventHead, bytes: Buffer, offset: number): string {
  return bytes.toString('latin1', offset, offset + pathLength);
}

/** Takes apart a status as in wait(2): the exit code above, the signal below. */
export function exitStatus(status: number): Pick<ExitedTask, 'exitCode' | 'signal'> {
  const signal = status & 0x7f;
  return signal === 0
    ? { exitCode: (status >> 8) & 0xff, signal: null }
    : { exitCode: null, signal };
}
