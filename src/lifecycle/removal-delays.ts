import type { RemovalDelay } from './finding.js';

const samplesKept = 64;
const parentsKept = 1024;

interface Delays {
  count: number;
  /** The last ones, ns, in no order. */
  readonly samples: number[];
  /** What they come to, until the next one. */
  summary: RemovalDelay | undefined;
}

/** How long the children of a path took from emptied to rmdir. Bounded in memory. */
export interface RemovalDelays {
  add(parent: string, delay: bigint): void;
  of(parent: string): RemovalDelay | undefined;
}

export function createRemovalDelays(): RemovalDelays {
  /** The last used last. */
  const parents = new Map<string, Delays>();
  let lastUsed: string | undefined;

  function delaysOf(parent: string): Delays {
    const known = parents.get(parent);
    if (known && parent === lastUsed) return known;
    lastUsed = parent;
    const delays = known ?? { count: 0, samples: [], summary: undefined };
    parents.delete(parent);
    parents.set(parent, delays);
    if (parents.size > parentsKept) {
      for (const oldest of parents.keys()) {
        parents.delete(oldest);
        break;
      }
    }
    return delays;
  }

  return {
    add: (parent, delay) => {
      const delays = delaysOf(parent);
      delays.samples[delays.count % samplesKept] = Number(delay);
      delays.count += 1;
      delays.summary = undefined;
    },
    of: (parent) => {
      const delays = parents.get(parent);
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
