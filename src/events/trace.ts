import { openTracer } from './tracer.js';
import type { CgroupEvent } from './event.js';

export interface TraceOptions {
  /** Ends the iteration. */
  readonly signal?: AbortSignal;
  /** As in TracerOptions. */
  readonly ringBytes?: number;
  /** Called with totals when records have been lost: the consumer was too slow. */
  readonly onLost?: (lostPerCpu: readonly number[]) => void;
}

/** The ring is left alone while more events than this wait for the consumer. */
const highWaterMark = 10_000;

/**
 * The lifecycle events of all cgroups on this host, from now on. Needs CAP_BPF
 * and CAP_PERFMON. The programs are attached once the first event is asked for,
 * and detached when the loop ends.
 *
 * @example
 * for await (const event of trace()) {
 *   console.log(event.kind, event.path);
 * }
 */
export async function* trace(
  options: TraceOptions = {},
): AsyncGenerator<CgroupEvent, void> {
  const { signal, onLost } = options;
  if (signal?.aborted) return;

  let waiting: CgroupEvent[] = [];
  let wake: (() => void) | undefined;
  const tracer = openTracer({
    ...(options.ringBytes === undefined ? {} : { ringBytes: options.ringBytes }),
    ...(onLost === undefined ? {} : { onLost }),
    onEvents: (events) => {
      waiting = waiting.length === 0 ? [...events] : waiting.concat(events);
      if (waiting.length > highWaterMark) tracer.pause();
      wake?.();
    },
  });
  const onAbort = () => wake?.();
  signal?.addEventListener('abort', onAbort, { once: true });

  try {
    while (!signal?.aborted) {
      if (waiting.length === 0) {
        tracer.resume();
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        wake = undefined;
      }
      const events = waiting;
      waiting = [];
      for (const event of events) {
        if (signal?.aborted) return;
        yield event;
      }
    }
  } finally {
    signal?.removeEventListener('abort', onAbort);
    tracer.close();
  }
}
