/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Who watches the process: an OMPT tool, a debugger, the race detection, ThreadSanitizer. Each is a
 * bit of one word, so a path that few programs need costs a load and a test, whoever asks for it:
 *
 *	if (rt_watched(RT_BY_TOOL))
 *		what_tools_need(...);          noinline, cold
 *
 * An entry point that needs the thread's record loads rt_unwatched instead, which is NULL where
 * rt_watched(RT_AT_ENTRIES) is true. Two suffixes name what runs then:
 *   x_watched    of an entry point x: the thread is new, or somebody watches; it asks who
 *   x_with_tool  x between its events; called only by RT_BY_TOOL
 *
 * Who writes the word, and when:
 *   the library's constructor   settings and race detection, while the process has one thread
 *   omp_debug_enable(), or gdb while the process is stopped
 *                               RT_BY_DEBUGGER, at any time, relaxed: constructs that other
 *                               threads have begun may end without the bit
 *   the first thread that gets a record, in rt_events_start()
 *                               RT_BY_TOOL before the callbacks are published, RT_BY_SANITIZER, and
 *                               last it clears RT_BY_UNKNOWN, with release
 * Each thread that gets a record acquires that release. A thread without a record reads the word at
 * any time and needs no order: the bits are one word, so without RT_BY_UNKNOWN it has all others;
 * with it, the path leads to rt_events_start(), or past an event that comes before the tool.
 */
#ifndef RT_WATCH_H
#define RT_WATCH_H
#include "atomics.h"

enum rt_watcher {
	RT_BY_TOOL = 1,          /* a tool is attached; stays if the tool ends before the process */
	RT_BY_UNKNOWN = 2,       /* it is not known yet whether there is a tool */
	RT_BY_SANITIZER = 4,     /* ThreadSanitizer is in the process */
	RT_BY_RACE = 8,          /* race detection is on, see race.h */
	RT_BY_DEBUGGER = 16,     /* debug-var */
	RT_BY_CANCELLATION = 32, /* cancel-var: no observer, but tasks check it with the others */
	RT_BY_DISPLAY = 64,      /* display-affinity-var: likewise, regions check it */
	/* What several places check at once: */
	RT_AT_ENTRIES = RT_BY_TOOL | RT_BY_UNKNOWN | RT_BY_RACE,
	RT_AT_ROUTINES = RT_BY_TOOL | RT_BY_UNKNOWN, /* where the thread may have no record */
	RT_AT_MUTEXES = RT_AT_ROUTINES | RT_BY_SANITIZER | RT_BY_DEBUGGER,
	RT_AT_LOCKS = RT_AT_ROUTINES | RT_BY_RACE, /* where a lock begins or ends */
	RT_AT_TASKS = RT_BY_TOOL | RT_BY_RACE | RT_BY_DEBUGGER | RT_BY_CANCELLATION,
	RT_AT_REGIONS = RT_AT_TASKS | RT_BY_DISPLAY,
};

struct rt_watchers {
	_Atomic uint32_t bits; /* enum rt_watcher */
};

extern struct rt_watchers rt_watchers __attribute__((visibility("hidden")));

/* A plain load, because gcc loads atomics into registers. For rt_watched(). */
__attribute__((no_sanitize("thread"))) static inline bool rt_watchers_include(uint32_t by)
{
	return (*(const uint32_t *)&rt_watchers.bits & by) != 0;
}

/* Is one of these bits of enum rt_watcher set? (gcc would forget `unlikely` in a function.) */
#define rt_watched(by) unlikely(rt_watchers_include(by))

/* From now on these watch. Relaxed: whoever must see it is ordered as described above. */
static inline void rt_watch(uint32_t by)
{
	(void)or_relaxed(&rt_watchers.bits, by);
}

#endif
