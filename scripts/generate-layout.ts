// Writes the decoders of the records that the BPF programs send:
//   node --import tsx scripts/generate-layout.ts OBJECT OUTPUT struct:NAME|enum:NAME...
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { generateDecoders } from '../src/bpf-ts/btf/index.js';

const [object, output, ...types] = process.argv.slice(2);
if (object === undefined || output === undefined || types.length === 0) {
  console.error('usage: generate-layout.ts OBJECT OUTPUT struct:NAME|enum:NAME...');
  process.exit(2);
}

const namesOf = (kind: string) =>
  types.filter((type) => type.startsWith(kind)).map((type) => type.slice(kind.length));
const source = generateDecoders(readFileSync(object), {
  structs: namesOf('struct:'),
  enums: namesOf('enum:'),
});
// What depends on the file is built anew only where it has changed.
if (!existsSync(output) || readFileSync(output, 'utf8') !== source)
  writeFileSync(output, source);
