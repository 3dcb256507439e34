import { existsSync, readFileSync } from 'node:fs';

/** Capability numbers of linux/capability.h. */
const capabilities = { CAP_SYS_ADMIN: 21n, CAP_PERFMON: 38n, CAP_BPF: 39n } as const;

const kernelTypes = '/sys/kernel/btf/vmlinux';

/**
 * Throws where a test of the live kernel cannot run: such a test fails, and is
 * never skipped. Call it at the top of the file.
 */
export function requireRoot(): void {
  const missing = whatIsMissing();
  if (missing.length === 0) return;
  throw new Error(
    'This test loads BPF programs and makes cgroups on the live kernel, and cannot here: ' +
      `${missing.join('; ')}. Run it as root on a host with BTF (not in an unprivileged ` +
      'container), or run only what needs no root: npm test -- --unit',
  );
}

function whatIsMissing(): readonly string[] {
  const missing: string[] = [];
  if (process.getuid?.() !== 0) missing.push('it does not run as root');

  const effective = effectiveCapabilities();
  const has = (name: keyof typeof capabilities) =>
    ((effective >> capabilities[name]) & 1n) === 1n;
  for (const name of ['CAP_BPF', 'CAP_PERFMON'] as const) {
    if (!has(name) && !has('CAP_SYS_ADMIN')) missing.push(`${name} is missing`);
  }

  if (!existsSync(kernelTypes)) missing.push(`the kernel gives no BTF in ${kernelTypes}`);
  return missing;
}

function effectiveCapabilities(): bigint {
  const status = readFileSync('/proc/self/status', 'utf8');
  const [, digits = '0'] = /^CapEff:\s*([0-9a-f]+)$/m.exec(status) ?? [];
  return BigInt(`0x${digits}`);
}
