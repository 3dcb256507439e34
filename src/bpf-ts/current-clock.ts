import { native } from './native.js';

/** The same moment on both clocks, in nanoseconds. */
export interface Clock {
  /** CLOCK_MONOTONIC, which bpf_ktime_get_ns() gives. */
  readonly monotonic: bigint;
  /** CLOCK_REALTIME: since 1970, UTC. */
  readonly realtime: bigint;
}

export function currentClock(): Clock {
  return native().currentClock();
}
