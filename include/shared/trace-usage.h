/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What the kernel counted of a thread, as metrics of an archive: one class, whose values are sums
 * since the thread began. They are written after long intervals, before the event that ends one,
 * and say where the time since the previous event went.
 */
#ifndef SHARED_TRACE_USAGE_H
#define SHARED_TRACE_USAGE_H

/* VALUE(id, name, unit, meaning) */
#define TRACE_USAGE(VALUE)                                                                         \
	VALUE(DELAYED, "run_delay", "ns",                                                          \
	    "time in which the thread was ready to run, without a processor")                      \
	VALUE(                                                                                     \
	    BLOCKED, "blocked_time", "ns", "time in which the thread was blocked in system calls") \
	VALUE(SYSTEM, "system_time", "ns", "time in which the thread ran in the kernel")           \
	VALUE(FAULTS, "page_faults", "#", "page faults of the thread, minor and major")

enum trace_usage {
#define TRACE_USAGE_ID(id, name, unit, meaning) TRACE_USAGE_##id,
	TRACE_USAGE(TRACE_USAGE_ID)
#undef TRACE_USAGE_ID
	    TRACE_USAGE_VALUES
};

/*
 * The interrupt generator of samples of blocked threads: what tells them from samples of running
 * ones. They come right behind the metrics, at the same time.
 */
#define TRACE_BLOCKED_GENERATOR "blocked in the kernel"
#define TRACE_BLOCKED_PERIOD    25000 /* microseconds */

/* That of samples that interrupted a page fault, with the period of other samples. */
#define TRACE_FAULT_GENERATOR "page fault"

/*
 * That of samples of what counters counted at a place (shared/sample-counters.h), which stand for
 * no time. Only archives that have such samples define it.
 */
#define TRACE_COUNTED_GENERATOR "counters, no time"

/* References of generators in our archives. */
enum {
	TRACE_GENERATOR_RUNNING,
	TRACE_GENERATOR_BLOCKED,
	TRACE_GENERATOR_FAULT,
	TRACE_GENERATOR_COUNTED
};

#endif
