const units = ['KiB', 'MiB', 'GiB', 'TiB'];

/** A size for a human: `812 bytes`, `1.5 MiB`, `64 MiB`. */
export function formatBytes(bytes: number): string {
  let size = bytes;
  let unit = 'bytes';
  for (const next of units) {
    if (size < 1024) break;
    size /= 1024;
    unit = next;
  }
  const digits = unit === 'bytes' || size >= 10 ? 0 : 1;
  return `${String(Number(size.toFixed(digits)))} ${unit}`;
}
