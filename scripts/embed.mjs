// Writes an assembly file that holds files as they are, and a table of them:
//   node scripts/embed.mjs OUT.S NAME=FILE...
// The table embedded_objects has {name, start, end} a row and ends with zeros.
import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';

const [output, ...pairs] = process.argv.slice(2);
const files = pairs.map((pair, index) => {
  const cut = pair.indexOf('=');
  const path = resolve(pair.slice(cut + 1));
  return { index, name: pair.slice(0, cut), path };
});

const data = files.map(
  ({ index, name, path }) => `
name_${index}: .asciz ${JSON.stringify(name)}
    .balign 8
start_${index}: .incbin ${JSON.stringify(path)}
end_${index}: .byte 0`,
);
const rows = files.map(
  ({ index }) => `    .quad name_${index}, start_${index}, end_${index}\n`,
);

writeFileSync(
  output,
  `    .section .rodata${data.join('')}
    .section .data.rel.ro, "aw"
    .balign 8
    .global embedded_objects
    .hidden embedded_objects
embedded_objects:
${rows.join('')}    .quad 0, 0, 0
    .section .note.GNU-stack, "", %progbits
`,
);
