/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * One cgroup of a snapshot: this struct, and behind it name_length bytes of its
 * directory's name. The iterator sends it, and the native walk writes the same.
 */
#ifndef CGLEAK_SNAPSHOT_H
#define CGLEAK_SNAPSHOT_H

#include <linux/types.h>

#define CGROUP_NAME_LIMIT 256 /* with the terminator, as NAME_MAX */

struct cgroup_record {
    __u64 id;
    __u64 parent; /* its id; 0 for the root of the hierarchy */
    __u32 level;  /* 0 for the root of the hierarchy, or of the walk */
    __u16 name_length;
    __u8 populated; /* a task is in it or below; by the walk on v1: in it alone */
};

struct snapshot_totals {
    __u64 bytes_needed; /* in the ring, for all records */
    __u64 lost;         /* records that found it full */
};

#endif
