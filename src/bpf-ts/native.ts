import { createRequire } from 'node:module';
import { BpfError, errorCode } from './bpf-error.js';

/** The addon's side of it: what native/bpf-ts exports. Not public. */
export interface NativeAddon {
  readonly NativeObject: new (bytes: Uint8Array, name: string) => NativeObject;
  readonly NativeRing: new (
    object: NativeObject,
    map: number,
    onBatch: (buffer: ArrayBuffer, length: number, count: number) => void,
    coalesceMs: number,
    batchBytes: number,
  ) => NativeRing;
  currentClock(): { monotonic: bigint; realtime: bigint };
  readonly possibleCpus: number;
}

export interface NativeProgram {
  readonly name: string;
  readonly section: string;
  readonly type: string;
  readonly autoload: boolean;
}

export interface NativeMap {
  readonly name: string;
  readonly type: string;
  readonly keySize: number;
  readonly valueSize: number;
  readonly maxEntries: number;
}

export interface NativeGlobal {
  readonly name: string;
  readonly map: number;
  readonly offset: number;
  readonly size: number;
  readonly kind: 'integer' | 'bool' | 'bytes';
  readonly signed: boolean;
}

export interface NativeObject {
  programs(): NativeProgram[];
  maps(): NativeMap[];
  globals(): NativeGlobal[];
  setGlobal(map: number, offset: number, value: Uint8Array): void;
  setMaxEntries(map: number, entries: number): void;
  setAutoload(program: number, autoload: boolean): void;
  load(): void;
  attach(program: number): number;
  detach(link: number): void;
  iterate(program: number, cgroupFd: number, order: number): Uint8Array;
  close(): void;
  mapLookup(map: number, key: Uint8Array): Uint8Array | undefined;
  mapUpdate(map: number, key: Uint8Array, value: Uint8Array, flags: number): void;
  mapDelete(map: number, key: Uint8Array): boolean;
  mapNextKey(map: number, key: Uint8Array | undefined): Uint8Array | undefined;
}

export interface NativeRing {
  pause(): void;
  resume(): void;
  flush(): void;
  close(): void;
  ref(): void;
  unref(): void;
}

/** The addon of bpf-ts is not there, or not for this machine. */
export class BpfAddonError extends Error {
  override readonly name = 'BpfAddonError';
}

let addon: NativeAddon | undefined;

/** Loaded at first use: what reads BTF alone does without the addon. */
export function native(): NativeAddon {
  if (addon) return addon;
  try {
    // The same from src/bpf-ts and from dist/bpf-ts.
    const path = '../../build/Release/bpf_ts.node';
    addon = createRequire(import.meta.url)(path) as NativeAddon;
    return addon;
  } catch (cause) {
    throw new BpfAddonError(
      process.platform === 'linux'
        ? 'The addon of bpf-ts could not be loaded. Build it on this machine: npm run build'
        : `bpf-ts needs Linux, and this is ${process.platform}.`,
      { cause },
    );
  }
}

export interface NativeFailure {
  readonly message: string;
  readonly errno: number;
  readonly log: string;
  readonly cause: unknown;
}

/** The failure that the addon threw, or undefined for any other error. */
export function nativeFailure(error: unknown): NativeFailure | undefined {
  if (!(error instanceof Error) || !('errno' in error) || !('log' in error))
    return undefined;
  const { errno, log } = error;
  if (typeof errno !== 'number' || typeof log !== 'string') return undefined;
  return { message: error.message, errno, log, cause: error };
}

const remedies: Readonly<Record<string, string>> = {
  EPERM:
    'Run as root, or with CAP_BPF and CAP_PERFMON. Lockdown of the kernel, too, refuses some programs, and before Linux 5.11 a low `ulimit -l`.',
  EACCES: 'Read the log: the verifier says there which instruction it refused, and why.',
  EINVAL: 'Read the log: this kernel may lack a feature that the program needs.',
  ENOSPC: 'A limit was met: ask for smaller maps.',
  ENOMEM: 'Ask for smaller maps, or free memory.',
  ENOENT:
    'This kernel has no such hook: see /sys/kernel/tracing/events (mount tracefs there).',
  ESRCH: 'This kernel lacks a type or function that the program names: see its BTF.',
};

/** One sentence that says what to do about an error of the kernel, or nothing. */
export function remedy(errno: number): string {
  const sentence = remedies[errorCode(errno)];
  return sentence === undefined ? '' : ` ${sentence}`;
}

/** Does it, and makes an error of the addon a BpfError that says what was tried. */
export function calling<Result>(what: string, action: () => Result): Result {
  try {
    return action();
  } catch (error) {
    const failure = nativeFailure(error);
    if (!failure) throw error;
    throw new BpfError(
      `${what}: ${failure.message} (${errorCode(failure.errno)}).`,
      failure.errno,
      { cause: error },
    );
  }
}
