// SPDX-License-Identifier: MIT
/* What can be done with the maps of a loaded object. */
#include "errors.h"
#include "object.h"

#include <bpf/bpf.h>

#include <cerrno>

namespace bpf_ts {
namespace {

/* A value as it crosses: per-CPU maps give one for each possible CPU, padded to 8 bytes. */
size_t crossing_size(Napi::Env env, const bpf_map *map)
{
    size_t size = bpf_map__value_size(map);

    switch (bpf_map__type(map)) {
    case BPF_MAP_TYPE_PERCPU_HASH:
    case BPF_MAP_TYPE_LRU_PERCPU_HASH:
    case BPF_MAP_TYPE_PERCPU_ARRAY:
    case BPF_MAP_TYPE_PERCPU_CGROUP_STORAGE: {
        int cpus = libbpf_num_possible_cpus();
        if (cpus < 0)
            throw_error(env, cpus, "could not count the possible CPUs");
        return (size + 7) / 8 * 8 * static_cast<size_t>(cpus);
    }
    default:
        return size;
    }
}

Napi::Uint8Array sized(Napi::Env env, const Napi::Value &value, size_t size, const char *what)
{
    Napi::Uint8Array bytes = value.As<Napi::Uint8Array>();

    if (bytes.ByteLength() != size)
        throw_error(env, EINVAL,
                    std::string(what) + " of this map have " + std::to_string(size) +
                        " bytes, not " + std::to_string(bytes.ByteLength()));
    return bytes;
}

Napi::Uint8Array key_of(Napi::Env env, const bpf_map *map, const Napi::Value &value)
{
    return sized(env, value, bpf_map__key_size(map), "keys");
}

} // namespace

Napi::Value Object::map_lookup(const Napi::CallbackInfo &info)
{
    Napi::Env env = info.Env();
    const bpf_map *chosen = loaded_map(env, info[0]);
    Napi::Uint8Array key = key_of(env, chosen, info[1]);
    auto value = Napi::Buffer<uint8_t>::New(env, crossing_size(env, chosen));

    if (bpf_map_lookup_elem(bpf_map__fd(chosen), key.Data(), value.Data()) == 0)
        return value;
    if (errno == ENOENT)
        return env.Undefined();
    throw_error(env, errno, "could not look up a key");
}

void Object::map_update(const Napi::CallbackInfo &info)
{
    Napi::Env env = info.Env();
    const bpf_map *chosen = loaded_map(env, info[0]);
    Napi::Uint8Array key = key_of(env, chosen, info[1]);
    Napi::Uint8Array value = sized(env, info[2], crossing_size(env, chosen), "values");
    uint32_t flags = info[3].As<Napi::Number>();

    if (bpf_map_update_elem(bpf_map__fd(chosen), key.Data(), value.Data(), flags) != 0)
        throw_error(env, errno, "could not update a key");
}

Napi::Value Object::map_delete(const Napi::CallbackInfo &info)
{
    Napi::Env env = info.Env();
    const bpf_map *chosen = loaded_map(env, info[0]);
    Napi::Uint8Array key = key_of(env, chosen, info[1]);

    if (bpf_map_delete_elem(bpf_map__fd(chosen), key.Data()) == 0)
        return Napi::Boolean::New(env, true);
    if (errno == ENOENT)
        return Napi::Boolean::New(env, false);
    throw_error(env, errno, "could not delete a key");
}

Napi::Value Object::map_next_key(const Napi::CallbackInfo &info)
{
    Napi::Env env = info.Env();
    const bpf_map *chosen = loaded_map(env, info[0]);
    const void *key = info[1].IsUndefined() ? nullptr : key_of(env, chosen, info[1]).Data();
    auto next = Napi::Buffer<uint8_t>::New(env, bpf_map__key_size(chosen));

    if (bpf_map_get_next_key(bpf_map__fd(chosen), key, next.Data()) == 0)
        return next;
    if (errno == ENOENT)
        return env.Undefined();
    throw_error(env, errno, "could not go on to the next key");
}

} // namespace bpf_ts
