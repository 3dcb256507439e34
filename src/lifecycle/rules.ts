import type { OwnerOf } from '../owners/index.js';
import { createGraceLine, type GraceLine } from './grace-line.js';
import type { Group } from './group.js';

/** What the owner of a path means for its findings. One object for all paths alike. */
export interface Rule {
  /** Undefined for nobody that is known. */
  readonly owner: string | undefined;
  readonly keepsEmpty: boolean;
  readonly isWholeParent: boolean;
  /** Where its groups wait while their grace runs. */
  readonly line: GraceLine;
}

export interface Rules {
  of(path: string): Rule;
  /** The first group whose grace is over by now. */
  firstDue(now: bigint): Group | undefined;
  /** When the next grace ends; undefined where none runs. */
  nextDue(): bigint | undefined;
}

export interface RulesOptions {
  /** ns */
  readonly grace: bigint;
  readonly ownerOf?: OwnerOf | undefined;
  /** Whether an owner's own grace counts in place of `grace`. */
  readonly ownerGraces?: boolean | undefined;
}

export function createRules({
  grace,
  ownerOf = () => undefined,
  ownerGraces = false,
}: RulesOptions): Rules {
  const rules = new Map<string, Rule>();
  const lines = new Map<bigint, GraceLine>();
  const nobodys: Rule = {
    owner: undefined,
    keepsEmpty: false,
    isWholeParent: false,
    line: lineOf(grace),
  };

  function lineOf(length: bigint): GraceLine {
    let line = lines.get(length);
    if (!line) {
      line = createGraceLine(length);
      lines.set(length, line);
    }
    return line;
  }

  function of(path: string): Rule {
    const ownership = ownerOf(path);
    if (!ownership) return nobodys;
    const { owner, keepsEmpty, isWholeParent } = ownership;
    const length = (ownerGraces ? ownership.grace : undefined) ?? grace;
    const key = [owner, keepsEmpty, isWholeParent, length].join(' ');
    let rule = rules.get(key);
    if (!rule) {
      rule = { owner, keepsEmpty, isWholeParent, line: lineOf(length) };
      rules.set(key, rule);
    }
    return rule;
  }

  return {
    of,
    firstDue: (now) => {
      for (const line of lines.values()) {
        const due = line.nextDue();
        if (due !== undefined && due <= now) return line.first();
      }
      return undefined;
    },
    nextDue: () => {
      let next: bigint | undefined;
      for (const line of lines.values()) {
        const due = line.nextDue();
        if (due !== undefined && (next === undefined || due < next)) next = due;
      }
      return next;
    },
  };
}
