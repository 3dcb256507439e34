// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* One program that any kernel takes, and others that it refuses. */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, __u64);
} counts SEC(".maps");

const volatile __u64 step = 1;

SEC("raw_tp/task_rename")
int on_rename(void *context)
{
    __u32 key = 0;
    __u64 value = step;

    bpf_map_update_elem(&counts, &key, &value, BPF_ANY);
    return 0;
}

/* The verifier refuses it: the value may be absent. */
SEC("raw_tp/task_newtask")
int unchecked(void *context)
{
    __u32 key = 0;
    __u64 *count = bpf_map_lookup_elem(&counts, &key);

    return *count;
}

/* Loads, and can't be attached. */
SEC("raw_tp/no_such_tracepoint")
int no_hook(void *context)
{
    return 0;
}

/* Can't even be loaded: its hook is looked up in the kernel's BTF. */
SEC("tp_btf/no_such_tracepoint")
int no_type(void *context)
{
    return 0;
}

/* Hosts with a locked-down kernel refuse it, others take it. */
SEC("fentry/do_exit")
int locked_down(void *context)
{
    return 0;
}

char LICENSE[] SEC("license") = "Dual MIT/GPL";
