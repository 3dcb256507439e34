import { createRequire } from 'node:module';

let loaded: { readonly snapshot: Buffer } | undefined;

/** The linked BPF object of snapshots, from within the native addon. */
export function snapshotObject(): Buffer {
  loaded ??= createRequire(import.meta.url)(
    '../../build/Release/cgleak_objects.node',
  ) as { readonly snapshot: Buffer };
  return loaded.snapshot;
}
