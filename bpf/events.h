/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The records that cross to user space. A record is one of the structs below,
 * and behind it path_length bytes of path, without a terminator. The decoders
 * in TypeScript are generated from the BTF of these types.
 */
#ifndef CGLEAK_EVENTS_H
#define CGLEAK_EVENTS_H

#include "kernel.h"

#define ANCESTORS 5

enum event_kind {
    EVENT_MKDIR,
    EVENT_POPULATED,
    EVENT_EMPTIED,
    EVENT_RMDIR,
    EVENT_RELEASE,
    EVENT_RENAME,
};

/* What took the last task out of a cgroup. */
enum emptied_cause {
    EMPTIED_BY_MOVE,
    EMPTIED_BY_EXIT,
};

struct task_name {
    __u32 pid;
    char comm[TASK_COMM_LENGTH];
};

struct event_head {
    __u64 time; /* ns, CLOCK_MONOTONIC */
    __u64 id;
    __u32 hierarchy;
    /* The task that was running: */
    __u32 pid;
    __u32 tid;
    __u32 uid;
    char comm[TASK_COMM_LENGTH];
    __u16 path_length;
    __u8 path_truncated; /* the front is missing: more than 4,095 bytes */
    __u8 kind;           /* enum event_kind */
};

struct mkdir_event {
    struct event_head head;
    struct task_name ancestors[ANCESTORS]; /* pid 0 where there is none */
};

/* EVENT_POPULATED, with zeros behind the head, and EVENT_EMPTIED. */
struct populated_event {
    struct event_head head;
    __u32 cause; /* enum emptied_cause; the rest is for EMPTIED_BY_EXIT */
    __u32 pid;
    __u32 tid;
    __s32 exit_code; /* as in wait(2) */
    char comm[TASK_COMM_LENGTH];
};

struct plain_event {
    struct event_head head;
};

#endif
