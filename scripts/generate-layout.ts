// Writes the decoders of the records that the BPF programs send:
//   node --import tsx scripts/generate-layout.ts build/Release/lifecycle.bpf.o src/events/layout.generated.ts
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { generateDecoders } from '../src/bpf-ts/btf/index.js';

const [object, output] = process.argv.slice(2);
if (object === undefined || output === undefined) {
  console.error('usage: generate-layout.ts OBJECT OUTPUT');
  process.exit(2);
}

const source = generateDecoders(readFileSync(object), {
  structs: ['mkdir_event', 'populated_event', 'plain_event'],
  enums: ['event_kind', 'emptied_cause'],
});
// What depends on the file is built anew only where it has changed.
if (!existsSync(output) || readFileSync(output, 'utf8') !== source)
  writeFileSync(output, source);
