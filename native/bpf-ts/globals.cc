// SPDX-License-Identifier: MIT
/* Variables of the object that can be set before it is loaded. */
#include "errors.h"
#include "object.h"

#include <bpf/btf.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace bpf_ts {
namespace {

const btf_type *without_modifiers(const btf *types, uint32_t id)
{
    const btf_type *type = btf__type_by_id(types, id);

    while (type && (btf_is_mod(type) || btf_is_typedef(type)))
        type = btf__type_by_id(types, type->type);
    return type;
}

struct Kind {
    const char *name;
    bool is_signed;
};

Kind kind_of(const btf_type *type)
{
    if (btf_is_int(type)) {
        if (btf_int_encoding(type) & BTF_INT_BOOL)
            return {"bool", false};
        return {"integer", (btf_int_encoding(type) & BTF_INT_SIGNED) != 0};
    }
    if (btf_is_any_enum(type))
        return {"integer", btf_kflag(type)};
    return {"bytes", false};
}

} // namespace

/* libbpf has put the offsets right when it opened the object. */
Napi::Value Object::globals(const Napi::CallbackInfo &info)
{
    Napi::Env env = info.Env();
    require_open(env);
    Napi::Array list = Napi::Array::New(env);
    const btf *types = bpf_object__btf(object);

    for (uint32_t id = 1; types && id < btf__type_cnt(types); id++) {
        const btf_type *section = btf__type_by_id(types, id);
        if (!btf_is_datasec(section))
            continue;
        const char *section_name = btf__name_by_offset(types, section->name_off);
        /* Those of .maps, .kconfig and .ksyms are no variables of the program. */
        if (std::strncmp(section_name, ".rodata", 7) != 0 &&
            std::strncmp(section_name, ".data", 5) != 0 &&
            std::strncmp(section_name, ".bss", 4) != 0)
            continue;
        auto found = std::find(map_list.begin(), map_list.end(),
                               bpf_object__find_map_by_name(object, section_name));
        if (found == map_list.end())
            continue;

        const btf_var_secinfo *variables = btf_var_secinfos(section);
        for (uint16_t i = 0; i < btf_vlen(section); i++) {
            const btf_type *variable = btf__type_by_id(types, variables[i].type);
            if (!btf_is_var(variable) || btf_var(variable)->linkage == BTF_VAR_STATIC)
                continue;
            const btf_type *type = without_modifiers(types, variable->type);
            if (!type)
                continue;
            Kind kind = kind_of(type);
            Napi::Object row = Napi::Object::New(env);

            row.Set("name", btf__name_by_offset(types, variable->name_off));
            row.Set("map", static_cast<double>(found - map_list.begin()));
            row.Set("offset", variables[i].offset);
            row.Set("size", variables[i].size);
            row.Set("kind", kind.name);
            row.Set("signed", kind.is_signed);
            list.Set(list.Length(), row);
        }
    }
    return list;
}

void Object::set_global(const Napi::CallbackInfo &info)
{
    Napi::Env env = info.Env();
    require_unloaded(env);
    uint32_t offset = info[1].As<Napi::Number>();
    Napi::Uint8Array value = info[2].As<Napi::Uint8Array>();
    size_t size = 0;
    /* const from libbpf 1.2 on, yet this is what skeletons write through. */
    void *start = const_cast<void *>(
        static_cast<const void *>(bpf_map__initial_value(map(env, info[0]), &size)));

    if (!start || offset > size || value.ByteLength() > size - offset)
        throw_error(env, EINVAL, "the variable lies outside its section");
    std::memcpy(static_cast<char *>(start) + offset, value.Data(), value.ByteLength());
}

} // namespace bpf_ts
