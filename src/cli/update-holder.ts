import type { Finding } from '../lifecycle/index.js';

const holdMs = 1_000;

/**
 * Keeps back that a finding has changed, for a moment: whoever removes a cgroup
 * from one hierarchy after another ends with a finding closed, and only that is
 * worth a human's attention.
 */
export interface UpdateHolder {
  readonly take: (finding: Finding) => void;
  /** Tells what is still kept back. */
  stop(): void;
}

export function createUpdateHolder(tell: (finding: Finding) => void): UpdateHolder {
  const held = new Map<number, { finding: Finding; timer: NodeJS.Timeout }>();

  const drop = (key: number) => {
    clearTimeout(held.get(key)?.timer);
    held.delete(key);
  };
  const release = (key: number) => {
    const entry = held.get(key);
    drop(key);
    if (entry) tell(entry.finding);
  };
  return {
    take: (finding) => {
      const { key, state } = finding;
      drop(key);
      if (state === 'updated')
        held.set(key, { finding, timer: setTimeout(release, holdMs, key) });
      else tell(finding);
    },
    stop: () => {
      for (const key of [...held.keys()]) release(key);
    },
  };
}
