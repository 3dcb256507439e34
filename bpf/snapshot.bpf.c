// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * All cgroups of a hierarchy in one pass of the kernel's iterator, which holds
 * cgroup_mutex from the first to the last: no cgroup is made or removed
 * meanwhile. An object of its own: a watch needs it now and then, a scan alone.
 *
 * The iterator can't resume: what it writes to its seq file has to fit one
 * buffer. So the records go to a ring that user space reads afterwards.
 */
#include "snapshot.h"
#include "kernel.h"

struct {
    __uint(type, BPF_MAP_TYPE_RINGBUF);
    __uint(max_entries, 1024 * 1024); /* bytes; user space sets another size */
} records SEC(".maps");

/* Of one run, zeros before it. */
struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, struct snapshot_totals);
} totals SEC(".maps");

/* The iterator runs under cgroup_mutex, so that one of it is enough. */
struct {
    struct cgroup_record record;
    char name[CGROUP_NAME_LIMIT];
} scratch;

struct cgroup_iterator_context {
    void *meta;
    struct cgroup *cgroup;
};

SEC("iter/cgroup")
int on_cgroup(struct cgroup_iterator_context *context)
{
    struct cgroup *cgroup = context->cgroup;
    struct cgroup_record *record = &scratch.record;
    struct cgroup_subsys_state *parent;
    struct kernfs_node *node;
    struct snapshot_totals *total;
    __u32 zero = 0, size;
    long length;

    total = bpf_map_lookup_elem(&totals, &zero);
    if (!cgroup || !total)
        return 0;
    node = cgroup->kn;
    length = bpf_probe_read_kernel_str(scratch.name, sizeof(scratch.name), node->name);
    parent = cgroup->self.parent;
    record->id = node->id;
    record->parent = parent ? parent->cgroup->kn->id : 0;
    record->level = cgroup->level;
    record->populated = cgroup->nr_populated_csets > 0 ||
                        cgroup->nr_populated_domain_children > 0 ||
                        cgroup->nr_populated_threaded_children > 0;
    record->name_length = length > 0 ? length - 1 : 0;

    size = sizeof(*record) + (record->name_length & (CGROUP_NAME_LIMIT - 1));
    /* As the ring keeps it: a head of 8 bytes, and all of it padded to 8. */
    total->bytes_needed += (size + 15) & ~7U;
    /* Nobody waits: user space reads once the iterator is through. */
    if (bpf_ringbuf_output(&records, &scratch, size, BPF_RB_NO_WAKEUP) != 0)
        total->lost++;
    return 0;
}

/* Never read: they keep the types in the object's BTF, and the decoders are made from there. */
struct cgroup_record *const volatile cgroup_record_type = NULL;
struct snapshot_totals *const volatile snapshot_totals_type = NULL;

char LICENSE[] SEC("license") = "Dual MIT/GPL";
