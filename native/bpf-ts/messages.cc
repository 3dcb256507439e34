// SPDX-License-Identifier: MIT
#include "messages.h"

#include <bpf/libbpf.h>

#include <cstdarg>
#include <cstdio>

/* libbpf.a asks for stderr, which an addon can't give it (see native-config.mjs). */
extern "C" {
__attribute__((visibility("hidden"))) void *bpf_ts_no_stderr = nullptr;
}

namespace bpf_ts {
namespace {

constexpr size_t most_kept = size_t{64} * 1024;

thread_local Messages *current = nullptr;

int print(enum libbpf_print_level level, const char *format, va_list arguments)
{
    if (!current || level == LIBBPF_DEBUG)
        return 0;
    va_list copy;
    va_copy(copy, arguments);
    int length = std::vsnprintf(nullptr, 0, format, copy);
    va_end(copy);
    if (length <= 0)
        return 0;
    std::string message(static_cast<size_t>(length) + 1, '\0');
    std::vsnprintf(&message[0], message.size(), format, arguments);
    message.resize(static_cast<size_t>(length));
    current->append(message);
    return 0;
}

} // namespace

Messages::Messages() : outer(current)
{
    current = this;
}

Messages::~Messages()
{
    current = outer;
}

void Messages::append(const std::string &message)
{
    kept += message;
    if (kept.size() > most_kept) {
        size_t excess = kept.size() - most_kept;
        kept.erase(0, excess);
        dropped += excess;
    }
}

std::string Messages::text() const
{
    if (dropped == 0)
        return kept;
    return "[" + std::to_string(dropped) + " bytes before this are left out]\n" + kept;
}

void Messages::capture()
{
    libbpf_set_print(print);
}

} // namespace bpf_ts
