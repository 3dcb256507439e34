// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Tells a value of the kernel's configuration, which libbpf fills in. */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

extern int CONFIG_HZ __kconfig;

struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, __u32);
} hertz SEC(".maps");

SEC("raw_tp/task_rename")
int on_rename(void *context)
{
    __u32 key = 0, value = CONFIG_HZ;

    bpf_map_update_elem(&hertz, &key, &value, BPF_ANY);
    return 0;
}

char LICENSE[] SEC("license") = "Dual MIT/GPL";
