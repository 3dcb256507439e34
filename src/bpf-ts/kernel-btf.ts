import { readFileSync } from 'node:fs';
import { BtfError } from './btf/btf-error.js';
import { parseBtf, type Btf } from './btf/parse-btf.js';

/**
 * The types of the running kernel.
 *
 * @example
 * const hasIterator = kernelBtf().find('function', 'bpf_iter_cgroup') !== undefined;
 *
 * @throws BtfError where the kernel gives none.
 */
export function kernelBtf(path = '/sys/kernel/btf/vmlinux'): Btf {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    throw new BtfError(
      `The kernel's BTF can't be read from ${path}. Use a kernel with CONFIG_DEBUG_INFO_BTF=y.`,
      { cause },
    );
  }
  return parseBtf(bytes);
}
