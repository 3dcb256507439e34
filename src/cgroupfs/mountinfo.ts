import { CgroupfsError } from './cgroupfs-error.js';

/** A mount of the process's mount namespace. Names are raw bytes as latin1. */
export interface Mount {
  readonly id: number;
  readonly parent: number;
  /** The directory of its file system that is seen at mountPoint. */
  readonly root: string;
  readonly mountPoint: string;
  readonly readOnly: boolean;
  readonly type: string;
  /** Of the file system: for cgroup v1 its controllers and name are among them. */
  readonly superOptions: readonly string[];
}

/**
 * Reads the lines of /proc/self/mountinfo, see proc(5).
 * @throws CgroupfsError where a line has another form.
 */
export function parseMountinfo(lines: readonly string[]): Mount[] {
  return lines.map((line) => {
    const fields = line.split(' ');
    const separator = fields.indexOf('-', 6);
    const [id, parent, , root, mountPoint, options] = fields;
    const [type, , superOptions] = fields.slice(separator + 1);
    if (
      separator < 0 ||
      !isNumber(id) ||
      !isNumber(parent) ||
      root === undefined ||
      mountPoint === undefined ||
      options === undefined ||
      type === undefined ||
      superOptions === undefined
    )
      throw new CgroupfsError(
        `/proc/self/mountinfo has a line that is no mount: ${JSON.stringify(line.slice(0, 120))}. See that the real proc is mounted at /proc.`,
      );
    // A comma within an option, as in a path of release_agent, is escaped.
    const superOptionList = superOptions.split(',').map(unescape);
    return {
      id: Number(id),
      parent: Number(parent),
      root: unescape(root),
      mountPoint: unescape(mountPoint),
      readOnly: options.split(',').includes('ro') || superOptionList.includes('ro'),
      type,
      superOptions: superOptionList,
    };
  });
}

/** Leaves out the mounts that lie beneath another one and can't be reached. */
export function reachable(
  mounts: readonly Mount[],
  candidates: readonly Mount[],
): Mount[] {
  const byId = new Map(mounts.map((mount) => [mount.id, mount]));
  const children = new Map<number, Mount[]>();
  for (const mount of mounts) {
    const siblings = children.get(mount.parent);
    if (siblings) siblings.push(mount);
    else children.set(mount.parent, [mount]);
  }

  /** A lookup of `path` leaves `mount` for another one than `next`. */
  function isLeft(mount: Mount, path: string, next: Mount | undefined): boolean {
    return (children.get(mount.id) ?? []).some(
      (child) =>
        child !== next &&
        child !== mount &&
        isWithin(path, child.mountPoint) &&
        child.mountPoint.length <= (next ?? mount).mountPoint.length,
    );
  }

  return candidates.filter((candidate) => {
    let next: Mount | undefined;
    let mount: Mount | undefined = candidate;
    for (let depth = 0; mount && depth < mounts.length; depth++) {
      if (isLeft(mount, candidate.mountPoint, next)) return false;
      next = mount;
      mount = byId.get(mount.parent);
      if (mount === next) break;
    }
    return true;
  });
}

/** The path is that directory, or below it. */
export function isWithin(path: string, directory: string): boolean {
  if (directory === '/') return path.startsWith('/');
  return (
    path.startsWith(directory) &&
    (path.length === directory.length || path[directory.length] === '/')
  );
}

function isNumber(text: string | undefined): boolean {
  return text !== undefined && /^\d+$/.test(text);
}

/** The kernel writes blanks, backslashes and the like as three octal digits. */
function unescape(text: string): string {
  return text.replace(/\\([0-3][0-7]{2})/g, (_, octal: string) =>
    String.fromCharCode(Number.parseInt(octal, 8)),
  );
}
