// SPDX-License-Identifier: MIT
#include "clock.h"
#include "messages.h"
#include "object.h"
#include "ring.h"

#include <bpf/bpf.h>

#include <sys/resource.h>
#include <sys/utsname.h>

#include <cstdio>

namespace bpf_ts {
namespace {

/*
 * Before 5.11 the kernel counts maps against RLIMIT_MEMLOCK. Go on where the
 * limit may not be raised: small objects fit, and if not, load() says EPERM.
 */
void raise_memlock()
{
    utsname kernel{};
    int major = 0, minor = 0;

    if (uname(&kernel) != 0 || std::sscanf(kernel.release, "%d.%d", &major, &minor) != 2 ||
        major > 5 || (major == 5 && minor >= 11))
        return;
    rlimit limit{RLIM_INFINITY, RLIM_INFINITY};
    if (setrlimit(RLIMIT_MEMLOCK, &limit) == 0 || getrlimit(RLIMIT_MEMLOCK, &limit) != 0)
        return;
    limit.rlim_cur = limit.rlim_max;
    setrlimit(RLIMIT_MEMLOCK, &limit);
}

Napi::Object initialize(Napi::Env env, Napi::Object exports)
{
    Messages::capture();
    libbpf_set_memlock_rlim(0);
    raise_memlock();
    exports.Set("NativeObject", Object::define(env));
    exports.Set("NativeRing", Ring::define(env));
    exports.Set("currentClock", Napi::Function::New(env, current_clock));
    exports.Set("possibleCpus", Napi::Number::New(env, libbpf_num_possible_cpus()));
    return exports;
}

} // namespace
} // namespace bpf_ts

static Napi::Object initialize(Napi::Env env, Napi::Object exports)
{
    return bpf_ts::initialize(env, exports);
}

NODE_API_MODULE(bpf_ts, initialize)
