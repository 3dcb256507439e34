// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Iterators that write what they see to their seq file. */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

struct seq_file;

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct bpf_iter_meta {
    struct seq_file *seq;
};

struct kernfs_node {
    __u64 id;
};

struct cgroup {
    struct kernfs_node *kn;
};

struct task_struct {
    int tgid;
};

#pragma clang attribute pop

struct cgroup_context {
    struct bpf_iter_meta *meta;
    struct cgroup *cgroup;
};

struct task_context {
    struct bpf_iter_meta *meta;
    struct task_struct *task;
};

SEC("iter/cgroup")
int dump_cgroup(struct cgroup_context *context)
{
    struct cgroup *cgroup = context->cgroup;

    if (cgroup) {
        __u64 id = cgroup->kn->id;
        bpf_seq_write(context->meta->seq, &id, sizeof(id));
    }
    return 0;
}

SEC("iter/task")
int dump_task(struct task_context *context)
{
    struct task_struct *task = context->task;

    if (task) {
        __u64 pid = task->tgid;
        bpf_seq_write(context->meta->seq, &pid, sizeof(pid));
    }
    return 0;
}

char LICENSE[] SEC("license") = "Dual MIT/GPL";
