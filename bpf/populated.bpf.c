// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Tasks come into a cgroup and leave it, and who was the last.
 *
 * sched_process_exit fires while the task is still counted in its cgroups, and
 * cgroup_notify_populated when the last one is unlinked. Up to 6.18 the exiting
 * task unlinks itself. Later kernels unlink it after its last switch, in the
 * context of whichever task runs next: so the exit is remembered for each of the
 * task's cgroups, and joined here.
 */
#include "record.h"

struct exited_task {
    __u64 time; /* ns, CLOCK_MONOTONIC */
    __u64 cgroup_id;
    struct task_struct *task;
    __u32 pid;
    __u32 tid;
    __s32 exit_code;
    char comm[TASK_COMM_LENGTH];
};

/* The last exit in each cgroup, by the cgroup's address. */
struct {
    __uint(type, BPF_MAP_TYPE_LRU_HASH);
    __uint(max_entries, 16384);
    __type(key, __u64);
    __type(value, struct exited_task);
} exits SEC(".maps");

struct emptying {
    __u64 time;
    struct cgroup *parent;
    struct exited_task by;
};

/* The exit that emptied a child just now: its parents may be emptied next. */
struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, struct emptying);
} emptying SEC(".maps");

/* The task that this CPU unlinks, for on_task_dead. */
struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, struct exited_task);
} unlinking SEC(".maps");

/*
 * An exit in a css_set with more tasks than this can't be the last one and is
 * passed over. All of them may be between the two tracepoints at once, one on
 * each CPU and one more that waits there: user space sets it by the CPUs.
 */
const volatile __u32 exiting_tasks_limit = 64;

/*
 * Whether this kernel unlinks an exited task later, in the context of others. If it
 * does not, what is not unlinked by itself is moved, however near its exit may be.
 */
const volatile bool unlinks_later = true;

/* Hierarchies: v2, 12 controllers, and named ones. */
#define LINKS 32

/* From an exit to its unlinking, at the most, where nothing better can be known; ns. */
#define EXIT_TIME 100000000ULL

/* From a cgroup's notification to its parent's, under one lock, at the most; ns. */
#define PARENT_TIME 10000000ULL

static __always_inline void remember(struct exited_task *exited, struct task_struct *task)
{
    exited->time = bpf_ktime_get_ns();
    exited->task = task;
    exited->pid = task->tgid;
    exited->tid = task->pid;
    exited->exit_code = task->exit_code;
    bpf_probe_read_kernel_str(exited->comm, sizeof(exited->comm), task->comm);
}

SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_exit, struct task_struct *task)
{
    struct css_set *css_set = task->cgroups;
    struct exited_task exited = {};
    struct list_head *end, *next;

    if ((__u32)css_set->nr_tasks > exiting_tasks_limit)
        return 0;

    remember(&exited, task);
    end = (void *)css_set + bpf_core_field_offset(css_set->cgrp_links);
    next = BPF_CORE_READ(end, next);
    for (int i = 0; i < LINKS && next != end; i++) {
        struct cgrp_cset_link *link =
            (void *)next - bpf_core_field_offset(struct cgrp_cset_link, cgrp_link);
        struct cgroup *cgroup = BPF_CORE_READ(link, cgrp);
        __u64 key = (__u64)cgroup;

        next = BPF_CORE_READ(next, next);
        /* A root is never emptied. */
        if (BPF_CORE_READ(cgroup, level) == 0)
            continue;
        exited.cgroup_id = BPF_CORE_READ(cgroup, kn, id);
        bpf_map_update_elem(&exits, &key, &exited, BPF_ANY);
    }
    return 0;
}

/* Where the kernel has it, since 6.19, it tells exactly which task is unlinked. */
SEC("fentry/cgroup_task_dead")
int BPF_PROG(on_task_dead, struct task_struct *task)
{
    __u32 zero = 0;
    struct exited_task *dead = bpf_map_lookup_elem(&unlinking, &zero);

    if (dead)
        remember(dead, task);
    return 0;
}

static __always_inline bool is_unlinked(struct task_struct *task)
{
    void *list = (void *)task + bpf_core_field_offset(task->cg_list);

    return BPF_CORE_READ(task, cg_list.next) == list;
}

/*
 * Whether this very unlinking is that of the remembered task. Otherwise some
 * other task was moved out just now, and the remembered exit is an older one:
 * such a task has let go of its stack, right after it was unlinked.
 */
static __always_inline bool is_being_unlinked(const struct exited_task *exited)
{
    struct task_struct *task = exited->task;

    if ((__u32)BPF_CORE_READ(task, pid) != exited->tid || !is_unlinked(task))
        return false;
    return !bpf_core_field_exists(task->stack_refcount) ||
           BPF_CORE_READ(task, stack_refcount.refs.counter) > 0;
}

static __always_inline bool is_within(__u64 time, __u64 limit)
{
    return bpf_ktime_get_ns() - time < limit;
}

/* Finds the exit that emptied the cgroup. Returns false where it was a move. */
static __always_inline bool find_exit(struct cgroup *cgroup, __u64 cgroup_id,
                                      struct exited_task *found)
{
    struct task_struct *current = (struct task_struct *)bpf_get_current_task();
    __u64 key = (__u64)cgroup;
    __u32 zero = 0;
    struct exited_task *exited;
    struct emptying *child;

    /* No other task that runs is ever unlinked. */
    if ((BPF_CORE_READ(current, flags) & PF_EXITING) && is_unlinked(current)) {
        found->pid = BPF_CORE_READ(current, tgid);
        found->tid = BPF_CORE_READ(current, pid);
        found->exit_code = BPF_CORE_READ(current, exit_code);
        BPF_CORE_READ_STR_INTO(&found->comm, current, comm);
        return true;
    }
    if (!unlinks_later)
        return false;

    exited = bpf_map_lookup_elem(&unlinking, &zero);
    if (exited && exited->task && is_being_unlinked(exited)) {
        *found = *exited;
        return true;
    }

    /*
     * Of several tasks that exit at once, the last to be unlinked need not be the
     * one remembered, so a recent exit counts as well.
     */
    exited = bpf_map_lookup_elem(&exits, &key);
    if (exited && exited->cgroup_id == cgroup_id &&
        (is_being_unlinked(exited) || is_within(exited->time, EXIT_TIME))) {
        *found = *exited;
        return true;
    }

    child = bpf_map_lookup_elem(&emptying, &zero);
    if (child && child->parent == cgroup && is_within(child->time, PARENT_TIME)) {
        *found = child->by;
        return true;
    }
    return false;
}

static __always_inline void add_cause(struct populated_event *event, struct cgroup *cgroup)
{
    struct exited_task exited = {};
    __u64 key = (__u64)cgroup;
    __u32 zero = 0;
    struct emptying *child;

    if (find_exit(cgroup, event->head.id, &exited)) {
        event->cause = EMPTIED_BY_EXIT;
        child = bpf_map_lookup_elem(&emptying, &zero);
        if (child) {
            child->time = bpf_ktime_get_ns();
            child->parent = BPF_CORE_READ(cgroup, self.parent, cgroup);
            child->by = exited;
        }
    }
    event->pid = exited.pid;
    event->tid = exited.tid;
    event->exit_code = exited.exit_code;
    __builtin_memcpy(event->comm, exited.comm, sizeof(event->comm));
    bpf_map_delete_elem(&exits, &key);
}

SEC("tp_btf/cgroup_notify_populated")
int BPF_PROG(on_populated, struct cgroup *cgroup, const char *path, int populated)
{
    struct populated_event *event =
        begin_record(populated ? EVENT_POPULATED : EVENT_EMPTIED, sizeof(*event), cgroup, path);

    if (!event)
        return 0;
    __builtin_memset((void *)event + sizeof(event->head), 0,
                     sizeof(*event) - sizeof(event->head));
    if (!populated)
        add_cause(event, cgroup);
    submit_record(&event->head, sizeof(*event));
    return 0;
}
