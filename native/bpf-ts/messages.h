// SPDX-License-Identifier: MIT
#pragma once
#include <string>

namespace bpf_ts {

/*
 * Collects what libbpf says on this thread while it lives; libbpf itself writes
 * nothing to stderr any more. Keeps the end where that is long: the verifier's
 * verdict, and libbpf's own last words, stand there.
 */
class Messages {
public:
    Messages();
    ~Messages();
    Messages(const Messages &) = delete;
    Messages &operator=(const Messages &) = delete;

    std::string text() const;
    void append(const std::string &message);

    /* Sends libbpf's messages here, once for the process. */
    static void capture();

private:
    Messages *outer;
    std::string kept;
    size_t dropped = 0;
};

} // namespace bpf_ts
