// SPDX-License-Identifier: MIT
/*
 * Churns cgroups or processes as fast as the kernel allows.
 *
 *   churn bare COUNT DIRECTORY        mkdir and rmdir, COUNT times
 *   churn cycle COUNT DIRECTORY       mkdir, fork, enter, exit, rmdir, COUNT times
 *   churn leaky COUNT DIRECTORY       the first; of 1,000 cgroups 2 are left:
 *                                     as it was made, and by its task
 *   churn exits PER_SECOND SECONDS    processes that exit at that rate
 *   churn containers PER_SECOND SECONDS DIRECTORY...
 *                                     as a runtime does for a container: a cgroup of
 *                                     one name made in each directory, entered by one
 *                                     task, and removed once that has exited
 *
 * Prints the seconds that it took; for containers how many there were.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void fail(const char *what)
{
    fprintf(stderr, "churn: %s: %s\n", what, strerror(errno));
    exit(1);
}

static double now(void)
{
    struct timespec time;

    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static int enter(const char *cgroup)
{
    char procs[PATH_MAX];
    int file;

    snprintf(procs, sizeof(procs), "%s/cgroup.procs", cgroup);
    file = open(procs, O_WRONLY);
    return file < 0 || write(file, "0", 1) != 1;
}

static void await_child(pid_t child)
{
    int status;

    if (child < 0)
        fail("fork");
    if (waitpid(child, &status, 0) < 0 || status != 0)
        fail("child");
}

static void run_child(const char *cgroup)
{
    pid_t child = fork();

    if (child == 0)
        _exit(cgroup ? enter(cgroup) : 0);
    await_child(child);
}

static void churn_cgroups(long count, const char *directory, int with_task)
{
    char path[PATH_MAX];

    snprintf(path, sizeof(path), "%s/churn-%d", directory, getpid());
    for (long cycle = 0; cycle < count; cycle++) {
        if (mkdir(path, 0755))
            fail("mkdir");
        if (with_task)
            run_child(path);
        if (rmdir(path))
            fail("rmdir");
    }
}

static void churn_leaky(long count, const char *directory)
{
    char path[PATH_MAX];

    for (long cycle = 0; cycle < count; cycle++) {
        snprintf(path, sizeof(path), "%s/leaky-%d-%ld", directory, getpid(), cycle);
        if (mkdir(path, 0755))
            fail("mkdir");
        if (cycle % 1000 == 500)
            run_child(path);
        if (cycle % 500 != 0 && rmdir(path))
            fail("rmdir");
    }
}

/* Waits until it is time for the one of that number. */
static void keep_pace(double start, long number, long per_second)
{
    double wait = start + (double)number / (double)per_second - now();

    if (wait > 0)
        usleep((useconds_t)(wait * 1e6));
}

static void churn_exits(long per_second, double seconds)
{
    double start = now();

    for (long exits = 0; now() - start < seconds; exits++) {
        keep_pace(start, exits, per_second);
        run_child(NULL);
    }
}

static void run_container(long number, char *const *directories, int count)
{
    char path[PATH_MAX];
    pid_t child;

    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof(path), "%s/%064lx", directories[i], number);
        if (mkdir(path, 0755))
            fail("mkdir");
    }
    child = fork();
    if (child == 0) {
        int failed = 0;

        for (int i = 0; i < count; i++) {
            snprintf(path, sizeof(path), "%s/%064lx", directories[i], number);
            failed |= enter(path);
        }
        _exit(failed);
    }
    await_child(child);
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof(path), "%s/%064lx", directories[i], number);
        if (rmdir(path))
            fail("rmdir");
    }
}

static void churn_containers(long per_second, double seconds, char *const *directories, int count)
{
    double start = now();
    long number;

    for (number = 0; now() - start < seconds; number++) {
        keep_pace(start, number, per_second);
        run_container(number, directories, count);
    }
    printf("%ld\n", number);
}

int main(int argc, char **argv)
{
    double start = now();

    if (argc > 4 && strcmp(argv[1], "containers") == 0) {
        churn_containers(atol(argv[2]), atof(argv[3]), argv + 4, argc - 4);
        return 0;
    }
    if (argc != 4) {
        fprintf(stderr, "usage: see the first comment of churn.c\n");
        return 2;
    }
    if (strcmp(argv[1], "exits") == 0)
        churn_exits(atol(argv[2]), atof(argv[3]));
    else if (strcmp(argv[1], "leaky") == 0)
        churn_leaky(atol(argv[2]), argv[3]);
    else
        churn_cgroups(atol(argv[2]), argv[3], strcmp(argv[1], "cycle") == 0);
    printf("%.6f\n", now() - start);
    return 0;
}
