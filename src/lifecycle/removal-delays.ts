import type { RemovalDelay } from './finding.js';
import { parentPath, type Group } from './group.js';

const samplesKept = 256;
const keysKept = 1024;

interface Delays {
  count: number;
  /** The last ones, ns, in no order. */
  readonly samples: number[];
  /** What they come to, until the next one. */
  summary: RemovalDelay | undefined;
}

/**
 * How long cgroups alike took from emptied to rmdir: those of one owner, or, where
 * the owner is not known, those below one parent. Bounded in memory.
 */
export interface RemovalDelays {
  add(key: string, delay: bigint): void;
  of(key: string): RemovalDelay | undefined;
}

/** What the delays of a group are kept by. A path has a slash, an owner's name has none. */
export function delayKey({ rule, path }: Group): string {
  return rule.owner ?? parentPath(path) ?? '/';
}

export function createRemovalDelays(): RemovalDelays {
  /** The last used last. */
  const all = new Map<string, Delays>();
  let lastUsed: string | undefined;

  function delaysOf(key: string): Delays {
    const known = all.get(key);
    if (known && key === lastUsed) return known;
    lastUsed = key;
    const delays = known ?? { count: 0, samples: [], summary: undefined };
    all.delete(key);
    all.set(key, delays);
    if (all.size > keysKept) {
      for (const oldest of all.keys()) {
        all.delete(oldest);
        break;
      }
    }
    return delays;
  }

  return {
    add: (key, delay) => {
      const delays = delaysOf(key);
      delays.samples[delays.count % samplesKept] = Number(delay);
      delays.count += 1;
      delays.summary = undefined;
    },
    of: (key) => {
      const delays = all.get(key);
      if (!delays) return undefined;
      return (delays.summary ??= summarize(delays));
    },
  };
}

function summarize({ count, samples }: Delays): RemovalDelay {
  const sorted = samples.toSorted((a, b) => a - b);
  return { count, p50: quantile(sorted, 0.5), p99: quantile(sorted, 0.99) };
}

/** By the nearest rank. */
function quantile(sorted: readonly number[], fraction: number): bigint {
  return BigInt(sorted[Math.ceil(sorted.length * fraction) - 1] ?? 0);
}
