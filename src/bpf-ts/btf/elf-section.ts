import { BtfError } from './btf-error.js';

const sectionHeaderSize = 64;

export function isElf(bytes: Uint8Array): boolean {
  return (
    bytes.length >= 4 &&
    bytes[0] === 0x7f &&
    bytes[1] === 0x45 &&
    bytes[2] === 0x4c &&
    bytes[3] === 0x46
  );
}

/** The contents of a section of a 64-bit little-endian ELF file, not copied. */
export function elfSection(file: Uint8Array, name: string): Uint8Array | undefined {
  if (!isElf(file) || file.length < 64 || file[4] !== 2 || file[5] !== 1)
    throw new BtfError(
      'This is no 64-bit little-endian ELF file, as BPF objects are here.',
    );
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);

  function slice(offset: number, size: number, what: string): Uint8Array {
    if (offset + size > file.length)
      throw new BtfError(
        `The ELF file ends before its ${what}: it is damaged or cut short.`,
      );
    return file.subarray(offset, offset + size);
  }
  function contents(header: number): Uint8Array {
    const offset = Number(view.getBigUint64(header + 24, true));
    return slice(offset, Number(view.getBigUint64(header + 32, true)), 'section');
  }

  const headers = Number(view.getBigUint64(40, true));
  const count = view.getUint16(60, true);
  const namesIndex = view.getUint16(62, true);
  slice(headers, count * sectionHeaderSize, 'section headers');
  if (namesIndex >= count) throw new BtfError('The ELF file has no section names.');
  const names = contents(headers + namesIndex * sectionHeaderSize);

  for (let index = 0; index < count; index++) {
    const header = headers + index * sectionHeaderSize;
    if (cString(names, view.getUint32(header, true)) === name) return contents(header);
  }
  return undefined;
}

/** The string at an offset of a string table, up to its NUL. */
export function cString(table: Uint8Array, offset: number): string {
  const end = table.indexOf(0, offset);
  if (end < 0) throw new BtfError('A string table ends within a string: it is damaged.');
  return Buffer.from(table.buffer, table.byteOffset + offset, end - offset).toString(
    'latin1',
  );
}
