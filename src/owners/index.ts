export {
  defineOwnerRow,
  defineOwnerRows,
  type OwnerRowInput,
} from './define-owner-row.js';
export { createOwnerOf } from './owner-of.js';
export type { IdForm, OwnerRow } from './owner-row.js';
export { OwnerRowError } from './owner-row-error.js';
export { ownerRows } from './owner-rows.js';
export type { OwnerOf, Ownership } from './ownership.js';
