import { constants } from 'node:os';
import { BpfError, errorCode } from './bpf-error.js';
import { BpfLoadError } from './bpf-load-error.js';
import { BpfMap } from './bpf-map.js';
import { globalBytes, type GlobalValue } from './global-value.js';
import { explanation, refusedProgram } from './load-log.js';
import {
  calling,
  native,
  nativeFailure,
  remedy,
  type NativeMap,
  type NativeObject,
  type NativeProgram,
} from './native.js';
import { requireBytes } from './require-bytes.js';
import { RingBuffer, type RingBatch, type RingOptions } from './ring-buffer.js';

export interface ProgramInfo {
  /** The name of its function. */
  readonly name: string;
  /** As in SEC(): `tp_btf/sched_process_exit`. */
  readonly section: string;
  /** libbpf's name of it: `tracing`, `raw_tracepoint`. */
  readonly type: string;
}

export interface MapInfo {
  readonly name: string;
  /** libbpf's name of it: `hash`, `percpu_array`, `ringbuf`. */
  readonly type: string;
  readonly keySize: number;
  readonly valueSize: number;
  readonly maxEntries: number;
}

/** An attached program. */
export interface Link {
  readonly program: string;
  /** Detaches. Closing twice is fine. */
  close(): void;
}

/** In the order of the kernel's enum bpf_cgroup_iter_order, which begins with 1. */
const cgroupOrders = [
  'self',
  'descendants-pre',
  'descendants-post',
  'ancestors',
] as const;

/** What an iterator goes through. */
export interface IteratorTarget {
  /** For `iter/cgroup`: an open cgroup directory, and where to go from there. */
  readonly cgroup?: {
    readonly fd: number;
    /** `descendants-pre` by default: the cgroup, then all below, parents first. */
    readonly order?: (typeof cgroupOrders)[number];
  };
}

/**
 * A BPF object: open, set, load, attach, read, close, in this order.
 *
 * @example
 * const object = openObject(readFileSync('count.bpf.o'));
 * object.setGlobal('least_pid', 1000);
 * object.load();
 * object.attach('on_exit');
 * console.log(object.map('exits').lookup(new Uint8Array(4)));
 * object.close();
 */
export class BpfObject {
  readonly programs: readonly ProgramInfo[];
  readonly #native: NativeObject;
  readonly #programs: readonly NativeProgram[];
  readonly #rings = new Set<RingBuffer>();
  #maps: readonly NativeMap[];
  #closed = false;

  /** @internal Use openObject. */
  constructor(object: NativeObject) {
    this.#native = object;
    this.#programs = object.programs();
    this.#maps = object.maps();
    this.programs = this.#programs.map(({ name, section, type }) => ({
      name,
      section,
      type,
    }));
  }

  /** Those of the object file, and one for each section of global variables. */
  get maps(): readonly MapInfo[] {
    return this.#maps;
  }

  /**
   * Sets a global variable of the program, `const volatile` ones included,
   * before load(). Size and sign come from the object's BTF.
   */
  setGlobal(name: string, value: GlobalValue): void {
    this.#requireOpen();
    const globals = this.#native.globals();
    const variable = globals.find((global) => global.name === name);
    if (!variable)
      throw unknownName('global variable', name, globals, 'Build it with clang -g.');
    const bytes = globalBytes(variable, value);
    calling(`Could not set the global ${name}`, () => {
      this.#native.setGlobal(variable.map, variable.offset, bytes);
    });
  }

  /** Resizes a map before load(). libbpf rounds the size of a ring buffer up as it must be. */
  setMaxEntries(map: string, entries: number): void {
    const index = this.#mapIndex(map);
    if (!Number.isInteger(entries) || entries < 1 || entries > 0xffff_ffff)
      throw new RangeError(`A map holds 1 to 4294967295 entries, not ${String(entries)}`);
    calling(`Could not resize the map ${map}`, () => {
      this.#native.setMaxEntries(index, entries);
    });
    this.#maps = this.#native.maps();
  }

  /** Whether load() loads a program; by default all are, but those of `SEC("?...")`. */
  setAutoload(program: string, autoload: boolean): void {
    const index = this.#programIndex(program);
    calling(`Could not choose whether ${program} is loaded`, () => {
      this.#native.setAutoload(index, autoload);
    });
  }

  /**
   * Creates the maps and has the kernel verify the programs.
   * @throws BpfLoadError with the verifier's log. The object can only be closed then.
   */
  load(): void {
    this.#requireOpen();
    try {
      this.#native.load();
    } catch (error) {
      throw loadError(error, 'The BPF object could not be loaded');
    }
    // Sizes are final now: those of ring buffers may have been rounded up.
    this.#maps = this.#native.maps();
  }

  /** Attaches a program of the loaded object where its section says. */
  attach(program: string): Link {
    const index = this.#programIndex(program);
    try {
      const id = this.#native.attach(index);
      return {
        program,
        close: () => {
          this.#native.detach(id);
        },
      };
    } catch (error) {
      const failure = nativeFailure(error);
      if (!failure) throw error;
      const { errno, log } = failure;
      throw new BpfError(
        `The program ${program} could not be attached (${errorCode(errno)})${because(log)}.${remedy(errno)}`,
        errno,
        { cause: error },
      );
    }
  }

  /**
   * Runs an iterator program (`SEC("iter/...")`) once, from start to end, and
   * returns what it wrote with bpf_seq_write. Blocks meanwhile.
   *
   * @param target - what to go through, for the kinds that want to be told.
   */
  iterate(program: string, target: IteratorTarget = {}): Uint8Array {
    const index = this.#programIndex(program);
    const { cgroup } = target;
    const order = cgroupOrders.indexOf(cgroup?.order ?? 'descendants-pre') + 1;
    try {
      return this.#native.iterate(index, cgroup?.fd ?? -1, order);
    } catch (error) {
      const failure = nativeFailure(error);
      if (!failure) throw error;
      const { errno, log } = failure;
      throw new BpfError(
        `The iterator ${program} did not run: ${failure.message} (${errorCode(errno)})${because(log)}.${remedy(errno)}`,
        errno,
        { cause: error },
      );
    }
  }

  map(name: string): BpfMap {
    const index = this.#mapIndex(name);
    const info = this.#maps[index];
    if (!info) throw unknownName('map', name, this.#maps);
    return new BpfMap(this.#native, index, info);
  }

  /** Opens a ring buffer map of the loaded object; see {@link RingBatch} for what comes. */
  ringBuffer(
    map: string,
    onBatch: (batch: RingBatch) => void,
    options: RingOptions = {},
  ): RingBuffer {
    const index = this.#mapIndex(map);
    const ring = new RingBuffer(this.#native, index, map, onBatch, options, (closed) =>
      this.#rings.delete(closed),
    );
    this.#rings.add(ring);
    return ring;
  }

  /** Closes rings, links, maps and programs. Closing twice is fine. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    for (const ring of [...this.#rings]) ring.close();
    this.#native.close();
  }

  #requireOpen(): void {
    if (this.#closed)
      throw new BpfError(
        'The BPF object is closed: open it anew.',
        constants.errno.EBADF,
      );
  }

  #mapIndex(name: string): number {
    this.#requireOpen();
    return indexOf('map', name, this.#maps);
  }

  #programIndex(name: string): number {
    this.#requireOpen();
    return indexOf('program', name, this.#programs);
  }
}

interface Named {
  readonly name: string;
}

function unknownName(
  kind: string,
  name: string,
  known: readonly Named[],
  otherwise = '',
) {
  const names = known.map((each) => each.name).join(', ');
  return new BpfError(
    `The BPF object has no ${kind} ${name}. ${names ? `It has: ${names}.` : `It has none. ${otherwise}`}`.trim(),
    constants.errno.ENOENT,
  );
}

function indexOf(kind: string, name: string, known: readonly Named[]): number {
  const index = known.findIndex((each) => each.name === name);
  if (index < 0) throw unknownName(kind, name, known);
  return index;
}

/** What libbpf said, as the end of a sentence. */
function because(log: string): string {
  const line = explanation(log);
  return line === undefined ? '' : `: ${line}`;
}

function loadError(error: unknown, what: string): unknown {
  const failure = nativeFailure(error);
  if (!failure) return error;
  const { errno, log } = failure;
  const program = refusedProgram(log);
  const subject =
    program === undefined ? what : `${what}, since the kernel refused ${program}`;
  return new BpfLoadError(
    `${subject} (${errorCode(errno)})${because(log)}.${remedy(errno)}`,
    errno,
    { log, cause: error, ...(program !== undefined && { program }) },
  );
}

/**
 * Opens a BPF object file, compiled by clang and perhaps linked by libbpf, from
 * its bytes. Nothing goes to the kernel yet.
 * @throws BpfLoadError where it is none.
 */
export function openObject(
  bytes: Uint8Array,
  options: { name?: string } = {},
): BpfObject {
  requireBytes('A BPF object', bytes);
  const { NativeObject: Native } = native();
  try {
    return new BpfObject(new Native(bytes, options.name ?? 'object'));
  } catch (error) {
    throw loadError(error, 'The bytes are no BPF object that libbpf can open');
  }
}
