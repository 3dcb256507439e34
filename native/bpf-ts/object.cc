// SPDX-License-Identifier: MIT
#include "object.h"

#include "errors.h"
#include "messages.h"

#include <cerrno>

namespace bpf_ts {

Napi::Function Object::define(Napi::Env env)
{
    return DefineClass(env, "NativeObject",
                       {
                           InstanceMethod<&Object::programs>("programs"),
                           InstanceMethod<&Object::maps>("maps"),
                           InstanceMethod<&Object::globals>("globals"),
                           InstanceMethod<&Object::set_global>("setGlobal"),
                           InstanceMethod<&Object::set_max_entries>("setMaxEntries"),
                           InstanceMethod<&Object::set_autoload>("setAutoload"),
                           InstanceMethod<&Object::load>("load"),
                           InstanceMethod<&Object::attach>("attach"),
                           InstanceMethod<&Object::detach>("detach"),
                           InstanceMethod<&Object::iterate>("iterate"),
                           InstanceMethod<&Object::close>("close"),
                           InstanceMethod<&Object::map_lookup>("mapLookup"),
                           InstanceMethod<&Object::map_update>("mapUpdate"),
                           InstanceMethod<&Object::map_delete>("mapDelete"),
                           InstanceMethod<&Object::map_next_key>("mapNextKey"),
                       });
}

Object::Object(const Napi::CallbackInfo &info) : Napi::ObjectWrap<Object>(info)
{
    Napi::Env env = info.Env();
    Napi::Uint8Array given = info[0].As<Napi::Uint8Array>();
    std::string name = info[1].As<Napi::String>();

    /* libbpf parses in place, wants it aligned, and keeps pointers until load. */
    const char *start = reinterpret_cast<const char *>(given.Data());
    bytes.assign(start, start + given.ByteLength());

    Messages messages;
    bpf_object_open_opts options{};
    options.sz = sizeof(options);
    options.object_name = name.c_str();
    object = bpf_object__open_mem(bytes.data(), bytes.size(), &options);
    if (!object)
        throw_error(env, errno, "could not open the BPF object", messages.text());

    bpf_program *each_program;
    bpf_object__for_each_program(each_program, object) program_list.push_back(each_program);
    bpf_map *each_map;
    bpf_object__for_each_map(each_map, object) map_list.push_back(each_map);
}

Object::~Object()
{
    release();
}

void Object::release()
{
    for (const auto &[id, link] : links)
        bpf_link__destroy(link);
    links.clear();
    bpf_object__close(object);
    object = nullptr;
    program_list.clear();
    map_list.clear();
    bytes = {};
    state = State::closed;
}

void Object::close(const Napi::CallbackInfo &)
{
    bool held = !links.empty();

    release();
    if (held)
        Unref();
}

void Object::require_open(Napi::Env env) const
{
    if (state == State::closed)
        throw_error(env, EBADF, "the BPF object is closed");
}

void Object::require_unloaded(Napi::Env env) const
{
    require_open(env);
    if (state != State::open)
        throw_error(env, EBUSY, "the BPF object is loaded already: this comes before load()");
}

bpf_program *Object::program(Napi::Env env, const Napi::Value &index) const
{
    require_open(env);
    uint32_t at = index.As<Napi::Number>();
    if (at >= program_list.size())
        throw_error(env, ENOENT, "no such program");
    return program_list[at];
}

bpf_map *Object::map(Napi::Env env, const Napi::Value &index) const
{
    require_open(env);
    uint32_t at = index.As<Napi::Number>();
    if (at >= map_list.size())
        throw_error(env, ENOENT, "no such map");
    return map_list[at];
}

bpf_map *Object::loaded_map(Napi::Env env, const Napi::Value &index) const
{
    bpf_map *found = map(env, index);

    if (state != State::loaded)
        throw_error(env, EINVAL, "the BPF object is not loaded: call load() first");
    return found;
}

Napi::Value Object::programs(const Napi::CallbackInfo &info)
{
    Napi::Env env = info.Env();
    Napi::Array list = Napi::Array::New(env, program_list.size());

    for (uint32_t i = 0; i < program_list.size(); i++) {
        const bpf_program *each = program_list[i];
        const char *type = libbpf_bpf_prog_type_str(bpf_program__type(each));
        Napi::Object row = Napi::Object::New(env);

        row.Set("name", bpf_program__name(each));
        row.Set("section", bpf_program__section_name(each));
        row.Set("type", type ? type : "unknown");
        row.Set("autoload", bpf_program__autoload(each));
        list.Set(i, row);
    }
    return list;
}

Napi::Value Object::maps(const Napi::CallbackInfo &info)
{
    Napi::Env env = info.Env();
    Napi::Array list = Napi::Array::New(env, map_list.size());

    for (uint32_t i = 0; i < map_list.size(); i++) {
        const bpf_map *each = map_list[i];
        const char *type = libbpf_bpf_map_type_str(bpf_map__type(each));
        Napi::Object row = Napi::Object::New(env);

        row.Set("name", bpf_map__name(each));
        row.Set("type", type ? type : "unknown");
        row.Set("keySize", bpf_map__key_size(each));
        row.Set("valueSize", bpf_map__value_size(each));
        row.Set("maxEntries", bpf_map__max_entries(each));
        list.Set(i, row);
    }
    return list;
}

void Object::set_max_entries(const Napi::CallbackInfo &info)
{
    Napi::Env env = info.Env();

    require_unloaded(env);
    Messages messages;
    int error = bpf_map__set_max_entries(map(env, info[0]), info[1].As<Napi::Number>());
    if (error)
        throw_error(env, error, "could not set the size of the map", messages.text());
}

void Object::set_autoload(const Napi::CallbackInfo &info)
{
    Napi::Env env = info.Env();

    require_unloaded(env);
    int error = bpf_program__set_autoload(program(env, info[0]), info[1].As<Napi::Boolean>());
    if (error)
        throw_error(env, error, "could not choose whether the program is loaded");
}

/* libbpf loads a refused program a second time with a log buffer, and says the log. */
void Object::load(const Napi::CallbackInfo &info)
{
    Napi::Env env = info.Env();

    require_unloaded(env);
    Messages messages;
    int error = bpf_object__load(object);
    bytes = {};
    state = error ? State::failed : State::loaded;
    if (error)
        throw_error(env, error, "could not load the BPF object", messages.text());
}

Napi::Value Object::attach(const Napi::CallbackInfo &info)
{
    Napi::Env env = info.Env();
    const bpf_program *chosen = program(env, info[0]);

    if (state != State::loaded)
        throw_error(env, EINVAL, "the BPF object is not loaded: call load() first");
    Messages messages;
    bpf_link *link = bpf_program__attach(chosen);
    if (!link)
        throw_error(env, errno, "could not attach the program", messages.text());

    /* What is attached stays attached until it is closed, whatever is collected. */
    if (links.empty())
        Ref();
    links.emplace(next_link, link);
    return Napi::Number::New(env, next_link++);
}

void Object::detach(const Napi::CallbackInfo &info)
{
    auto found = links.find(info[0].As<Napi::Number>());

    if (found == links.end())
        return;
    bpf_link__destroy(found->second);
    links.erase(found);
    if (links.empty())
        Unref();
}

} // namespace bpf_ts
