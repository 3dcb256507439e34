// SPDX-License-Identifier: MIT
#pragma once
#include <bpf/libbpf.h>
#include <napi.h>
#include <uv.h>

namespace bpf_ts {

struct RingHandles;

/*
 * A BPF ring buffer in Node's own event loop, through its epoll fd.
 *
 * When the ring turns readable, what is there is handed over at once. Then the
 * ring is looked at once every coalesce_ms instead, until nothing came: in that
 * time the kernel wakes nobody, since it does so only where the consumer had
 * caught up. A batch that reaches batch_bytes ends there, and the rest comes
 * after the loop has had a turn. Nothing is consumed while the ring is paused
 * or JavaScript is busy: then the kernel's ring fills up, which its producers
 * see.
 */
class Ring : public Napi::ObjectWrap<Ring> {
public:
    static Napi::Function define(Napi::Env env);

    explicit Ring(const Napi::CallbackInfo &info);
    ~Ring() override;

private:
    friend struct RingHandles;
    enum class Cause { readable, timer, rest };

    void pause(const Napi::CallbackInfo &info);
    void resume(const Napi::CallbackInfo &info);
    void flush(const Napi::CallbackInfo &info);
    void close(const Napi::CallbackInfo &info);
    void ref(const Napi::CallbackInfo &info);
    void unref(const Napi::CallbackInfo &info);

    void turn(Cause cause);
    void schedule(Cause cause, bool more);
    void stop();
    void release();
    void require_open(Napi::Env env) const;

    /* True where more is waiting: the batch is full. */
    bool consume();
    static int on_record(void *context, void *data, size_t size);
    bool reserve(size_t size);
    void deliver();

    ring_buffer *ring = nullptr;
    RingHandles *handles = nullptr;
    Napi::AsyncContext context;
    Napi::FunctionReference on_batch;
    Napi::ObjectReference object;
    uint64_t coalesce_ms;
    size_t batch_bytes;
    size_t ring_bytes;

    /* The batch: an ArrayBuffer that is used again, and where it lies. */
    Napi::Reference<Napi::ArrayBuffer> buffer;
    char *start = nullptr;
    size_t capacity = 0;
    size_t used = 0;
    uint32_t count = 0;

    bool paused = false;
    bool delivering = false;
};

} // namespace bpf_ts
