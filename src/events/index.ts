export * from './event.js';
export type { Tracer, TracerOptions } from './tracer.js';
export { openTracer } from './tracer.js';
export type { CgroupName, Unreleased } from './unreleased.js';
export type { TraceOptions } from './trace.js';
export { trace } from './trace.js';
export { monotonicNow, toWallClock } from './wall-clock.js';
