// SPDX-License-Identifier: MIT
/*
 * Churns cgroups or processes as fast as the kernel allows.
 *
 *   churn bare COUNT DIRECTORY        mkdir and rmdir, COUNT times
 *   churn cycle COUNT DIRECTORY       mkdir, fork, enter, exit, rmdir, COUNT times
 *   churn leaky COUNT DIRECTORY       the first; of 1,000 cgroups 2 are left:
 *                                     as it was made, and by its task
 *   churn exits PER_SECOND SECONDS    processes that exit at that rate
 *
 * Prints the seconds that it took.
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

static void run_child(const char *cgroup)
{
    pid_t child = fork();
    int status;

    if (child < 0)
        fail("fork");
    if (child == 0) {
        if (cgroup) {
            char procs[PATH_MAX];
            int file;

            snprintf(procs, sizeof(procs), "%s/cgroup.procs", cgroup);
            file = open(procs, O_WRONLY);
            if (file < 0 || write(file, "0", 1) != 1)
                _exit(1);
        }
        _exit(0);
    }
    if (waitpid(child, &status, 0) < 0 || status != 0)
        fail("child");
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

static void churn_exits(long per_second, double seconds)
{
    double start = now();

    for (long exits = 0; now() - start < seconds; exits++) {
        double wait = start + (double)exits / (double)per_second - now();

        if (wait > 0)
            usleep((useconds_t)(wait * 1e6));
        run_child(NULL);
    }
}

int main(int argc, char **argv)
{
    double start = now();

    if (argc != 4) {
        fprintf(
            stderr,
            "usage: churn bare|cycle|leaky COUNT DIRECTORY, churn exits PER_SECOND SECONDS\n");
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
