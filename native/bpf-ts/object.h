// SPDX-License-Identifier: MIT
#pragma once
#include <bpf/libbpf.h>
#include <napi.h>

#include <map>
#include <string>
#include <vector>

namespace bpf_ts {

/*
 * One bpf_object with its links. Programs and maps are named by their place in
 * the object, links by a number that is never given again. The typed face
 * (src/bpf-ts) checks names and says what to do; this checks all that memory
 * safety hangs on.
 */
class Object : public Napi::ObjectWrap<Object> {
public:
    static Napi::Function define(Napi::Env env);

    explicit Object(const Napi::CallbackInfo &info);
    ~Object() override;

    /* Of a map of the loaded object, for the ring; throws where there is none. */
    bpf_map *loaded_map(Napi::Env env, const Napi::Value &index) const;

private:
    Napi::Value programs(const Napi::CallbackInfo &info);
    Napi::Value maps(const Napi::CallbackInfo &info);
    Napi::Value globals(const Napi::CallbackInfo &info);
    void set_global(const Napi::CallbackInfo &info);
    void set_max_entries(const Napi::CallbackInfo &info);
    void set_autoload(const Napi::CallbackInfo &info);
    void load(const Napi::CallbackInfo &info);
    Napi::Value attach(const Napi::CallbackInfo &info);
    void detach(const Napi::CallbackInfo &info);
    Napi::Value iterate(const Napi::CallbackInfo &info);
    void close(const Napi::CallbackInfo &info);

    Napi::Value map_lookup(const Napi::CallbackInfo &info);
    void map_update(const Napi::CallbackInfo &info);
    Napi::Value map_delete(const Napi::CallbackInfo &info);
    Napi::Value map_next_key(const Napi::CallbackInfo &info);

    void require_open(Napi::Env env) const;
    void require_unloaded(Napi::Env env) const;
    bpf_program *program(Napi::Env env, const Napi::Value &index) const;
    bpf_map *map(Napi::Env env, const Napi::Value &index) const;
    void release();

    enum class State { open, loaded, failed, closed };

    State state = State::open;
    bpf_object *object = nullptr;
    std::vector<char> bytes;
    std::vector<bpf_program *> program_list;
    std::vector<bpf_map *> map_list;
    std::map<uint32_t, bpf_link *> links;
    uint32_t next_link = 1;
};

} // namespace bpf_ts
