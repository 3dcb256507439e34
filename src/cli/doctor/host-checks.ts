import { existsSync } from 'node:fs';
import { machine } from 'node:os';
import { isInitialCgroupNamespace } from '../../cgroupfs/index.js';
import type { Hierarchy } from '../../cgroupfs/index.js';
import { listOf } from '../../text/index.js';
import type { Check } from '../../report/index.js';
import { capabilityRemedy } from '../host/capabilities.js';
import { isAtLeast, oldestKernel } from '../host/kernel.js';
import { readText } from '../host/read-text.js';
import { btfPath } from '../host/require-host.js';
import type { HostFacts } from '../host/require-host.js';

/** The kernel, and what this process may do with it. */
export function hostChecks(facts: HostFacts, hierarchies: readonly Hierarchy[]): Check[] {
  return [
    kernel(facts),
    btf(facts),
    lockdown(facts),
    lsm(),
    privileges(facts),
    memlock(facts),
    tracefs(),
    namespace(hierarchies),
  ];
}

function kernel({ platform, kernel: release }: HostFacts): Check {
  const name = 'kernel';
  if (platform !== 'linux')
    return {
      name,
      state: 'fail',
      message: `this is ${platform}`,
      remedy: 'run cgleak on the Linux host itself',
    };
  const message = `Linux ${release}, ${machine()}`;
  return isAtLeast(oldestKernel, release)
    ? { name, state: 'ok', message }
    : { name, state: 'fail', message, remedy: `boot Linux ${oldestKernel} or later` };
}

function btf({ btf: isThere }: HostFacts): Check {
  return isThere
    ? { name: 'BTF', state: 'ok', message: btfPath }
    : {
        name: 'BTF',
        state: 'fail',
        message: `${btfPath} is not there`,
        remedy: 'boot a kernel built with CONFIG_DEBUG_INFO_BTF=y, and mount sysfs',
      };
}

function lockdown({ lockdown: level }: HostFacts): Check {
  const name = 'lockdown';
  if (level === 'confidentiality')
    return {
      name,
      state: 'fail',
      message: `${level}: BPF programs may not read kernel memory`,
      remedy: 'boot with lockdown=integrity or none',
    };
  return { name, state: 'ok', message: level ?? 'unknown: securityfs does not tell' };
}

function lsm(): Check {
  const list = readText('/sys/kernel/security/lsm')?.trim();
  const name = 'LSM';
  if (list === undefined)
    return {
      name,
      state: 'ok',
      message: 'unknown: securityfs is not mounted (not needed)',
    };
  const bpf = list.split(',').includes('bpf')
    ? 'bpf is active'
    : 'bpf is not (not needed)';
  return { name, state: 'ok', message: `${list}: ${bpf}` };
}

function privileges(facts: HostFacts): Check {
  const name = 'privileges';
  const { missingCapabilities: missing } = facts;
  if (missing && missing.length > 0)
    return {
      name,
      state: 'fail',
      message: `${listOf(missing)} ${missing.length === 1 ? 'is' : 'are'} missing`,
      remedy: capabilityRemedy,
    };
  if (!facts.initialUserNamespace)
    return {
      name,
      state: 'fail',
      message: 'in a user namespace, where the kernel allows no BPF programs',
      remedy: 'run cgleak on the host itself',
    };
  return {
    name,
    state: 'ok',
    message: missing ? 'all that is needed' : 'unknown: /proc does not tell',
  };
}

function memlock({ kernel: release }: HostFacts): Check {
  const name = 'memlock';
  const limits = readText('/proc/self/limits') ?? '';
  const limit = /^Max locked memory\s+(\S+)/m.exec(limits)?.[1];
  if (limit === undefined) return { name, state: 'ok', message: 'unknown' };
  const message = limit === 'unlimited' ? limit : `${limit} bytes`;
  // Since then BPF memory is charged to the memory cgroup.
  if (isAtLeast('5.11', release))
    return { name, state: 'ok', message: `${message} (this kernel doesn't count BPF)` };
  const isEnough = limit === 'unlimited' || Number(limit) >= 16 * 1024 * 1024;
  return isEnough
    ? { name, state: 'ok', message }
    : {
        name,
        state: 'warn',
        message: `${message}: too low, unless CAP_SYS_RESOURCE allows to raise it`,
        remedy: 'ulimit -l unlimited, or LimitMEMLOCK=infinity in the service',
      };
}

function tracefs(): Check {
  const isMounted = existsSync('/sys/kernel/tracing/events');
  return {
    name: 'tracefs',
    state: 'ok',
    message: `${isMounted ? 'mounted' : 'not mounted'} (not needed)`,
  };
}

function namespace(hierarchies: readonly Hierarchy[]): Check {
  const name = 'namespaces';
  if (isInitialCgroupNamespace()) return { name, state: 'ok', message: "the host's" };
  if (hierarchies.some(({ mountPoint }) => mountPoint !== undefined))
    return {
      name,
      state: 'ok',
      message: "in a cgroup namespace, with the host's mounts",
    };
  return {
    name,
    state: 'warn',
    message: "in a cgroup namespace, where the host's cgroups can't be looked at",
    remedy:
      'run cgleak on the host, or in a container with --cgroupns=host, or with /sys/fs/cgroup of the host mounted in it',
  };
}
