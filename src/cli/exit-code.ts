/** What the command's end says to a script. */
export const exitCode = {
  fine: 0,
  failure: 1,
  /** With --fail-on-leak. */
  leaked: 3,
  /** This host, or this user, can't run it: as automake's "skipped". */
  cannotRun: 77,
} as const;
