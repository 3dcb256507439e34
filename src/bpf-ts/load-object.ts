import { BpfError } from './bpf-error.js';
import { BpfLoadError } from './bpf-load-error.js';
import { openObject, type BpfObject, type ProgramInfo } from './bpf-object.js';
import type { GlobalValue } from './global-value.js';

export interface LoadOptions {
  /** Names the maps of global variables in the kernel. */
  readonly name?: string;
  readonly globals?: Readonly<Record<string, GlobalValue>>;
  readonly maxEntries?: Readonly<Record<string, number>>;
  /** Programs that may be missing, where the kernel refuses to load or attach them. */
  readonly optional?: readonly string[];
  /** Programs that are not wanted this time. */
  readonly disabled?: readonly string[];
}

export interface ProgramStatus {
  readonly name: string;
  readonly section: string;
  readonly state: 'attached' | 'unavailable' | 'disabled';
  /** Of unavailable ones: why the kernel refused. */
  readonly reason?: BpfError;
}

export interface LoadedObject {
  readonly object: BpfObject;
  readonly programs: readonly ProgramStatus[];
}

/**
 * Opens, sets, loads and attaches everything. The kernel refuses an object as a
 * whole, so an optional program that it does not take is left out and the rest
 * tried again, until it loads.
 *
 * @example
 * const { object, programs } = loadObject(bytes, { optional: ['on_fexit'] });
 * for (const { name, state, reason } of programs) console.log(name, state, reason?.code);
 *
 * @throws BpfLoadError, or BpfError where a program can't be attached, unless it is optional.
 */
export function loadObject(bytes: Uint8Array, options: LoadOptions = {}): LoadedObject {
  const optional = new Set(options.optional);
  const disabled = new Set(options.disabled);
  const reasons = new Map<string, BpfError>();

  for (;;) {
    const object = openObject(
      bytes,
      options.name === undefined ? {} : { name: options.name },
    );
    try {
      prepare(object, options, [...disabled, ...reasons.keys()]);
      object.load();
    } catch (error) {
      object.close();
      if (!(error instanceof BpfLoadError)) throw error;
      const { program } = error;
      if (program === undefined || !optional.has(program) || reasons.has(program))
        throw error;
      reasons.set(program, error);
      continue;
    }
    try {
      const programs = object.programs.map((program) =>
        attach(object, program, disabled, optional, reasons),
      );
      return { object, programs };
    } catch (error) {
      object.close();
      throw error;
    }
  }
}

function prepare(
  object: BpfObject,
  options: LoadOptions,
  leftOut: readonly string[],
): void {
  for (const [name, value] of Object.entries(options.globals ?? {}))
    object.setGlobal(name, value);
  for (const [map, entries] of Object.entries(options.maxEntries ?? {}))
    object.setMaxEntries(map, entries);
  for (const program of leftOut) object.setAutoload(program, false);
}

function attach(
  object: BpfObject,
  { name, section }: ProgramInfo,
  disabled: ReadonlySet<string>,
  optional: ReadonlySet<string>,
  reasons: ReadonlyMap<string, BpfError>,
): ProgramStatus {
  if (disabled.has(name)) return { name, section, state: 'disabled' };
  const reason = reasons.get(name);
  if (reason) return { name, section, state: 'unavailable', reason };
  try {
    object.attach(name);
    return { name, section, state: 'attached' };
  } catch (error) {
    if (!(error instanceof BpfError) || !optional.has(name)) throw error;
    return { name, section, state: 'unavailable', reason: error };
  }
}
