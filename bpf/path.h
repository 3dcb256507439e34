/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The path of a cgroup. The tracepoints carry it, but cut to 1,023 bytes
 * (TRACE_CGROUP_PATH_LEN less the terminator): a path that fills that buffer is
 * put together anew from the names of the directories, bottom up.
 */
#ifndef CGLEAK_PATH_H
#define CGLEAK_PATH_H

#include "kernel.h"

#define PATH_LIMIT 4096 /* with the terminator, as PATH_MAX */
#define NAME_LIMIT 256  /* likewise, as NAME_MAX */
#define TRACEPOINT_PATH_LIMIT 1024

/* A name takes two bytes of a path or more. */
#define PATH_LEVELS (PATH_LIMIT / 2)

struct path_buffer {
    /* A path is written at the end of the first PATH_LIMIT bytes. */
    char bytes[PATH_LIMIT + NAME_LIMIT];
    char name[NAME_LIMIT];
};

struct path_buffers_map {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, struct path_buffer);
};

/* Defined in lifecycle.bpf.c, as the maps of record.h. */
extern struct path_buffers_map path_buffers SEC(".maps");

static __always_inline struct kernfs_node *kernfs_parent(struct kernfs_node *node)
{
    struct kernfs_node___parent *older = (void *)node;

    if (bpf_core_field_exists(older->parent))
        return older->parent;
    return node->__parent;
}

/*
 * Writes the path of a kernfs node to the end of the path buffer. Returns where
 * it starts there, PATH_LIMIT for the root; *truncated tells whether its front
 * did not fit.
 */
static __always_inline __u32 build_path(struct path_buffer *buffer, struct kernfs_node *node,
                                        __u8 *truncated)
{
    __u32 start = PATH_LIMIT;

    *truncated = 0;
    for (int level = 0; level < PATH_LEVELS; level++) {
        struct kernfs_node *parent = kernfs_parent(node);
        long length;

        if (!parent)
            break;
        length = bpf_probe_read_kernel_str(buffer->name, NAME_LIMIT, node->name);
        if (length <= 0 || length > NAME_LIMIT)
            break;
        /* length counts the terminator, and so makes room for the slash. */
        if (length + 1 > start) {
            *truncated = 1;
            break;
        }
        start -= length;
        if (start >= PATH_LIMIT)
            break;
        buffer->bytes[start] = '/';
        bpf_probe_read_kernel(buffer->bytes + start + 1, (length - 1) & (NAME_LIMIT - 1),
                              buffer->name);
        node = parent;
    }
    return start;
}

/*
 * Puts the path of a cgroup to `destination`, which has room for PATH_LIMIT
 * bytes. Returns its length without a terminator.
 */
static __always_inline __u32 read_path(char *destination, struct cgroup *cgroup,
                                       const char *tracepoint_path, __u8 *truncated)
{
    long length = bpf_probe_read_kernel_str(destination, TRACEPOINT_PATH_LIMIT, tracepoint_path);
    struct path_buffer *buffer;
    __u32 zero = 0, start;

    *truncated = 0;
    if (length <= 0)
        return 0;
    if (length < TRACEPOINT_PATH_LIMIT)
        return length - 1;

    buffer = bpf_map_lookup_elem(&path_buffers, &zero);
    if (!buffer)
        return 0;
    start = build_path(buffer, cgroup->kn, truncated);
    if (start >= PATH_LIMIT)
        return 0;
    bpf_probe_read_kernel(destination, (PATH_LIMIT - start) & (PATH_LIMIT - 1),
                          buffer->bytes + start);
    return PATH_LIMIT - start;
}

#endif
