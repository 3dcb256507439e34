import { BpfError } from './bpf-error.js';
import type { NativeGlobal } from './native.js';
import { constants } from 'node:os';

/** What a global variable of a BPF object can be set to. */
export type GlobalValue = number | bigint | boolean | Uint8Array;

function refuse(variable: NativeGlobal, problem: string): never {
  throw new BpfError(`The global ${variable.name} ${problem}.`, constants.errno.EINVAL);
}

function integerBytes(variable: NativeGlobal, value: number | bigint): Uint8Array {
  if (typeof value !== 'bigint' && !Number.isSafeInteger(value))
    refuse(variable, `takes integers, not ${String(value)}; larger ones as bigint`);
  const integer = BigInt(value);
  const bits = variable.size * 8;
  const fits = variable.signed
    ? BigInt.asIntN(bits, integer) === integer
    : BigInt.asUintN(bits, integer) === integer;
  if (!fits)
    refuse(
      variable,
      `has ${String(bits)} bits, ${variable.signed ? 'signed' : 'unsigned'}: ${String(value)} does not fit`,
    );
  const bytes = new Uint8Array(variable.size);
  let rest = BigInt.asUintN(bits, integer);
  for (let at = 0; at < bytes.length; at++, rest >>= 8n) bytes[at] = Number(rest & 0xffn);
  return bytes;
}

/** The bytes of a value in the memory of the program, in the host's order (little endian). */
export function globalBytes(variable: NativeGlobal, value: GlobalValue): Uint8Array {
  if (value instanceof Uint8Array) {
    if (value.length !== variable.size)
      refuse(variable, `has ${String(variable.size)} bytes, not ${String(value.length)}`);
    return value;
  }
  if (variable.kind === 'bytes')
    refuse(
      variable,
      `is no integer: give its ${String(variable.size)} bytes as Uint8Array`,
    );
  if (variable.kind === 'bool') {
    if (typeof value !== 'boolean') refuse(variable, `is a bool, not ${String(value)}`);
    return Uint8Array.of(value ? 1 : 0);
  }
  return integerBytes(variable, typeof value === 'boolean' ? Number(value) : value);
}
