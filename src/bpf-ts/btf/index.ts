export { BtfError } from './btf-error.js';
export type * from './btf-type.js';
export { generateDecoders, type DecoderChoice } from './generate-decoders.js';
export { parseBtf, type Btf } from './parse-btf.js';
