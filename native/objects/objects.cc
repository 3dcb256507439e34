// SPDX-License-Identifier: MIT
// The BPF objects of this package, embedded: { NAME: Buffer }. Each Buffer is
// a copy of its own, so that nobody can change what the next one gets.
#include <napi.h>

struct EmbeddedObject {
    const char *name;
    const char *start;
    const char *end;
};

// Written by scripts/embed.mjs; a row of zeros ends it.
extern "C" const EmbeddedObject embedded_objects[];

static Napi::Object initialize(Napi::Env env, Napi::Object exports)
{
    for (const EmbeddedObject *object = embedded_objects; object->name; object++)
        exports.Set(object->name,
                    Napi::Buffer<char>::Copy(env, object->start,
                                             static_cast<size_t>(object->end - object->start)));
    return exports;
}

NODE_API_MODULE(cgleak_objects, initialize)
