/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * How a record comes to be: begin_record() fills its head in a buffer of this
 * CPU, the program adds what its kind has, submit_record() sends it.
 *
 * One buffer a CPU is enough: the kernel fires the cgroup tracepoints under one
 * spin lock, trace_cgroup_path_lock, with interrupts off.
 */
#ifndef CGLEAK_RECORD_H
#define CGLEAK_RECORD_H

#include "events.h"
#include "path.h"

/* No less than the largest struct of events.h. */
#define RECORD_STRUCT_LIMIT 192

struct record_buffer {
    char bytes[RECORD_STRUCT_LIMIT + PATH_LIMIT];
};

struct events_map {
    __uint(type, BPF_MAP_TYPE_RINGBUF);
    __uint(max_entries, 4 * 1024 * 1024); /* bytes; user space may set another size */
};

struct lost_map {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, __u64); /* records that found the ring full */
};

struct record_buffers_map {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, struct record_buffer);
};

/* Defined in lifecycle.bpf.c, and one and the same once the objects are linked. */
extern struct events_map events SEC(".maps");
extern struct lost_map lost SEC(".maps");
extern struct record_buffers_map record_buffers SEC(".maps");

/*
 * Fills the head of a record whose struct takes struct_size bytes, and the path
 * behind it. Returns the record.
 */
static __always_inline void *begin_record(enum event_kind kind, __u32 struct_size,
                                          struct cgroup *cgroup, const char *path)
{
    __u32 zero = 0;
    struct record_buffer *buffer = bpf_map_lookup_elem(&record_buffers, &zero);
    struct event_head *head;
    __u64 pid_tgid;

    if (!buffer)
        return NULL;
    head = (struct event_head *)buffer->bytes;
    head->time = bpf_ktime_get_ns();
    head->id = cgroup->kn->id;
    head->hierarchy = cgroup->root->hierarchy_id;
    pid_tgid = bpf_get_current_pid_tgid();
    head->pid = pid_tgid >> 32;
    head->tid = (__u32)pid_tgid;
    head->uid = (__u32)bpf_get_current_uid_gid();
    bpf_get_current_comm(head->comm, sizeof(head->comm));
    head->kind = kind;
    head->path_length =
        read_path(buffer->bytes + struct_size, cgroup, path, &head->path_truncated);
    return head;
}

static __always_inline void submit_record(struct event_head *head, __u32 struct_size)
{
    __u32 zero = 0;
    __u64 *count;

    if (bpf_ringbuf_output(&events, head, struct_size + (head->path_length & (PATH_LIMIT - 1)),
                           0) == 0)
        return;
    count = bpf_map_lookup_elem(&lost, &zero);
    if (count)
        (*count)++;
}

#endif
