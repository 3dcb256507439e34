import { readFileSync } from 'node:fs';
import { BtfError } from './btf/btf-error.js';
import { parseBtf, type Btf } from './btf/parse-btf.js';

const kernelBtfPath = '/sys/kernel/btf/vmlinux';

/**
 * The types of the running kernel.
 *
 * @example
 * const hasIterator = kernelBtf().find('function', 'bpf_iter_cgroup') !== undefined;
 *
 * @throws BtfError where the kernel gives none.
 */
export function kernelBtf(path = kernelBtfPath): Btf {
  return parseBtf(readKernelBtf(path));
}

/**
 * Whether the running kernel's BTF has a type, function or member of that name:
 * a search in its strings, a few ms where kernelBtf() takes a hundred.
 *
 * @throws BtfError where the kernel gives none.
 */
export function kernelKnows(name: string): boolean {
  return readKernelBtf().includes(`\0${name}\0`);
}

function readKernelBtf(path = kernelBtfPath): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new BtfError(
      `The kernel's BTF can't be read from ${path}. Use a kernel with CONFIG_DEBUG_INFO_BTF=y.`,
      { cause },
    );
  }
}
