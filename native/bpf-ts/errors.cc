#include "errors.h"

#include <cstdlib>

namespace bpf_ts {

void throw_error(Napi::Env env, int error, const std::string &message, const std::string &log)
{
    Napi::Error thrown = Napi::Error::New(env, message);
    thrown.Set("errno", Napi::Number::New(env, std::abs(error)));
    thrown.Set("log", Napi::String::New(env, log));
    throw thrown;
}

} // namespace bpf_ts
