// SPDX-License-Identifier: MIT
#pragma once
#include <napi.h>

#include <string>

namespace bpf_ts {

/*
 * Throws an Error with `errno` (positive) and `log`, which TypeScript turns
 * into a BpfError. An `error` below zero counts as its opposite.
 */
[[noreturn]] void throw_error(Napi::Env env, int error, const std::string &message,
                              const std::string &log = "");

} // namespace bpf_ts
