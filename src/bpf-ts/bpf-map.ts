import { constants } from 'node:os';
import { BpfError } from './bpf-error.js';
import { requireBytes } from './require-bytes.js';
import { calling, native, type NativeMap, type NativeObject } from './native.js';

/** For {@link BpfMap.update}: write in any case, only new keys, only keys that are there. */
export const updateFlags = { any: 0, noExist: 1, exist: 2 } as const;

/**
 * A map of a loaded object. Keys and values are bytes as the program sees them,
 * of exactly the map's sizes. The map closes with its object.
 *
 * @example
 * const key = new Uint8Array(Uint32Array.of(42).buffer);
 * const counts = object.map('counts').lookupPerCpu(key);
 */
export class BpfMap {
  readonly name: string;
  readonly type: string;
  readonly keySize: number;
  /** Of one value: per-CPU maps hold one for each possible CPU. */
  readonly valueSize: number;
  readonly maxEntries: number;
  readonly #object: NativeObject;
  readonly #index: number;

  /** @internal */
  constructor(object: NativeObject, index: number, info: NativeMap) {
    this.#object = object;
    this.#index = index;
    this.name = info.name;
    this.type = info.type;
    this.keySize = info.keySize;
    this.valueSize = info.valueSize;
    this.maxEntries = info.maxEntries;
  }

  get perCpu(): boolean {
    return this.type.includes('percpu');
  }

  /** The value of a key, a copy; undefined where the map has no such key. */
  lookup(key: Uint8Array): Uint8Array | undefined {
    this.#expectPerCpu(false);
    return this.#lookup(key);
  }

  /** The values of a key, one for each possible CPU in order. */
  lookupPerCpu(key: Uint8Array): Uint8Array[] | undefined {
    this.#expectPerCpu(true);
    const values = this.#lookup(key);
    return values && this.#split(values);
  }

  /** Sets a key. Flags as in {@link updateFlags}. */
  update(key: Uint8Array, value: Uint8Array, flags = 0): void {
    this.#expectPerCpu(false);
    this.#update(key, value, flags);
  }

  /** Sets a key to one value for each possible CPU, see {@link possibleCpus}. */
  updatePerCpu(key: Uint8Array, values: readonly Uint8Array[], flags = 0): void {
    this.#expectPerCpu(true);
    const cpus = possibleCpus();
    for (const value of values) requireBytes(`A value of the map ${this.name}`, value);
    if (values.length !== cpus || values.some(({ length }) => length !== this.valueSize))
      throw new BpfError(
        `The map ${this.name} takes ${String(cpus)} values of ${String(this.valueSize)} bytes each, one for each possible CPU.`,
        constants.errno.EINVAL,
      );
    const all = new Uint8Array(this.#stride() * cpus);
    values.forEach((value, cpu) => {
      all.set(value, cpu * this.#stride());
    });
    this.#update(key, all, flags);
  }

  /** Deletes a key; false where the map had no such key. */
  delete(key: Uint8Array): boolean {
    this.#requireKey(key);
    return calling(`Could not delete from the map ${this.name}`, () =>
      this.#object.mapDelete(this.#index, key),
    );
  }

  /**
   * All keys and values. A map may change meanwhile, as the kernel lets it: a
   * key that is added may be missed, and one that comes twice is not an error.
   * Deleting the key in hand is fine. Ends after maxEntries keys in any case.
   */
  *entries(): IterableIterator<[Uint8Array, Uint8Array]> {
    this.#expectPerCpu(false);
    yield* this.#entries();
  }

  /** As {@link entries}, with the values of each possible CPU. */
  *entriesPerCpu(): IterableIterator<[Uint8Array, Uint8Array[]]> {
    this.#expectPerCpu(true);
    for (const [key, values] of this.#entries()) yield [key, this.#split(values)];
  }

  *#entries(): IterableIterator<[Uint8Array, Uint8Array]> {
    let key = this.#nextKey(undefined);
    for (let visited = 0; key && visited < this.maxEntries; visited++) {
      const value = this.#lookup(key);
      // Before the caller has the key: it may delete it, and then the kernel begins anew.
      const next = this.#nextKey(key);
      if (value) yield [key, value];
      key = next;
    }
  }

  #nextKey(key: Uint8Array | undefined): Uint8Array | undefined {
    return calling(`Could not go through the map ${this.name}`, () =>
      this.#object.mapNextKey(this.#index, key),
    );
  }

  #lookup(key: Uint8Array): Uint8Array | undefined {
    this.#requireKey(key);
    return calling(`Could not read the map ${this.name}`, () =>
      this.#object.mapLookup(this.#index, key),
    );
  }

  #update(key: Uint8Array, value: Uint8Array, flags: number): void {
    this.#requireKey(key);
    requireBytes(`A value of the map ${this.name}`, value);
    if (!Object.values<number>(updateFlags).includes(flags))
      throw new TypeError(
        `The flags of an update are one of updateFlags, 0 to 2, not ${String(flags)}.`,
      );
    calling(`Could not write the map ${this.name}`, () => {
      this.#object.mapUpdate(this.#index, key, value, flags);
    });
  }

  #requireKey(key: unknown): void {
    requireBytes(`A key of the map ${this.name}`, key);
  }

  #stride(): number {
    return Math.ceil(this.valueSize / 8) * 8;
  }

  #split(values: Uint8Array): Uint8Array[] {
    const stride = this.#stride();
    return Array.from({ length: values.length / stride }, (_, cpu) =>
      values.subarray(cpu * stride, cpu * stride + this.valueSize),
    );
  }

  #expectPerCpu(perCpu: boolean): void {
    if (this.perCpu === perCpu) return;
    throw new BpfError(
      perCpu
        ? `The map ${this.name} (${this.type}) has one value a key: use lookup, update and entries.`
        : `The map ${this.name} (${this.type}) has a value for each CPU: use lookupPerCpu, updatePerCpu and entriesPerCpu.`,
      constants.errno.EINVAL,
    );
  }
}

/** How many values a key of a per-CPU map has. */
export function possibleCpus(): number {
  return native().possibleCpus;
}
