// SPDX-License-Identifier: MIT
#pragma once
#include <napi.h>

namespace bpf_ts {

Napi::Value current_clock(const Napi::CallbackInfo &info);

} // namespace bpf_ts
