/** The command line is wrong: in what, and where the right form stands. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
