// SPDX-License-Identifier: MIT
/* The directory work that Node can't do fast: walk(directory, isV2). */
#include "walk.h"

#include <napi.h>

#include <cstring>
#include <new>

namespace cgroupfs {
namespace {

/* In libuv's pool, so that the event loop goes on. */
class WalkWorker : public Napi::AsyncWorker {
public:
    WalkWorker(Napi::Env env, std::string top, bool v2)
        : Napi::AsyncWorker(env), directory(std::move(top)), is_v2(v2),
          deferred(Napi::Promise::Deferred::New(env))
    {
    }

    Napi::Promise promise() const
    {
        return deferred.Promise();
    }

protected:
    void Execute() override
    {
        try {
            error = walk(directory, is_v2, result);
        } catch (const std::bad_alloc &) {
            error = ENOMEM;
        }
    }

    void OnOK() override
    {
        Napi::Env env = Env();

        if (error != 0) {
            Napi::Error thrown = Napi::Error::New(env, std::strerror(error));
            thrown.Set("errno", Napi::Number::New(env, error));
            deferred.Reject(thrown.Value());
            return;
        }
        Napi::Object found = Napi::Object::New(env);
        found.Set("bytes",
                  Napi::Buffer<uint8_t>::Copy(env, result.bytes.data(), result.bytes.size()));
        found.Set("unreadable", Napi::Number::New(env, result.unreadable));
        deferred.Resolve(found);
    }

private:
    std::string directory;
    bool is_v2;
    Walk result;
    int error = 0;
    Napi::Promise::Deferred deferred;
};

Napi::Value start_walk(const Napi::CallbackInfo &info)
{
    Napi::Uint8Array given = info[0].As<Napi::Uint8Array>();
    std::string directory(reinterpret_cast<const char *>(given.Data()), given.ByteLength());
    auto *worker = new WalkWorker(info.Env(), std::move(directory), info[1].As<Napi::Boolean>());
    Napi::Promise promise = worker->promise();

    worker->Queue();
    return promise;
}

Napi::Object initialize(Napi::Env env, Napi::Object exports)
{
    exports.Set("walk", Napi::Function::New(env, start_walk));
    return exports;
}

} // namespace
} // namespace cgroupfs

static Napi::Object initialize(Napi::Env env, Napi::Object exports)
{
    return cgroupfs::initialize(env, exports);
}

NODE_API_MODULE(cgroupfs, initialize)
