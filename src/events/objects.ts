import { createRequire } from 'node:module';

interface EmbeddedObjects {
  readonly lifecycle: Buffer;
}

let loaded: EmbeddedObjects | undefined;

/** The linked BPF object, from within the native addon. */
export function lifecycleObject(): Buffer {
  loaded ??= createRequire(import.meta.url)(
    '../../build/Release/cgleak_objects.node',
  ) as EmbeddedObjects;
  return loaded.lifecycle;
}
