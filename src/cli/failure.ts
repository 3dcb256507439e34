import { BpfAddonError, BpfError } from '../bpf-ts/index.js';
import { CgroupfsError } from '../cgroupfs/index.js';
import { HierarchyError, UnderError } from '../watch/index.js';
import { exitCode } from './exit-code.js';
import { HostError } from './host-error.js';
import { OutputError } from './output.js';
import { UsageError } from './usage-error.js';

export interface Failure {
  /** What is wrong, and what to do. */
  readonly message: string;
  readonly exitCode: number;
}

/** What to say about an error that ended a command, and the exit code for it. */
export function failureOf(error: unknown): Failure {
  if (error instanceof HostError || error instanceof CgroupfsError)
    return { message: error.message, exitCode: exitCode.cannotRun };
  if (error instanceof BpfError)
    return { message: bpfMessage(error), exitCode: exitCode.cannotRun };
  if (error instanceof BpfAddonError)
    return { message: error.message, exitCode: exitCode.cannotRun };
  if (
    error instanceof UsageError ||
    error instanceof UnderError ||
    error instanceof HierarchyError ||
    error instanceof OutputError
  )
    return { message: error.message, exitCode: exitCode.failure };
  const text = error instanceof Error ? error.message : String(error);
  return {
    message: `cgleak met an error that it doesn't know: ${text} (CGLEAK_DEBUG=1 shows where).`,
    exitCode: exitCode.failure,
  };
}

function bpfMessage(error: BpfError): string {
  return `${error.message.replace(/\s+/g, ' ')} (cgleak doctor tells what works here.)`;
}
