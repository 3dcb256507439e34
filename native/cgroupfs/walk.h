// SPDX-License-Identifier: MIT
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace cgroupfs {

/* What a walk found: records as a ring buffer has them. See walk(). */
struct Walk {
    std::vector<uint8_t> bytes;
    /* Directories that may not be read: what is below them is missing. */
    uint32_t unreadable = 0;
};

/*
 * Goes through a cgroup's directory and all below, parents before children, and
 * appends for each a 32 bit length, 32 zero bits, and a struct cgroup_record with
 * the name behind it, padded to 8 bytes. Cgroups that go meanwhile are left out.
 * Returns 0, or the error of the topmost directory.
 */
int walk(const std::string &directory, bool is_v2, Walk &result);

} // namespace cgroupfs
