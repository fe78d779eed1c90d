/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a debugger plugin learns about the runtime's data: one list of structures and members, which
 * the runtime expands to offsets and sizes, and the plugin to the names that it looks for. No
 * layout is written twice, and no debug information is needed.
 *
 * The runtime exports `rt_debug_table`, constant after load: a header, the addresses of the roots,
 * then the entries. All numbers have the byte order and the pointer size of the target, which the
 * header contains. Entries are found by name, so a runtime may have more members than the plugin
 * knows, and vice versa. Members that a running thread changes are marked in their own
 * declarations.
 */
#ifndef SHARED_DEBUG_FIELDS_H
#define SHARED_DEBUG_FIELDS_H

#include <stddef.h>
#include <stdint.h>

#define RT_DEBUG_TABLE_SYMBOL "rt_debug_table"

/* "ompinst" and the null byte, read as bytes: the same in either byte order. */
#define RT_DEBUG_MAGIC      "ompinst"
#define RT_DEBUG_BYTE_ORDER UINT32_C(0x01020304)
/* Changes if an entry changes its meaning, not if one is added. */
#define RT_DEBUG_VERSION    2
#define RT_DEBUG_NAME_BYTES 40

/* The _OPENMP of the specification that runtime and plugin implement. */
#define RT_DEBUG_OPENMP 202011

/* affinity-format-var while rt_process.affinity_format is NULL. */
#define RT_DEBUG_AFFINITY_FORMAT "level %L thread %i affinity %A"

/* The begin of the table; all widths are fixed. */
struct rt_debug_header {
	char magic[8];
	uint32_t byte_order;
	uint32_t version;
	uint32_t header_bytes; /* size of this structure, after which the roots begin */
	uint32_t pointer_bytes;
	uint32_t root_count;  /* addresses of pointer_bytes each, in the order of RT_DEBUG_ROOTS */
	uint32_t entry_bytes; /* size of struct rt_debug_entry; the entries follow the roots */
	uint32_t entry_count;
	uint32_t openmp_version; /* the _OPENMP that the runtime implements */
};

/* "rt_team.size" with a member's offset and size, or "rt_team" with 0 and the structure's size. */
struct rt_debug_entry {
	char name[RT_DEBUG_NAME_BYTES];
	uint32_t offset;
	uint32_t size;
};

/* The variables from which a plugin starts. */
#define RT_DEBUG_ROOTS(ROOT)                                                                       \
	ROOT(rt_process)                                                                           \
	ROOT(rt_threads)                                                                           \
	ROOT(rt_unnamed_critical)                                                                  \
	ROOT(rt_atomic_fallback)                                                                   \
	ROOT(rt_depend_closed)                                                                     \
	ROOT(rt_taskloop_run_range)                                                                \
	ROOT(kmp_task_run)                                                                         \
	ROOT(rt_watchers)

#define RT_DEBUG_STRUCTS(STRUCT)                                                                   \
	STRUCT(rt_process)                                                                         \
	STRUCT(rt_value_list)                                                                      \
	STRUCT(rt_places)                                                                          \
	STRUCT(rt_task_icvs)                                                                       \
	STRUCT(rt_thread)                                                                          \
	STRUCT(rt_team)                                                                            \
	STRUCT(rt_region_request)                                                                  \
	STRUCT(rt_member)                                                                          \
	STRUCT(rt_roster)                                                                          \
	STRUCT(rt_thread_list)                                                                     \
	STRUCT(rt_waiting)                                                                         \
	STRUCT(rt_taken)                                                                           \
	STRUCT(rt_deque)                                                                           \
	STRUCT(rt_ready_queue)                                                                     \
	STRUCT(rt_task)                                                                            \
	STRUCT(rt_taskloop_range)                                                                  \
	STRUCT(kmp_task_head)                                                                      \
	STRUCT(kmp_task)                                                                           \
	STRUCT(rt_taskgroup)                                                                       \
	STRUCT(rt_depend_node)                                                                     \
	STRUCT(rt_depend_edge)                                                                     \
	STRUCT(rt_slab)                                                                            \
	STRUCT(rt_slab_chunk)                                                                      \
	STRUCT(rt_slab_block)                                                                      \
	STRUCT(rt_mutex)                                                                           \
	STRUCT(rt_barrier)                                                                         \
	STRUCT(rt_loop)                                                                            \
	STRUCT(rt_loop_args)                                                                       \
	STRUCT(rt_workshare)                                                                       \
	STRUCT(rt_watchers)

#define RT_DEBUG_FIELDS(FIELD)                                                                     \
	FIELD(rt_process, initial)                                                                 \
	FIELD(rt_process, nthreads_list)                                                           \
	FIELD(rt_process, bind_list)                                                               \
	FIELD(rt_process, processors)                                                              \
	FIELD(rt_process, stack_bytes)                                                             \
	FIELD(rt_process, wait_policy)                                                             \
	FIELD(rt_process, cancellation)                                                            \
	FIELD(rt_process, max_task_priority)                                                       \
	FIELD(rt_process, target_offload)                                                          \
	FIELD(rt_process, num_teams)                                                               \
	FIELD(rt_process, teams_thread_limit)                                                      \
	FIELD(rt_process, display_affinity)                                                        \
	FIELD(rt_process, affinity_format)                                                         \
	FIELD(rt_process, debug)                                                                   \
	FIELD(rt_process, tool)                                                                    \
	FIELD(rt_process, tool_libraries)                                                          \
	FIELD(rt_process, tool_verbose_init)                                                       \
	FIELD(rt_process, places)                                                                  \
	FIELD(rt_process, control_variables)                                                       \
	FIELD(rt_process, control_variables_size)                                                  \
	FIELD(rt_value_list, values)                                                               \
	FIELD(rt_value_list, count)                                                                \
	FIELD(rt_places, masks)                                                                    \
	FIELD(rt_places, mask_bytes)                                                               \
	FIELD(rt_places, count)                                                                    \
	FIELD(rt_task_icvs, nthreads)                                                              \
	FIELD(rt_task_icvs, thread_limit)                                                          \
	FIELD(rt_task_icvs, run_sched_kind)                                                        \
	FIELD(rt_task_icvs, run_sched_chunk)                                                       \
	FIELD(rt_task_icvs, partition_first)                                                       \
	FIELD(rt_task_icvs, partition_length)                                                      \
	FIELD(rt_task_icvs, def_allocator)                                                         \
	FIELD(rt_task_icvs, default_device)                                                        \
	FIELD(rt_task_icvs, list_depth)                                                            \
	FIELD(rt_task_icvs, max_active_levels)                                                     \
	FIELD(rt_task_icvs, bind)                                                                  \
	FIELD(rt_task_icvs, dyn)                                                                   \
	FIELD(rt_thread_list, first)                                                               \
	FIELD(rt_thread_list, loader)                                                              \
	FIELD(rt_taken, mutex)                                                                     \
	FIELD(rt_taken, site)                                                                      \
	FIELD(rt_waiting, id)                                                                      \
	FIELD(rt_waiting, until)                                                                   \
	FIELD(rt_waiting, iteration)                                                               \
	FIELD(rt_waiting, task)                                                                    \
	FIELD(rt_waiting, outer)                                                                   \
	FIELD(rt_waiting, state)                                                                   \
	FIELD(rt_thread, team)                                                                     \
	FIELD(rt_thread, member)                                                                   \
	FIELD(rt_thread, task)                                                                     \
	FIELD(rt_thread, slab)                                                                     \
	FIELD(rt_thread, number)                                                                   \
	FIELD(rt_thread, teams_number)                                                             \
	FIELD(rt_thread, teams_count)                                                              \
	FIELD(rt_thread, place)                                                                    \
	FIELD(rt_thread, handle)                                                                   \
	FIELD(rt_thread, is_worker)                                                                \
	FIELD(rt_thread, system_id)                                                                \
	FIELD(rt_thread, listed_next)                                                              \
	FIELD(rt_thread, waiting)                                                                  \
	FIELD(rt_thread, taken)                                                                    \
	FIELD(rt_thread, frame)                                                                    \
	FIELD(rt_team, size)                                                                       \
	FIELD(rt_team, level)                                                                      \
	FIELD(rt_team, active_level)                                                               \
	FIELD(rt_team, fn)                                                                         \
	FIELD(rt_team, roster)                                                                     \
	FIELD(rt_team, parent)                                                                     \
	FIELD(rt_team, parent_member)                                                              \
	FIELD(rt_team, parent_task)                                                                \
	FIELD(rt_team, parent_number)                                                              \
	FIELD(rt_team, cancelled)                                                                  \
	FIELD(rt_team, request)                                                                    \
	FIELD(rt_team, ready)                                                                      \
	FIELD(rt_team, region)                                                                     \
	FIELD(rt_team, pair_joined)                                                                \
	FIELD(rt_team, pair_arrived)                                                               \
	FIELD(rt_team, barrier)                                                                    \
	FIELD(rt_team, join)                                                                       \
	FIELD(rt_region_request, code)                                                             \
	FIELD(rt_region_request, fn)                                                               \
	FIELD(rt_member, implicit)                                                                 \
	FIELD(rt_member, team)                                                                     \
	FIELD(rt_member, thread)                                                                   \
	FIELD(rt_member, inner)                                                                    \
	FIELD(rt_member, number)                                                                   \
	FIELD(rt_member, seen)                                                                     \
	FIELD(rt_member, joined)                                                                   \
	FIELD(rt_member, loop)                                                                     \
	FIELD(rt_member, taken)                                                                    \
	FIELD(rt_member, deque)                                                                    \
	FIELD(rt_deque, top)                                                                       \
	FIELD(rt_deque, bottom)                                                                    \
	FIELD(rt_deque, slots)                                                                     \
	FIELD(rt_ready_queue, first)                                                               \
	FIELD(rt_roster, capacity)                                                                 \
	FIELD(rt_task, icvs)                                                                       \
	FIELD(rt_task, flags)                                                                      \
	FIELD(rt_task, priority)                                                                   \
	FIELD(rt_task, depth)                                                                      \
	FIELD(rt_task, created)                                                                    \
	FIELD(rt_task, joins)                                                                      \
	FIELD(rt_task, parent)                                                                     \
	FIELD(rt_task, team)                                                                       \
	FIELD(rt_task, group)                                                                      \
	FIELD(rt_task, node)                                                                       \
	FIELD(rt_task, fn)                                                                         \
	FIELD(rt_task, data)                                                                       \
	FIELD(rt_task, next)                                                                       \
	FIELD(rt_task, frame)                                                                      \
	FIELD(rt_task, detach)                                                                     \
	FIELD(rt_task, site)                                                                       \
	FIELD(rt_taskloop_range, fn)                                                               \
	FIELD(rt_taskloop_range, first)                                                            \
	FIELD(rt_taskloop_range, last)                                                             \
	FIELD(kmp_task, routine)                                                                   \
	FIELD(rt_taskgroup, outer)                                                                 \
	FIELD(rt_taskgroup, pending)                                                               \
	FIELD(rt_taskgroup, cancelled)                                                             \
	FIELD(rt_depend_node, successors)                                                          \
	FIELD(rt_depend_node, blockers)                                                            \
	FIELD(rt_depend_node, task)                                                                \
	FIELD(rt_depend_edge, next)                                                                \
	FIELD(rt_depend_edge, successor)                                                           \
	FIELD(rt_slab, chunks)                                                                     \
	FIELD(rt_slab_chunk, next)                                                                 \
	FIELD(rt_slab_chunk, blocks)                                                               \
	FIELD(rt_slab_block, task)                                                                 \
	FIELD(rt_mutex, state)                                                                     \
	FIELD(rt_barrier, generation)                                                              \
	FIELD(rt_loop, args)                                                                       \
	FIELD(rt_loop, share)                                                                      \
	FIELD(rt_loop, serial)                                                                     \
	FIELD(rt_loop, low)                                                                        \
	FIELD(rt_loop, high)                                                                       \
	FIELD(rt_loop, is_stealing)                                                                \
	FIELD(rt_loop, slot)                                                                       \
	FIELD(rt_loop_args, kind)                                                                  \
	FIELD(rt_loop_args, count)                                                                 \
	FIELD(rt_loop_args, chunk)                                                                 \
	FIELD(rt_workshare, next_iteration)                                                        \
	FIELD(rt_workshare, turn)                                                                  \
	FIELD(rt_watchers, bits)

/* The meaning of some of the numbers; the others are those of omp.h, or counts. */
enum {
	RT_DEBUG_TASK_IMPLICIT = 1,
	RT_DEBUG_TASK_UNTIED = 2,
	RT_DEBUG_TASK_FINAL = 4,
	RT_DEBUG_TASK_DETACHABLE = 8,
	RT_DEBUG_TASK_COUNTED = 16
}; /* rt_task.flags */
/*
 * rt_mutex.state, if not 0: the upper bits are the kernel's number of the holder, 0: unknown, 1:
 * the loader. The kernel's numbers are below the last constant.
 */
enum {
	RT_DEBUG_MUTEX_HELD = 1,
	RT_DEBUG_MUTEX_HOLDER_SHIFT = 2,
	RT_DEBUG_MUTEX_LOADER = 1,
	RT_DEBUG_MUTEX_HOLDERS = 1 << 22
};
enum { RT_DEBUG_LOOP_STATIC = 1, RT_DEBUG_LOOP_DYNAMIC = 2 };           /* rt_loop_args.kind */
enum { RT_DEBUG_WAIT_ACTIVE = 1, RT_DEBUG_WAIT_PASSIVE = 2 };           /* .wait_policy; 0: unset */
enum { RT_DEBUG_OFFLOAD_MANDATORY = 1, RT_DEBUG_OFFLOAD_DISABLED = 2 }; /* .target_offload */
enum { RT_DEBUG_BY_DEBUGGER = 16 };                                     /* rt_watchers.bits */
enum { RT_DEBUG_SCHEDULE_MONOTONIC_BIT = 31 };                          /* .run_sched_kind */

/*
 * Arrays at the end of a structure, whose length is another member: the size is that of an element.
 */
#define RT_DEBUG_ARRAYS(ARRAY) ARRAY(rt_roster, members)

/*
 * What a list expands to in the library that exports its table: a number of entries, addresses,
 * entries, and the header of them all.
 */
#define RT_DEBUG_COUNT(...)        +1
#define RT_DEBUG_MAKE_ROOT(root)   &root,
#define RT_DEBUG_MAKE_STRUCT(type) {#type, 0, sizeof(struct type)},
#define RT_DEBUG_MAKE_FIELD(type, field)                                                           \
	{#type "." #field, offsetof(struct type, field), sizeof(((struct type *)0)->field)},
#define RT_DEBUG_MAKE_ARRAY(type, field)                                                           \
	{#type "." #field, offsetof(struct type, field), sizeof(((struct type *)0)->field[0])},
#define RT_DEBUG_MAKE_HEADER(roots, entries, openmp_version)                                       \
	{                                                                                          \
		RT_DEBUG_MAGIC, RT_DEBUG_BYTE_ORDER, RT_DEBUG_VERSION,                             \
		    sizeof(struct rt_debug_header), sizeof(void *), roots,                         \
		    sizeof(struct rt_debug_entry), entries, openmp_version                         \
	}

#endif
