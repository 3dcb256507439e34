export type { OwnerOf, Ownership } from './ownership.js';
