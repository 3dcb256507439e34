// SPDX-License-Identifier: MIT
#include "errors.h"

#include <cstdlib>

namespace bpf_ts {

void throw_error(Napi::Env env, int error, const std::string &message, const std::string &log)
{
    Napi::Error thrown = Napi::Error::New(env, message);
    thrown.Set("errno", Napi::Number::New(env, std::abs(error)));
    /* Not enumerable: a stack trace would show all of it. */
    thrown.Value().DefineProperty(
        Napi::PropertyDescriptor::Value("log", Napi::String::New(env, log), napi_default));
    throw thrown;
}

} // namespace bpf_ts
