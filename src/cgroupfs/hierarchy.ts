/** One cgroup hierarchy of this host: v2, or one v1 mount. */
export interface Hierarchy {
  /** As in /proc/self/cgroup: 0 is v2. */
  readonly id: number;
  readonly version: 1 | 2;
  /**
   * How it is called, ascending: the v1 controllers (`cpu`, `cpuacct`), or
   * `name=systemd` for a named v1 hierarchy, or `v2`.
   */
  readonly controllers: readonly string[];
  /** Raw bytes as latin1; absent where it is mounted nowhere that we can see. */
  readonly mountPoint?: string;
  /** The cgroup that is seen at mountPoint, `/` but in a container. */
  readonly mountRoot?: string;
}
