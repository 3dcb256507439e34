// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* The life of a cgroup's directory: made, renamed, removed, released. */
#include "record.h"

struct events_map events SEC(".maps");
struct lost_map lost SEC(".maps");
struct record_buffers_map record_buffers SEC(".maps");
struct path_buffers_map path_buffers SEC(".maps");

/*
 * Whether to keep which removed cgroups are not released, for user space to look
 * up, in place of a record of each release: most follow their rmdir at once.
 */
const volatile bool keep_unreleased = false;

struct cgroup_name {
    __u64 id;
    __u64 hierarchy;
};

/* As many as there can be memory cgroups. Once it is full, further ones are passed over. */
struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, 65536);
    __type(key, struct cgroup_name);
    __type(value, __u8);
} unreleased SEC(".maps");

static __always_inline struct cgroup_name name_of(struct cgroup *cgroup)
{
    struct cgroup_name name = {
        .id = cgroup->kn->id,
        .hierarchy = cgroup->root->hierarchy_id,
    };

    return name;
}

/* pid 0 is the idle task, the ancestor of all, and its own parent. */
static __always_inline void read_ancestors(struct task_name *ancestors)
{
    struct task_struct *task;

    /* Since 5.11 the task comes with its type, and reading it is cheap. */
    if (bpf_core_enum_value_exists(enum bpf_func_id, BPF_FUNC_get_current_task_btf)) {
        task = bpf_get_current_task_btf();
#pragma unroll
        for (int i = 0; i < ANCESTORS; i++) {
            task = task->real_parent->group_leader;
            ancestors[i].pid = task->tgid;
            bpf_probe_read_kernel(ancestors[i].comm, TASK_COMM_LENGTH, task->comm);
        }
        return;
    }

    task = (struct task_struct *)bpf_get_current_task();
#pragma unroll
    for (int i = 0; i < ANCESTORS; i++) {
        task = BPF_CORE_READ(task, real_parent, group_leader);
        ancestors[i].pid = BPF_CORE_READ(task, tgid);
        BPF_CORE_READ_INTO(&ancestors[i].comm, task, comm);
    }
}

SEC("tp_btf/cgroup_mkdir")
int BPF_PROG(on_mkdir, struct cgroup *cgroup, const char *path)
{
    struct mkdir_event *event = begin_record(EVENT_MKDIR, sizeof(*event), cgroup, path);

    if (!event)
        return 0;
    read_ancestors(event->ancestors);
    submit_record(&event->head, sizeof(*event));
    return 0;
}

static __always_inline int report(enum event_kind kind, struct cgroup *cgroup, const char *path)
{
    struct plain_event *event = begin_record(kind, sizeof(*event), cgroup, path);

    if (event)
        submit_record(&event->head, sizeof(*event));
    return 0;
}

SEC("tp_btf/cgroup_rmdir")
int BPF_PROG(on_rmdir, struct cgroup *cgroup, const char *path)
{
    /* Before the record: whoever has that, and finds no key, knows that it is released. */
    if (keep_unreleased) {
        struct cgroup_name name = name_of(cgroup);
        __u8 present = 1;

        bpf_map_update_elem(&unreleased, &name, &present, BPF_ANY);
    }
    return report(EVENT_RMDIR, cgroup, path);
}

/* The last reference is gone: nothing charged to the cgroup is left. */
SEC("tp_btf/cgroup_release")
int BPF_PROG(on_release, struct cgroup *cgroup, const char *path)
{
    if (keep_unreleased) {
        struct cgroup_name name = name_of(cgroup);

        bpf_map_delete_elem(&unreleased, &name);
        return 0;
    }
    return report(EVENT_RELEASE, cgroup, path);
}

SEC("tp_btf/cgroup_rename")
int BPF_PROG(on_rename, struct cgroup *cgroup, const char *path)
{
    return report(EVENT_RENAME, cgroup, path);
}

/*
 * Never read. It names the types of events.h in the object's BTF, where clang
 * leaves out what no global refers to, and the decoders are made from there.
 */
struct record_types {
    struct mkdir_event mkdir;
    struct populated_event populated;
    struct plain_event plain;
    enum event_kind kind;
    enum emptied_cause cause;
};
struct record_types *const volatile record_types = NULL;

char LICENSE[] SEC("license") = "Dual MIT/GPL";
