import { createRequire } from 'node:module';

/** The linked BPF objects, as native-config.mjs names them. */
interface LinkedObjects {
  readonly lifecycle: Buffer;
  readonly snapshot: Buffer;
}

let loaded: LinkedObjects | undefined;

/** A linked BPF object, from within the native addon. */
export function linkedObject(name: keyof LinkedObjects): Buffer {
  loaded ??= createRequire(import.meta.url)(
    '../../build/Release/cgleak_objects.node',
  ) as LinkedObjects;
  return loaded[name];
}
