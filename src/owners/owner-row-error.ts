/** A row of the owners table that can't be used: which one, why, and what to write instead. */
export class OwnerRowError extends Error {
  override readonly name = 'OwnerRowError';
}
