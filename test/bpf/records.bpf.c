// SPDX-License-Identifier: GPL-2.0-only OR MIT
/*
 * Whenever the task group `watched` renames a thread, which a test does by a
 * write to /proc/self/comm, this sends `burst` records, counts, and tells what
 * its global variables were.
 */
#include <linux/bpf.h>

#include <bpf/bpf_helpers.h>

const volatile __u32 watched = 0;
const volatile __u32 burst = 1;
const volatile __u8 small = 1;
const volatile __s16 negative = -1;
const volatile __u64 large = 1;
const volatile _Bool flag = 0;
const volatile char text[8] = "before";

__u64 in_data = 7;
__u64 in_bss;

/* What the program saw, for the test to read. */
struct seen {
    __u64 large;
    __u64 in_data;
    __u64 in_bss;
    __s16 negative;
    __u8 small;
    __u8 flag;
    char text[8];
};

struct record {
    __u64 sequence;
    /* The low byte of the sequence, length - 8 times. */
    __u8 filling[32];
};

struct {
    __uint(type, BPF_MAP_TYPE_RINGBUF);
    __uint(max_entries, 256 * 1024);
} records SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, struct seen);
} seen SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_HASH);
    __uint(max_entries, 64);
    __type(key, __u32);
    __type(value, __u64);
} numbers SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_HASH);
    __uint(max_entries, 64);
    __type(key, __u32);
    __type(value, __u32);
} per_cpu SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, __u64);
} lost SEC(".maps");

struct {
    __uint(type, BPF_MAP_TYPE_PERCPU_ARRAY);
    __uint(max_entries, 1);
    __type(key, __u32);
    __type(value, struct record);
} buffers SEC(".maps");

__u64 next_sequence;

SEC("raw_tp/task_rename")
int on_rename(void *context)
{
    __u32 zero = 0;
    struct seen *told;
    struct record *record;
    __u64 *losses;

    if (bpf_get_current_pid_tgid() >> 32 != watched)
        return 0;
    told = bpf_map_lookup_elem(&seen, &zero);
    record = bpf_map_lookup_elem(&buffers, &zero);
    losses = bpf_map_lookup_elem(&lost, &zero);
    if (!told || !record || !losses)
        return 0;

    told->large = large;
    told->in_data = in_data;
    told->in_bss = in_bss;
    told->negative = negative;
    told->small = small;
    told->flag = flag;
    for (int i = 0; i < 8; i++)
        told->text[i] = text[i];

    for (__u32 i = 0; i < 256 && i < burst; i++) {
        __u64 sequence = __sync_fetch_and_add(&next_sequence, 1);
        /* 8 to 39 bytes, most of them no multiple of 8. */
        __u32 length = 8 + (sequence & 31);

        record->sequence = sequence;
        for (int at = 0; at < 32; at++)
            record->filling[at] = sequence;
        if (bpf_ringbuf_output(&records, record, length, 0) != 0)
            ++*losses;
    }
    return 0;
}

char LICENSE[] SEC("license") = "Dual MIT/GPL";
