// SPDX-License-Identifier: MIT
#include "clock.h"

#include <cstdint>
#include <ctime>

namespace bpf_ts {
namespace {

int64_t now(clockid_t clock)
{
    timespec time{};
    clock_gettime(clock, &time);
    return int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

} // namespace

/* Both clocks at one moment: the tightest of a few readings of the one within the other. */
Napi::Value current_clock(const Napi::CallbackInfo &info)
{
    int64_t monotonic = 0, realtime = 0, tightest = INT64_MAX;

    for (int attempt = 0; attempt < 5; attempt++) {
        int64_t before = now(CLOCK_MONOTONIC);
        int64_t wall = now(CLOCK_REALTIME);
        int64_t after = now(CLOCK_MONOTONIC);

        if (after - before < tightest) {
            tightest = after - before;
            monotonic = before + (after - before) / 2;
            realtime = wall;
        }
    }
    Napi::Object clock = Napi::Object::New(info.Env());
    clock.Set("monotonic", Napi::BigInt::New(info.Env(), monotonic));
    clock.Set("realtime", Napi::BigInt::New(info.Env(), realtime));
    return clock;
}

} // namespace bpf_ts
