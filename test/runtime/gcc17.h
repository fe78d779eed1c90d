/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Constructs as GCC 17's code executes them, for compilers that generate other calls: for use
 * inside the compiler's own regions. Written from the output of gcc-snapshot of 2026-10-20. `level`
 * is the level of -fopenmp-ompt; most constructs differ by it.
 *
 * The functions are weak because the compiler's own libgomp, with which the programs are linked,
 * may lack them.
 */
#ifndef GCC17_H
#define GCC17_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum gcc17_level { GCC17_NONE, GCC17_BASIC, GCC17_EXTENDED, GCC17_LEVELS };
enum gcc17_barrier { GCC17_OF_PARALLEL, GCC17_OF_WORKSHARE, GCC17_EXPLICIT };

typedef unsigned long long gcc17_count;
__extension__ typedef _Complex int gcc17_numbers;

#define GCC17_ENTRY(result, name, ...) result name(__VA_ARGS__) __attribute__((weak))
GCC17_ENTRY(void, GOMP_barrier_ext, int kind);
GCC17_ENTRY(bool, GOMP_barrier_cancel_ext, int kind);
GCC17_ENTRY(bool, GOMP_has_masked_thread_num, int filter);
GCC17_ENTRY(bool, GOMP_has_masked_thread_num_with_end, int filter);
GCC17_ENTRY(void, GOMP_masked_end, void);
GCC17_ENTRY(gcc17_numbers, GOMP_loop_static_worksharing, gcc17_count iterations);
GCC17_ENTRY(gcc17_numbers, GOMP_loop_static_worksharing_start, gcc17_count iterations);
GCC17_ENTRY(void, GOMP_loop_static_worksharing_dispatch, gcc17_count start, gcc17_count iterations);
GCC17_ENTRY(void, GOMP_loop_static_worksharing_end, void);
GCC17_ENTRY(gcc17_numbers, GOMP_distribute_static_worksharing, gcc17_count iterations);
GCC17_ENTRY(gcc17_numbers, GOMP_distribute_static_worksharing_start, gcc17_count iterations);
GCC17_ENTRY(
    void, GOMP_distribute_static_worksharing_dispatch, gcc17_count start, gcc17_count iterations);
GCC17_ENTRY(void, GOMP_distribute_static_worksharing_end, void);
GCC17_ENTRY(void, GOMP_reduction_start, void);
GCC17_ENTRY(void, GOMP_reduction_end, void);
GCC17_ENTRY(bool, GOMP_single_start_with_end, void);
GCC17_ENTRY(void, GOMP_single_end, void);
GCC17_ENTRY(void, GOMP_scope_start_with_end, uintptr_t *reductions);
GCC17_ENTRY(void, GOMP_scope_end, void);

/* Functions that older versions also have. */
bool GOMP_single_start(void);
bool GOMP_loop_start(long begin, long end, long step, long schedule, long chunk, long *first,
    long *limit, uintptr_t *reductions, void **memory);
void GOMP_loop_end(void);

/* Is the runtime at least that of GCC 17? */
static inline bool gcc17_has_entries(void)
{
	return GOMP_barrier_ext != NULL && GOMP_scope_start_with_end != NULL;
}

/*
 * Iteration i executes the body; with chunk 0, each member has one block. Does not include the
 * loop's barrier.
 */
#define GCC17_DIVIDED(construct, level, count, chunk, i, ...)                                      \
	do {                                                                                       \
		gcc17_count count_ = (count), chunk_ = (chunk), i, begin_, end_, trip_ = 0;        \
		gcc17_numbers numbers_ =                                                           \
		    (level) == GCC17_NONE ? GOMP_##construct##_static_worksharing(count_)          \
					  : GOMP_##construct##_static_worksharing_start(count_);   \
		GCC17_CHUNKS(construct, level, i, __VA_ARGS__)                                     \
		if ((level) != GCC17_NONE)                                                         \
			GOMP_##construct##_static_worksharing_end();                               \
	} while (0)

/* The loop's chunks; numbers_ and the other names belong to the macro that uses this one. */
#define GCC17_CHUNKS(construct, level, i, ...)                                                     \
	do {                                                                                       \
		gcc17_count size_ = (gcc17_count) __real__ numbers_,                               \
			    number_ = (gcc17_count) __imag__ numbers_, share_ = count_ / size_,    \
			    rest_ = count_ % size_;                                                \
		begin_ = chunk_ != 0 ? (trip_ * size_ + number_) * chunk_                          \
				     : share_ * number_ + (number_ < rest_ ? number_ : rest_);     \
		end_ = begin_ + (chunk_ != 0 ? chunk_ : share_ + (number_ < rest_));               \
		if (end_ > count_)                                                                 \
			end_ = count_;                                                             \
		if (begin_ >= end_)                                                                \
			break;                                                                     \
		if ((level) == GCC17_EXTENDED)                                                     \
			GOMP_##construct##_static_worksharing_dispatch(begin_, end_ - begin_);     \
		for (i = begin_; i < end_; i++)                                                    \
			__VA_ARGS__;                                                               \
		trip_++;                                                                           \
	} while (chunk_ != 0);

#define GCC17_LOOP(level, count, chunk, i, ...)                                                    \
	GCC17_DIVIDED(loop, level, count, chunk, i, __VA_ARGS__)
#define GCC17_DISTRIBUTE(level, count, chunk, i, ...)                                              \
	GCC17_DIVIDED(distribute, level, count, chunk, i, __VA_ARGS__)

/*
 * A loop that follows one with equally many iterations; gcc 17 divides it by that loop's
 * announcement (numbers_).
 */
#define GCC17_LOOP_AGAIN(level, numbers, count, chunk, i, ...)                                     \
	do {                                                                                       \
		gcc17_count count_ = (count), chunk_ = (chunk), i, begin_, end_, trip_ = 0;        \
		gcc17_numbers numbers_ = (numbers);                                                \
		GCC17_CHUNKS(loop, level, i, __VA_ARGS__)                                          \
		if ((level) != GCC17_NONE)                                                         \
			GOMP_loop_static_worksharing_end();                                        \
	} while (0)

/*
 * A loop for which GOMP_loop_start() has been called with memory to share, as for a conditional
 * lastprivate; does not include the barrier.
 */
#define GCC17_SHARING_LOOP(level, count, i, ...)                                                   \
	do {                                                                                       \
		gcc17_count count_ = (count), chunk_ = 0, i, begin_, end_, trip_ = 0;              \
		void *memory_ = (void *)64;                                                        \
		gcc17_numbers numbers_;                                                            \
		GOMP_loop_start(0, 1, 1, (1L << 31) + 1, 0, NULL, NULL, NULL, &memory_);           \
		numbers_ = GOMP_loop_static_worksharing_start(count_);                             \
		GCC17_CHUNKS(loop, level, i, __VA_ARGS__)                                          \
		GOMP_loop_end();                                                                   \
	} while (0)

#define GCC17_SINGLE(level, has_barrier, ...)                                                      \
	do {                                                                                       \
		if ((level) == GCC17_NONE ? GOMP_single_start() : GOMP_single_start_with_end())    \
			__VA_ARGS__;                                                               \
		if (has_barrier)                                                                   \
			GOMP_barrier_ext(GCC17_OF_WORKSHARE);                                      \
		if ((level) != GCC17_NONE)                                                         \
			GOMP_single_end();                                                         \
	} while (0)

#define GCC17_MASKED(level, filter, ...)                                                           \
	do {                                                                                       \
		if (!((level) == GCC17_NONE ? GOMP_has_masked_thread_num(filter)                   \
					    : GOMP_has_masked_thread_num_with_end(filter)))        \
			break;                                                                     \
		__VA_ARGS__;                                                                       \
		if ((level) != GCC17_NONE)                                                         \
			GOMP_masked_end();                                                         \
	} while (0)

/*
 * Without a task reduction, so that it begins with a call only at levels at which the end has one.
 */
#define GCC17_SCOPE(level, has_barrier, ...)                                                       \
	do {                                                                                       \
		if ((level) != GCC17_NONE)                                                         \
			GOMP_scope_start_with_end(NULL);                                           \
		__VA_ARGS__;                                                                       \
		if ((level) != GCC17_NONE)                                                         \
			GOMP_scope_end();                                                          \
		if (has_barrier)                                                                   \
			GOMP_barrier_ext(GCC17_OF_WORKSHARE);                                      \
	} while (0)

#define GCC17_REDUCTION(...)                                                                       \
	do {                                                                                       \
		GOMP_reduction_start();                                                            \
		__VA_ARGS__;                                                                       \
		GOMP_reduction_end();                                                              \
	} while (0)

#endif
