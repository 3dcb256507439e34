/* SPDX-License-Identifier: GPL-2.0-only OR MIT */
/*
 * The few kernel types that the programs look into. Only the members in use are
 * declared: the loader relocates each access to where the running kernel keeps
 * it (CO-RE). A name after three underscores is a flavour: an older or newer
 * shape of the same kernel type.
 */
#ifndef CGLEAK_KERNEL_H
#define CGLEAK_KERNEL_H

#include <linux/bpf.h>
#include <stdbool.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

#define PF_EXITING 0x00000004

#define TASK_COMM_LENGTH 16

#pragma clang attribute push(__attribute__((preserve_access_index)), apply_to = record)

struct list_head {
    struct list_head *next;
};

struct kernfs_node {
    __u64 id;
    const char *name;
    struct kernfs_node *__parent;
};

/* Before 6.15 the member had no underscores. */
struct kernfs_node___parent {
    struct kernfs_node *parent;
};

struct cgroup;

struct cgroup_subsys_state {
    struct cgroup *cgroup;
    struct cgroup_subsys_state *parent;
};

struct cgroup_root {
    int hierarchy_id;
};

struct cgroup {
    struct cgroup_subsys_state self;
    int level;
    int nr_populated_csets;
    int nr_populated_domain_children;
    int nr_populated_threaded_children;
    struct kernfs_node *kn;
    struct cgroup_root *root;
};

/* Ties one css_set to one of its cgroups: one link for each hierarchy. */
struct cgrp_cset_link {
    struct cgroup *cgrp;
    struct list_head cgrp_link;
};

struct css_set {
    int nr_tasks;
    struct list_head cgrp_links;
};

typedef struct {
    int counter;
} atomic_t;

typedef struct refcount_struct {
    atomic_t refs;
} refcount_t;

struct task_struct {
    unsigned int flags;
    int exit_code;
    int pid;
    int tgid;
    struct task_struct *real_parent;
    struct task_struct *group_leader;
    char comm[TASK_COMM_LENGTH];
    struct css_set *cgroups;
    struct list_head cg_list;
    refcount_t stack_refcount;
};

#pragma clang attribute pop

#endif
