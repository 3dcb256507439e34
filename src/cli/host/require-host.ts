import { existsSync } from 'node:fs';
import { release } from 'node:os';
import { listOf } from '../../text/index.js';
import { HostError } from '../host-error.js';
import {
  capabilityRemedy,
  isInitialUserNamespace,
  missingCapabilities,
} from './capabilities.js';
import { isAtLeast, oldestKernel } from './kernel.js';
import { lockdownLevel } from './lockdown.js';

export const btfPath = '/sys/kernel/btf/vmlinux';

/** What a host says of itself. */
export interface HostFacts {
  readonly platform: string;
  readonly kernel: string;
  /** Undefined where it is not known. */
  readonly missingCapabilities: readonly string[] | undefined;
  readonly initialUserNamespace: boolean;
  readonly btf: boolean;
  readonly lockdown: string | undefined;
}

export function hostFacts(): HostFacts {
  return {
    platform: process.platform,
    kernel: release(),
    missingCapabilities: missingCapabilities(),
    initialUserNamespace: isInitialUserNamespace(),
    btf: existsSync(btfPath),
    lockdown: lockdownLevel(),
  };
}

/**
 * Sees to it that the BPF programs stand a chance here.
 * @throws HostError with one sentence: what is missing, and what to do.
 */
export function requireHost(facts: HostFacts = hostFacts()): void {
  const problem = hostProblem(facts);
  if (problem !== undefined) throw new HostError(problem);
}

/**
 * All that a command needs which does without BPF.
 * @throws HostError
 */
export function requireLinux({ platform } = process): void {
  if (platform !== 'linux') throw new HostError(noLinux(platform));
}

function noLinux(platform: string): string {
  return `cgleak watches the cgroups of a Linux kernel, and this is ${platform}: run it on the Linux host itself.`;
}

function hostProblem(facts: HostFacts): string | undefined {
  const { platform, kernel, missingCapabilities: missing = [] } = facts;
  if (platform !== 'linux') return noLinux(platform);
  if (!isAtLeast(oldestKernel, kernel))
    return `cgleak needs Linux ${oldestKernel} or later for BPF ring buffers, and this is ${kernel}: boot a newer kernel.`;
  if (missing.length > 0)
    return `cgleak lacks ${listOf(missing)} to load its BPF programs: ${capabilityRemedy}.`;
  if (!facts.initialUserNamespace)
    return 'cgleak runs in a user namespace, where the kernel allows no BPF programs whatever the capabilities: run it on the host itself.';
  if (!facts.btf)
    return `This kernel gives no BTF at ${btfPath}, which cgleak needs to find its way in kernel structures: boot one built with CONFIG_DEBUG_INFO_BTF=y, as distributions' are, and mount sysfs.`;
  if (facts.lockdown === 'confidentiality')
    return 'Kernel lockdown is at confidentiality, where BPF programs may not read kernel memory: boot with lockdown=integrity or none.';
  return undefined;
}
