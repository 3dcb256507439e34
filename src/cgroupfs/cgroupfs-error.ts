/**
 * The files of /proc that tell which cgroup hierarchies there are can't be read
 * or make no sense.
 */
export class CgroupfsError extends Error {
  override readonly name = 'CgroupfsError';
}
