// SPDX-License-Identifier: GPL-2.0-only OR MIT
/* Types of every kind, for the tests of the BTF reader and the decoders. */
#include <linux/types.h>
#include <stdbool.h>

enum color { COLOR_RED, COLOR_DARK_GREEN = 5, COLOR_BLUE = 4294967295 };
enum signed_level { LEVEL_LOW = -3, LEVEL_HIGH = 7 };
enum wide { WIDE_SMALL = 1, WIDE_LARGE = 0x1122334455667788 };
enum number { NUMBER_1_ONE, NUMBER_2_TWO };

typedef __u16 port_number;

struct point {
    __s32 x_axis;
    __s32 y_axis;
};

struct everything {
    __u64 unsigned_long;
    __s64 signed_long;
    __u32 unsigned_int;
    __s32 signed_int;
    port_number unsigned_short;
    __s16 signed_short;
    __u8 unsigned_byte;
    __s8 signed_byte;
    bool is_set;
    enum color color;
    enum signed_level level;
    enum wide wide;
    char name[6];
    __u8 address[4];
    __s8 deltas[2];
    const volatile __u32 counts[3];
    struct point origin;
    struct point corners[2];
    __u16 grid[2][3];
    struct point path[9];
    struct {
        __u16 inner_a;
        __u16 inner_b;
    };
    char last;
} __attribute__((packed));

struct with_pointer {
    int fine;
    void *pointer;
};

struct with_union {
    union {
        int a;
        float b;
    } either;
};

struct with_bits {
    __u32 low : 3;
    __u32 high : 29;
};

struct with_nameless {
    struct {
        int a;
    } inner;
};

struct with_flexible {
    int length;
    __u8 rest[];
};

struct with_huge {
    __int128 huge;
};

struct within {
    struct with_pointer list[2];
};

struct all {
    enum number number;
    struct everything everything;
    struct with_union with_union;
    struct with_bits with_bits;
    struct with_nameless with_nameless;
    struct within within;
    struct with_huge with_huge;
    struct with_flexible with_flexible;
};

/* What a global refers to is in the BTF. */
struct all *const volatile all_types = 0;
float ratio = 1;
