/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the entry points that the code of clang, flang and icx calls have in common. They only
 * translate, like those for gcc (abi.h). Names, arguments and the layouts that compilers know are
 * those of LLVM 14 to 21, seen with `clang -S -emit-llvm`.
 *
 * All of them begin with the same two arguments, the place of the construct in the source and the
 * calling thread's number in the process; the thread's own record is used instead of the number.
 */
#ifndef RT_KMP_H
#define RT_KMP_H
#include "abi.h"
#include "parallel-region.h"

/* The place of a construct: ";file;function;line;column;;" and what the compiler knows about it. */
struct kmp_ident {
	int32_t reserved_1;
	int32_t flags; /* enum kmp_ident_flags */
	int32_t reserved_2, reserved_3;
	const char *source;
};

enum kmp_ident_flags {
	KMP_IDENT_ATOMIC_REDUCE =
	    0x10, /* each member may combine its copies by atomic operations */
	KMP_IDENT_BARRIER_EXPLICIT = 0x20,
	KMP_IDENT_BARRIER_IMPLICIT = 0x40, /* of a region; with the next ones: of a construct */
	KMP_IDENT_BARRIER_FOR = 0x40,
	KMP_IDENT_BARRIER_SECTIONS = 0xc0,
	KMP_IDENT_BARRIER_SINGLE = 0x140,
	KMP_IDENT_BARRIER_MASK = 0x1c0,
	KMP_IDENT_WORK_LOOP = 0x200,
	KMP_IDENT_WORK_SECTIONS = 0x400,
	KMP_IDENT_WORK_DISTRIBUTE = 0x800,
};

/* Parts of a schedule's number: the kind, and the modifiers. */
enum kmp_schedule_bits {
	KMP_SCHEDULE_KIND = (1 << 16) - 1,
	KMP_SCHEDULE_MONOTONIC = 1 << 29,
	KMP_SCHEDULE_NONMONOTONIC = 1 << 30,
};

/*
 * The effective value of a clause's number: 0 for none, and for values that the specification
 * excludes.
 */
static inline uint32_t kmp_positive(int32_t value)
{
	return value > 0 ? (uint32_t)value : 0;
}

enum { KMP_PLACE_SIZE = 4200 }; /* for the longest path with two numbers */

/* Writes "file:line:column: ", or nothing if the compiler does not provide it. */
void kmp_print_place(const struct kmp_ident *ident, char text[KMP_PLACE_SIZE]);

/*
 * For a static schedule for simd instructions: gives each of `size` members one chunk of a multiple
 * of `width` iterations; width and count are at least 1.
 */
static inline uint64_t kmp_balanced_chunk(uint64_t count, uint32_t size, uint64_t width)
{
	uint64_t each = (count - 1) / size + 1, over = each % width;

	if (over != 0)
		each += width - over;
	return each != 0 && each < count ? each : count;
}

/* Opens the definition of an entry point with further arguments after the first two. */
#define KMP_ENTRY(result, name, ...)                                                               \
	LONE_ENTRY(result, name, const struct kmp_ident *ident, int32_t gtid, __VA_ARGS__)
#define KMP_ENTRY_PLAIN(result, name)                                                              \
	LONE_ENTRY(result, name, const struct kmp_ident *ident, int32_t gtid)
/* The first two arguments are unused. */
#define KMP_UNUSED()                                                                               \
	do {                                                                                       \
		(void)ident;                                                                       \
		(void)gtid;                                                                        \
	} while (0)

#endif
