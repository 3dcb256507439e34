// SPDX-License-Identifier: MIT
#include "walk.h"

#include "snapshot.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace cgroupfs {
namespace {

/* As getdents64(2) has it; glibc's own is for readdir. */
struct Entry {
    uint64_t inode;
    int64_t offset;
    uint16_t length;
    uint8_t type;
    char name[1];
};

struct Child {
    std::string name;
    uint64_t id;
};

/* A directory on the way from the top to where the walk is. */
struct Level {
    uint64_t id;
    std::vector<Child> children;
    size_t next = 0;
};

/* The kernel gives a cgroup's directory two links and one for each child. */
constexpr nlink_t links_of_leaf = 2;
constexpr int directory_flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW;

/*
 * Holds one directory open and goes down by name and up by "..", so that neither
 * the depth of the tree, nor the length of its paths, nor the limit of open files
 * matters.
 */
class Walker {
public:
    Walker(bool v2, Walk &walk_result) : is_v2(v2), result(walk_result) {}
    ~Walker()
    {
        if (current >= 0)
            close(current);
    }
    Walker(const Walker &) = delete;
    Walker &operator=(const Walker &) = delete;

    int run(const std::string &top)
    {
        struct stat status;

        current = open(top.c_str(), directory_flags & ~O_NOFOLLOW);
        if (current < 0 || fstat(current, &status) != 0)
            return errno;
        add({"", status.st_ino}, 0, is_populated("."));
        levels.push_back({status.st_ino, {}, 0});
        if (!read_children(levels.back()))
            return errno;
        while (!levels.empty()) {
            Level &level = levels.back();
            if (level.next < level.children.size()) {
                /* visit() may grow `levels`, and move `level`. */
                Child child = std::move(level.children[level.next++]);
                visit(child);
            } else if (!leave()) {
                return errno;
            }
        }
        return 0;
    }

private:
    void visit(const Child &child)
    {
        struct stat status;

        if (fstatat(current, child.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0 ||
            status.st_ino != child.id)
            return;
        add(child, levels.back().id, is_populated(child.name.c_str()));
        if (status.st_nlink <= links_of_leaf)
            return;
        int below = openat(current, child.name.c_str(), directory_flags);
        if (below < 0) {
            if (errno != ENOENT && errno != ENODEV)
                result.unreadable++;
            return;
        }
        close(current);
        current = below;
        levels.push_back({child.id, {}, 0});
        if (!read_children(levels.back()))
            result.unreadable++;
    }

    bool leave()
    {
        levels.pop_back();
        if (levels.empty())
            return true;
        int above = openat(current, "..", directory_flags);
        if (above < 0)
            return false;
        close(current);
        current = above;
        struct stat status;
        if (fstat(current, &status) != 0)
            return false;
        if (status.st_ino == levels.back().id)
            return true;
        errno = ESTALE;
        return false;
    }

    bool read_children(Level &level)
    {
        for (;;) {
            long size = syscall(SYS_getdents64, current, buffer, sizeof(buffer));
            if (size == 0)
                return true;
            if (size < 0)
                return errno == ENOENT || errno == ENODEV;
            for (long at = 0; at < size;) {
                const auto *entry = reinterpret_cast<const Entry *>(buffer + at);
                at += entry->length;
                if (entry->type == DT_DIR && std::strcmp(entry->name, ".") != 0 &&
                    std::strcmp(entry->name, "..") != 0)
                    level.children.push_back({entry->name, entry->inode});
            }
        }
    }

    /*
     * v2 tells of the subtree, v1 of the cgroup's own tasks. One that can't be read
     * must not pass for empty.
     */
    bool is_populated(const char *name)
    {
        char path[CGROUP_NAME_LIMIT + sizeof("/cgroup.events")];
        char text[4096];

        std::snprintf(path, sizeof(path), "%s/%s", name,
                      is_v2 ? "cgroup.events" : "cgroup.procs");
        int file = openat(current, path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
        /* The root of v2 has no such file, and is always populated. */
        if (file < 0) {
            if (errno == ENOENT)
                return levels.empty();
            result.unreadable++;
            return true;
        }
        ssize_t size = read(file, text, sizeof(text) - 1);
        int error = errno;
        close(file);
        if (size < 0)
            return error != ENODEV;
        text[size] = '\0';
        return is_v2 ? std::strstr(text, "populated 1") != nullptr : size > 0;
    }

    void add(const Child &child, uint64_t parent, bool populated)
    {
        cgroup_record record{};
        record.id = child.id;
        record.parent = parent;
        record.level = static_cast<uint32_t>(levels.size());
        record.name_length = static_cast<uint16_t>(child.name.size());
        record.populated = populated;

        uint32_t head[2] = {static_cast<uint32_t>(sizeof(record) + child.name.size()), 0};
        size_t start = result.bytes.size();
        result.bytes.resize(start + sizeof(head) + ((head[0] + 7) & ~7U));
        uint8_t *to = result.bytes.data() + start;
        std::memcpy(to, head, sizeof(head));
        std::memcpy(to + sizeof(head), &record, sizeof(record));
        std::copy(child.name.begin(), child.name.end(), to + sizeof(head) + sizeof(record));
    }

    bool is_v2;
    Walk &result;
    int current = -1;
    std::vector<Level> levels;
    alignas(Entry) char buffer[size_t{64} * 1024];
};

} // namespace

int walk(const std::string &directory, bool is_v2, Walk &result)
{
    return Walker(is_v2, result).run(directory);
}

} // namespace cgroupfs
