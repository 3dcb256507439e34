/**
 * How to read an id that was written into a name: as it is; with systemd's
 * escapes, where `\x2d` is a `-`; or with `_` for every `-`.
 */
export type IdForm = 'plain' | 'systemd-escaped' | 'underscored';

/** One owner of cgroups: which are its, and how it treats them. */
export interface OwnerRow {
  /** Of a-z, 0-9 and `-`, unique in the table; the label of the owner everywhere. */
  readonly name: string;
  /** What it is, for people: `Docker container`. */
  readonly title: string;
  /**
   * Whose cgroups are the owner's, see OwnerPattern. Any of them may match.
   * Without an `{id}` in it, and with an `idKind` in the row, the id is the whole
   * last component.
   */
  readonly patterns: readonly string[];
  /** What the id is, in the owner's words. Absent for rows that have none. */
  readonly idKind?: string;
  /** plain by default. */
  readonly idForm?: IdForm;
  /** The owner keeps it empty on purpose. */
  readonly keepsEmpty?: boolean;
  /** Empty it is left behind even though it once had children. */
  readonly isWholeParent?: boolean;
  /** Its processes outlive who started them as a matter of course. */
  readonly outlives?: boolean;
  /** How long it may stand empty, ns. */
  readonly grace?: bigint;
  /**
   * What no row knows below such a cgroup is its, too, with its id: cgroups that
   * were made in a container. They are never kept empty, nor whole parents.
   */
  readonly ownsBelow?: boolean;
  /** A path of such a cgroup. */
  readonly example: string;
}
