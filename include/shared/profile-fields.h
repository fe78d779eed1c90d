/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a debugger reads of libpomp's sums, in the form of debug-fields.h. The exported table
 * `pomp_debug_table` names members with their offsets and sizes, so that a debugger can show what
 * was measured so far, also from a core file, without calling into the process. Threads add to sums
 * of their own; a region's total is the sum of what ended threads counted and of these. In an
 * accumulator, time is all - nested and self is all - inside, modulo 2^64 while a construct is
 * being left. pomp_rank.ranks is NULL if no MPI wrappers have set the process's rank.
 */
#ifndef SHARED_PROFILE_FIELDS_H
#define SHARED_PROFILE_FIELDS_H

#include "debug-fields.h"

#define POMP_DEBUG_ROOTS(ROOT)                                                                     \
	ROOT(pomp_process)                                                                         \
	ROOT(pomp_regions)                                                                         \
	ROOT(pomp_threads)                                                                         \
	ROOT(pomp_rank)                                                                            \
	ROOT(pomp_locks)                                                                           \
	ROOT(pomp_metrics)                                                                         \
	ROOT(pomp_teams)                                                                           \
	ROOT(pomp_state)                                                                           \
	ROOT(pomp_usage_at_start)                                                                  \
	ROOT(pomp_usage_refused)

/* The sizes of what other processes copy as a whole: see live-profile.h. */
#define POMP_DEBUG_STRUCTS(STRUCT)                                                                 \
	STRUCT(pomp_accumulator)                                                                   \
	STRUCT(pomp_process)                                                                       \
	STRUCT(pomp_regions)                                                                       \
	STRUCT(pomp_region)                                                                        \
	STRUCT(pomp_code)                                                                          \
	STRUCT(pomp_threads)                                                                       \
	STRUCT(pomp_thread)                                                                        \
	STRUCT(pomp_frame)                                                                         \
	STRUCT(pomp_locks)                                                                         \
	STRUCT(pomp_lock)                                                                          \
	STRUCT(pomp_metrics)                                                                       \
	STRUCT(pomp_metric)                                                                        \
	STRUCT(pomp_process_usage)                                                                 \
	STRUCT(pomp_path_tree)                                                                     \
	STRUCT(pomp_path_node)

#define POMP_DEBUG_FIELDS(FIELD)                                                                   \
	FIELD(pomp_process, clock)                                                                 \
	FIELD(pomp_rank, ranks)                                                                    \
	FIELD(pomp_ranks, rank)                                                                    \
	FIELD(pomp_ranks, size)                                                                    \
	FIELD(pomp_clock, counter)                                                                 \
	FIELD(pomp_regions, entry)                                                                 \
	FIELD(pomp_regions, count)                                                                 \
	FIELD(pomp_region, id)                                                                     \
	FIELD(pomp_region, name)                                                                   \
	FIELD(pomp_region, sub_name)                                                               \
	FIELD(pomp_region, file)                                                                   \
	FIELD(pomp_region, begin_first)                                                            \
	FIELD(pomp_region, end_last)                                                               \
	FIELD(pomp_region, descriptor)                                                             \
	FIELD(pomp_region, total)                                                                  \
	FIELD(pomp_region_total, visits)                                                           \
	FIELD(pomp_region_total, time)                                                             \
	FIELD(pomp_region_total, self)                                                             \
	FIELD(pomp_threads, alive)                                                                 \
	FIELD(pomp_thread, chunk)                                                                  \
	FIELD(pomp_thread, region_limit)                                                           \
	FIELD(pomp_thread, location)                                                               \
	FIELD(pomp_thread, next)                                                                   \
	FIELD(pomp_accumulator, region)                                                            \
	FIELD(pomp_accumulator, visits)                                                            \
	FIELD(pomp_accumulator, all)                                                               \
	FIELD(pomp_accumulator, nested)                                                            \
	FIELD(pomp_accumulator, inside)

/* Accumulators are in chunks of this size, by region number: chunk[id >> SHIFT][id & MASK]. */
enum { POMP_DEBUG_CHUNK_SHIFT = 5 };

#endif
