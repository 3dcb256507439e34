// SPDX-License-Identifier: MIT
#include "ring.h"

#include "errors.h"
#include "messages.h"
#include "object.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace bpf_ts {

/*
 * The libuv handles of one ring. They must outlive it until libuv has closed
 * them, in a later turn of the loop, so they delete themselves.
 */
struct RingHandles {
    uv_poll_t poll;
    uv_timer_t timer;
    uv_idle_t rest;
    /* Null from the moment of closing. */
    Ring *ring;
    int open = 3;
    napi_async_cleanup_hook_handle cleanup = nullptr;

    template <typename Do> void each(Do act)
    {
        act(reinterpret_cast<uv_handle_t *>(&poll));
        act(reinterpret_cast<uv_handle_t *>(&timer));
        act(reinterpret_cast<uv_handle_t *>(&rest));
    }

    void close()
    {
        ring = nullptr;
        each([](uv_handle_t *handle) { uv_close(handle, closed); });
    }

    static void closed(uv_handle_t *handle)
    {
        auto *self = static_cast<RingHandles *>(handle->data);

        if (--self->open > 0)
            return;
        napi_remove_async_cleanup_hook(self->cleanup);
        delete self;
    }

    static void on_poll(uv_poll_t *handle, int, int)
    {
        on_turn(handle->data, Ring::Cause::readable);
    }

    static void on_timer(uv_timer_t *handle)
    {
        on_turn(handle->data, Ring::Cause::timer);
    }

    static void on_rest(uv_idle_t *handle)
    {
        on_turn(handle->data, Ring::Cause::rest);
    }

    static void on_turn(void *data, Ring::Cause cause)
    {
        if (Ring *ring = static_cast<RingHandles *>(data)->ring)
            ring->turn(cause);
    }

    /* The environment ends: of a worker thread too, whose loop must be empty then. */
    static void on_cleanup(napi_async_cleanup_hook_handle, void *data)
    {
        if (Ring *ring = static_cast<RingHandles *>(data)->ring)
            ring->release();
    }
};

Napi::Function Ring::define(Napi::Env env)
{
    return DefineClass(env, "NativeRing",
                       {
                           InstanceMethod<&Ring::pause>("pause"),
                           InstanceMethod<&Ring::resume>("resume"),
                           InstanceMethod<&Ring::flush>("flush"),
                           InstanceMethod<&Ring::close>("close"),
                           InstanceMethod<&Ring::ref>("ref"),
                           InstanceMethod<&Ring::unref>("unref"),
                       });
}

/* (object, map, onBatch(buffer, length, count), coalesceMs, batchBytes) */
Ring::Ring(const Napi::CallbackInfo &info)
    : Napi::ObjectWrap<Ring>(info), context(info.Env(), "bpf-ts.RingBuffer")
{
    Napi::Env env = info.Env();
    Napi::Object owner = info[0].As<Napi::Object>();
    const bpf_map *map = Object::Unwrap(owner)->loaded_map(env, info[1]);

    on_batch = Napi::Persistent(info[2].As<Napi::Function>());
    coalesce_ms = info[3].As<Napi::Number>().Uint32Value();
    batch_bytes = info[4].As<Napi::Number>().Uint32Value();
    ring_bytes = bpf_map__max_entries(map);

    uv_loop_s *loop = nullptr;
    if (napi_get_uv_event_loop(env, &loop) != napi_ok)
        throw_error(env, ENOTSUP, "this environment has no event loop");

    Messages messages;
    ring = ring_buffer__new(bpf_map__fd(map), on_record, this, nullptr);
    if (!ring)
        throw_error(env, errno, "could not open the ring buffer", messages.text());

    handles = new RingHandles;
    handles->ring = this;
    int error = uv_poll_init(loop, &handles->poll, ring_buffer__epoll_fd(ring));
    if (error) {
        delete handles;
        handles = nullptr;
        ring_buffer__free(ring);
        throw_error(env, error, "could not watch the ring buffer");
    }
    uv_timer_init(loop, &handles->timer);
    uv_idle_init(loop, &handles->rest);
    handles->each([this](uv_handle_t *handle) { handle->data = handles; });
    napi_add_async_cleanup_hook(env, RingHandles::on_cleanup, handles, &handles->cleanup);

    object = Napi::Persistent(owner);
    /* An open ring lives on, whatever is collected: its callback is what counts. */
    Ref();
    uv_poll_start(&handles->poll, UV_READABLE, RingHandles::on_poll);
}

Ring::~Ring()
{
    release();
}

void Ring::release()
{
    if (!handles)
        return;
    /* libuv takes the fd out of its set here, so it may be closed at once. */
    handles->close();
    handles = nullptr;
    ring_buffer__free(ring);
    ring = nullptr;
}

void Ring::require_open(Napi::Env env) const
{
    if (!handles)
        throw_error(env, EBADF, "the ring buffer is closed");
}

void Ring::close(const Napi::CallbackInfo &)
{
    if (!handles)
        return;
    release();
    on_batch.Reset();
    object.Reset();
    buffer.Reset();
    Unref();
}

void Ring::pause(const Napi::CallbackInfo &info)
{
    require_open(info.Env());
    paused = true;
    stop();
}

void Ring::resume(const Napi::CallbackInfo &info)
{
    require_open(info.Env());
    if (!paused)
        return;
    paused = false;
    /* The kernel will wake nobody for what is there already. */
    uv_idle_start(&handles->rest, RingHandles::on_rest);
}

void Ring::ref(const Napi::CallbackInfo &info)
{
    require_open(info.Env());
    handles->each(uv_ref);
}

void Ring::unref(const Napi::CallbackInfo &info)
{
    require_open(info.Env());
    handles->each(uv_unref);
}

void Ring::flush(const Napi::CallbackInfo &info)
{
    Napi::Env env = info.Env();
    require_open(env);
    if (delivering)
        throw_error(env, EBUSY, "flush() within the callback of the same ring buffer");

    /* A ring's worth at most: producers may be faster than we are. */
    size_t taken = 0;
    bool more = true;
    while (more && handles && taken < ring_bytes) {
        more = consume();
        taken += used;
        if (count == 0)
            break;
        delivering = true;
        try {
            on_batch.Call({buffer.Value(), Napi::Number::New(env, static_cast<double>(used)),
                           Napi::Number::New(env, count)});
        } catch (...) {
            delivering = false;
            if (handles && !paused)
                schedule(Cause::rest, more);
            throw;
        }
        delivering = false;
    }
    if (handles && !paused)
        schedule(Cause::rest, more);
}

void Ring::stop()
{
    uv_poll_stop(&handles->poll);
    uv_timer_stop(&handles->timer);
    uv_idle_stop(&handles->rest);
}

void Ring::turn(Cause cause)
{
    Napi::HandleScope scope(Env());
    bool more = consume();

    if (count > 0)
        deliver();
    if (handles && !paused)
        schedule(cause, more);
}

void Ring::schedule(Cause cause, bool more)
{
    stop();
    if (more) {
        uv_idle_start(&handles->rest, RingHandles::on_rest);
        return;
    }
    /*
     * Readable with nothing to consume: a record is reserved and not yet
     * submitted. To poll for it would spin.
     */
    uint64_t delay = coalesce_ms;
    if (delay == 0 && count == 0 && cause == Cause::readable)
        delay = 1;

    if (delay > 0 && (count > 0 || cause != Cause::timer))
        uv_timer_start(&handles->timer, RingHandles::on_timer, delay, 0);
    else
        uv_poll_start(&handles->poll, UV_READABLE, RingHandles::on_poll);
}

bool Ring::consume()
{
    used = 0;
    count = 0;
    /* The callback of the last batch may have given the buffer away. */
    if (!buffer.IsEmpty() && buffer.Value().ByteLength() < capacity) {
        buffer.Reset();
        capacity = 0;
    }
    return ring_buffer__consume(ring) < 0;
}

/* Called by libbpf, which no exception may cross: hence plain Node-API below. */
int Ring::on_record(void *context, void *data, size_t size)
{
    auto *self = static_cast<Ring *>(context);
    size_t padded = (size + 7) / 8 * 8;
    uint32_t head[2] = {static_cast<uint32_t>(size), 0};

    if (!self->reserve(self->used + sizeof(head) + padded))
        return -ENOMEM;
    char *at = self->start + self->used;
    std::memcpy(at, head, sizeof(head));
    std::memcpy(at + sizeof(head), data, size);
    std::memset(at + sizeof(head) + size, 0, padded - size);
    self->used += sizeof(head) + padded;
    self->count++;
    /* libbpf counts this record as consumed, and stops. */
    return self->used >= self->batch_bytes ? -ENOBUFS : 0;
}

bool Ring::reserve(size_t size)
{
    if (size <= capacity)
        return true;
    size_t larger = std::max({size, capacity * 2, size_t{64} * 1024});
    void *memory = nullptr;
    napi_value value = nullptr;
    if (napi_create_arraybuffer(Env(), larger, &memory, &value) != napi_ok || !memory)
        return false;
    if (used > 0)
        std::memcpy(memory, start, used);
    buffer = Napi::Reference<Napi::ArrayBuffer>::New(Napi::ArrayBuffer(Env(), value), 1);
    start = static_cast<char *>(memory);
    capacity = larger;
    return true;
}

void Ring::deliver()
{
    napi_env env = Env();
    napi_value arguments[3] = {buffer.Value()};
    napi_value receiver, exception;

    napi_create_uint32(env, static_cast<uint32_t>(used), &arguments[1]);
    napi_create_uint32(env, count, &arguments[2]);
    napi_get_global(env, &receiver);
    delivering = true;
    napi_status status =
        napi_make_callback(env, context, receiver, on_batch.Value(), 3, arguments, nullptr);
    delivering = false;
    /* As of any other callback: process.on('uncaughtException'), or the end. */
    if (status == napi_pending_exception &&
        napi_get_and_clear_last_exception(env, &exception) == napi_ok)
        napi_fatal_exception(env, exception);
}

} // namespace bpf_ts
