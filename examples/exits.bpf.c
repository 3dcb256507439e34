// SPDX-License-Identifier: GPL-2.0-only OR MIT
#include <linux/bpf.h>

#include <bpf/bpf_core_read.h>
#include <bpf/bpf_helpers.h>
#include <bpf/bpf_tracing.h>

/* The one field in use; CO-RE finds it in whatever kernel this runs on. */
struct task_struct {
    int exit_code;
} __attribute__((preserve_access_index));

struct exit_event {
    __u32 pid;
    __s32 exit_code; /* as in wait(2) */
    char comm[16];
};

struct {
    __uint(type, BPF_MAP_TYPE_RINGBUF);
    __uint(max_entries, 64 * 1024);
} exits SEC(".maps");

const volatile __u32 least_pid = 0;

SEC("tp_btf/sched_process_exit")
int BPF_PROG(on_exit, struct task_struct *task)
{
    struct exit_event event = {.pid = bpf_get_current_pid_tgid() >> 32};

    if (event.pid < least_pid)
        return 0;
    event.exit_code = BPF_CORE_READ(task, exit_code);
    bpf_get_current_comm(event.comm, sizeof(event.comm));
    bpf_ringbuf_output(&exits, &event, sizeof(event), 0);
    return 0;
}

char LICENSE[] SEC("license") = "Dual MIT/GPL";
