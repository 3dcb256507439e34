/**
 * bpf-ts: libbpf for Node.
 * @packageDocumentation
 */
export { BpfError } from './bpf-error.js';
export { BpfLoadError } from './bpf-load-error.js';
export { BpfMap, possibleCpus, updateFlags } from './bpf-map.js';
export {
  BpfObject,
  openObject,
  type IteratorTarget,
  type Link,
  type MapInfo,
  type ProgramInfo,
} from './bpf-object.js';
export { currentClock, type Clock } from './current-clock.js';
export type { GlobalValue } from './global-value.js';
export {
  loadObject,
  type LoadedObject,
  type LoadOptions,
  type ProgramStatus,
} from './load-object.js';
export { BpfAddonError } from './native.js';
export {
  forEachRecord,
  RingBuffer,
  type RingBatch,
  type RingOptions,
} from './ring-buffer.js';
export {
  BtfError,
  generateDecoders,
  parseBtf,
  type Btf,
  type DecoderChoice,
} from './btf/index.js';
export { kernelBtf, kernelKnows } from './kernel-btf.js';
