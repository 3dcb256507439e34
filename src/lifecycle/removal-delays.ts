import type { RemovalDelay } from './finding.js';

const samplesKept = 64;
const parentsKept = 1024;

interface Delays {
  count: number;
  /** The last ones, ns, in no order. */
  readonly samples: number[];
}

/** How long the children of a path took from emptied to rmdir. Bounded in memory. */
export interface RemovalDelays {
  add(parent: string, delay: bigint): void;
  of(parent: string): RemovalDelay | undefined;
}

export function createRemovalDelays(): RemovalDelays {
  const parents = new Map<string, Delays>();

  return {
    add: (parent, delay) => {
      let delays = parents.get(parent);
      if (!delays) {
        if (parents.size === parentsKept) {
          for (const oldest of parents.keys()) {
            parents.delete(oldest);
            break;
          }
        }
        delays = { count: 0, samples: [] };
        parents.set(parent, delays);
      }
      delays.samples[delays.count % samplesKept] = Number(delay);
      delays.count += 1;
    },
    of: (parent) => {
      const delays = parents.get(parent);
      if (!delays) return undefined;
      const sorted = delays.samples.toSorted((a, b) => a - b);
      return {
        count: delays.count,
        p50: quantile(sorted, 0.5),
        p99: quantile(sorted, 0.99),
      };
    },
  };
}

/** By the nearest rank. */
function quantile(sorted: readonly number[], fraction: number): bigint {
  return BigInt(sorted[Math.ceil(sorted.length * fraction) - 1] ?? 0);
}
