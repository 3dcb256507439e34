// SPDX-License-Identifier: MIT
// Links BPF objects into one with libbpf's static linker, at build time:
//   bpf_linker OUT IN...
#include <bpf/libbpf.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

static int fail(const char *what, const char *file, int error)
{
    std::fprintf(stderr, "bpf_linker: could not %s %s: %s\n", what, file, std::strerror(error));
    return 1;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        std::fprintf(stderr, "usage: bpf_linker OUT IN...\n");
        return 2;
    }
    bpf_linker *linker = bpf_linker__new(argv[1], nullptr);
    if (!linker)
        return fail("write", argv[1], errno);

    int status = 0;
    for (int i = 2; i < argc && status == 0; i++)
        if (bpf_linker__add_file(linker, argv[i], nullptr) != 0)
            status = fail("add", argv[i], errno);
    if (status == 0 && bpf_linker__finalize(linker) != 0)
        status = fail("finish", argv[1], errno);
    bpf_linker__free(linker);
    // A part of an object must not pass for the whole in the next build.
    if (status != 0)
        std::remove(argv[1]);
    return status;
}
