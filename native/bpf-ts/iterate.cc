// SPDX-License-Identifier: MIT
/* A run of an iterator program, from its start to its end. */
#include "errors.h"
#include "messages.h"
#include "object.h"

#include <bpf/bpf.h>
#include <unistd.h>

#include <cerrno>
#include <memory>

namespace bpf_ts {
namespace {

constexpr size_t read_size = size_t{64} * 1024;

struct Descriptor {
    int fd;
    explicit Descriptor(int opened) : fd(opened) {}
    ~Descriptor()
    {
        if (fd >= 0)
            close(fd);
    }
    Descriptor(const Descriptor &) = delete;
    Descriptor &operator=(const Descriptor &) = delete;
};

struct DestroyLink {
    void operator()(bpf_link *link) const
    {
        bpf_link__destroy(link);
    }
};

} // namespace

/* (program, cgroup fd or -1, order of its walk) */
Napi::Value Object::iterate(const Napi::CallbackInfo &info)
{
    Napi::Env env = info.Env();
    const bpf_program *chosen = program(env, info[0]);
    int32_t cgroup_fd = info[1].As<Napi::Number>();
    uint32_t order = info[2].As<Napi::Number>();

    if (state != State::loaded)
        throw_error(env, EINVAL, "the BPF object is not loaded: call load() first");

    bpf_iter_link_info target{};
    bpf_iter_attach_opts options{};
    options.sz = sizeof(options);
    if (cgroup_fd >= 0) {
        target.cgroup.cgroup_fd = static_cast<uint32_t>(cgroup_fd);
        target.cgroup.order = static_cast<bpf_cgroup_iter_order>(order);
        options.link_info = &target;
        options.link_info_len = sizeof(target);
    }

    Messages messages;
    std::unique_ptr<bpf_link, DestroyLink> link(bpf_program__attach_iter(chosen, &options));
    if (!link)
        throw_error(env, errno, "could not attach the iterator", messages.text());
    Descriptor iterator(bpf_iter_create(bpf_link__fd(link.get())));
    if (iterator.fd < 0)
        throw_error(env, iterator.fd, "could not create the iterator", messages.text());

    std::vector<uint8_t> bytes;
    for (;;) {
        size_t before = bytes.size();
        bytes.resize(before + read_size);
        ssize_t count = read(iterator.fd, bytes.data() + before, read_size);
        bytes.resize(before + (count > 0 ? static_cast<size_t>(count) : 0));
        if (count == 0)
            break;
        /* The kernel pauses a long run that has written nothing yet. */
        if (count < 0 && errno != EAGAIN && errno != EINTR)
            throw_error(env, errno, "the iterator failed");
    }
    return Napi::Buffer<uint8_t>::Copy(env, bytes.data(), bytes.size());
}

} // namespace bpf_ts
