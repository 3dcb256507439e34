/** What a watch has seen, in all. */
export interface WatchSummary {
  /** Cgroups, one for each hierarchy. */
  readonly created: number;
  readonly removed: number;
  /** Findings that have been opened. */
  readonly findings: number;
  /** Those of them that are open still. */
  readonly open: number;
  /** Empty cgroups whose grace is not over: no one knows yet. */
  readonly pending: number;
  /** Empty cgroups that once had children. */
  readonly emptyParents: number;
  /** Removed cgroups that are not released, longer than their grace; absent for none. */
  readonly dying?: number;
  /** Events that were lost on their way. */
  readonly lost: number;
  /** ns */
  readonly duration: bigint;
}
