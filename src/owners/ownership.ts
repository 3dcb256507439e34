/** What a path tells of whose cgroup it is. */
export interface Ownership {
  /** The row's name: `docker`, `nomad`, `systemd-scope`. A bounded set, fit for labels. */
  readonly owner: string;
  /** What `id` is, in the owner's words: `container`, `alloc`, `pod`, `unit`, `job`. */
  readonly idKind?: string;
  /** As the owner's users know it, raw bytes as latin1. */
  readonly id?: string;
  /** The owner keeps it empty on purpose: it is never a finding. */
  readonly keepsEmpty: boolean;
  /** Left empty it is a finding even though it once had children, as a pod's. */
  readonly isWholeParent: boolean;
  /** Its processes outlive who started them as a matter of course: it is never orphaned. */
  readonly outlives: boolean;
  /** How long it may stand empty, ns. Absent for the grace of the watch. */
  readonly grace?: bigint;
}

/** Whose cgroup a path is, raw bytes as latin1. Undefined for nobody's that is known. */
export type OwnerOf = (path: string) => Ownership | undefined;
