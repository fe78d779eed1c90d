/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What one thread owns: its region stack, its accumulators and its event log. Only the owner writes
 * them, so events take no lock. Blocks are never returned to the system.
 *
 * A runtime may end and create threads whenever the size of a team changes. For the user they are
 * the same OpenMP thread. The block of a thread that ended is therefore parked, and the next new
 * thread with the same numbers in its teams continues with it, log included. The block of any other
 * thread that ended is added to the regions' totals and is reused, cleared, for another thread.
 *
 * Who sees what:
 *
 *   accumulators      relaxed: the owner writes; any thread that holds the process lock reads.
 *                     Values are complete, though perhaps slightly old.
 *   unusual           the owner changes its flags with atomic and/or, because the stopper sets one
 *                     too, and who changes settings another one
 *   everything else   only the owner's until pomp_threads_stop() has seen it not busy (acquire,
 *                     pairs with the release in pomp_event_end); from then on the stopper's
 */
#ifndef THREAD_BLOCK_H
#define THREAD_BLOCK_H

#include "pomp-atomics.h"
#include "event-log.h"
#include "origin.h"
#include "region.h"
#include "shared/precondition.h"
#include "shared/processor.h"
#include "blocked-observer.h"
#include "sample-timer.h"
#include "thread-metrics.h"
#include "thread-usage.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * One thread's sums for one region; times in ticks. A leave adds to as few of them as possible; the
 * rest is computed. Inclusive time is all - nested, exclusive time is all - inside. The work in the
 * body is all - own, or own if the body is a block (construct_has_block).
 */
struct pomp_accumulator {
	struct pomp_region *region; /* NULL until the first event of the thread in the region */
	uint64_t depth;         /* how often it is on the stack; inclusive time counts only once */
	struct pomp_lock *lock; /* its region's */
	uint16_t kind;          /* its region's enum construct_kind */
	uint8_t filtered;       /* what the filter leaves out for this thread: enum pomp_filtered */
	uint8_t is_stale;       /* bool: the filter may say something else now */
	uint32_t plain;         /* there is a region, and nothing is to be looked at */
	_Atomic uint64_t visits;
	_Atomic uint64_t all; /* enter to leave; for a task without the tasks that ran inside it */
	_Atomic uint64_t nested; /* the part of `all` while the region was already on the stack */
	_Atomic uint64_t inside; /* the part of `all` in frames above it or in waits */
	_Atomic uint64_t own; /* the part of `all` spent waiting or in its own implicit barriers; if
				 the body is a block: the part in its blocks without waits */
	_Atomic uint64_t barrier_wait, imbalance;
	union {
		_Atomic uint64_t enter_wait;
		_Atomic uint64_t longest; /* of a task (no enter): its longest execution */
	};
	_Atomic uint64_t created, undeferred, create_time;
	_Atomic uint64_t *figures; /* enum pomp_figure, and after them one for each metric */
};

/* Returns the sums of the region's metrics, NULL if it has none: the "none" accumulator's. */
static inline _Atomic uint64_t *pomp_accumulator_metrics(const struct pomp_accumulator *sums)
{
	return sums->figures != NULL ? sums->figures + POMP_FIGURES : NULL;
}

/*
 * A thread keeps to what the filter said when the region's outermost visit began: another filter
 * holds from the next one on. So each leave finds what its enter has found.
 */
enum pomp_filtered {
	POMP_FILTERED_NOTHING,
	POMP_FILTERED_BRIEF, /* visits in a trace that are shorter than the region's `shortest` */
	POMP_FILTERED_ALL,
};

/* What a stack frame stands for; the comment at pomp_frame_close() lists what each role counts. */
enum pomp_role {
	POMP_ROLE_BASE,
	POMP_ROLE_CONSTRUCT,
	POMP_ROLE_BLOCK,   /* structured block that is only a part of its construct */
	POMP_ROLE_BARRIER, /* implicit barrier */
	POMP_ROLE_WAIT,    /* a construct that only waits, or the wait at the end of a taskgroup */
	POMP_ROLE_FORK,    /* from fork to join */
	POMP_ROLE_PARALLEL,
	POMP_ROLE_CREATE,
	POMP_ROLE_TASK,
};

struct pomp_frame {
	struct pomp_accumulator *accumulator;
	uint32_t role;
	uint32_t silent;   /* bool: pushed while measurement was off: not counted or logged */
	uint64_t enter;    /* ticks */
	uint64_t children; /* time of whatever ran inside as a frame or a wait of its own */
	uint64_t own; /* the part of `children` that is no wait, in its own implicit barrier or in
			 its block */
	uint64_t waited; /* the thread's `waited` at enter */
	union {
		struct {
			struct pomp_team *team, *outer_team;
			struct pomp_member *outer_member;
			uint64_t managed, mpi; /* the thread's, at begin */
			const struct pomp_origin *outer_origin;
		} parallel; /* FORK (team only), PARALLEL */
		struct {
			uint64_t number, suspended; /* suspended: the thread's, at begin */
			uint64_t stack; /* TASK: stack pointer of its function; 0: unknown */
		} task;                 /* CREATE (number only), TASK */
		struct {
			uint64_t *place, *after; /* the log's end before and after the enter */
			uint64_t time, bytes;    /* the log's values before that record */
		} mark;                          /* all other roles, if the region has a filter */
	};
};

enum {
	POMP_CHUNK_SHIFT = 5,
	POMP_CHUNK_SIZE = 1 << POMP_CHUNK_SHIFT,
	POMP_LOCK_CACHE = 64,
	/* Regions that a thread finds with one load; only those that it enters use memory. */

	POMP_FIRST_REGIONS = 4096
};

enum pomp_unusual {
	POMP_UNUSUAL_OFF = 1 << 0,     /* pomp_off */
	POMP_UNUSUAL_CAREFUL = 1 << 1, /* metrics, or a clock that is not the processor's counter */
	POMP_UNUSUAL_STOP = 1 << 2, /* set when all threads are stopped: there are no more events */
	POMP_UNUSUAL_PENDING = 1 << 3, /* something must end before the next event */
	POMP_UNUSUAL_SCALED = 1 << 4,  /* each event first delays the work before it: see scale.h */
	POMP_UNUSUAL_CHANGED = 1 << 5, /* settings have changed: see settings-change.h */
};

/* A lock variable that the thread has seen. */
struct pomp_lock_slot {
	const void *address;
	struct pomp_lock *lock;
	uint64_t acquired; /* ticks; only for locks that a runtime's events report, else 0 */
	uint64_t order;    /* the number of that acquisition */
};

struct pomp_thread {
	_Atomic uint32_t busy;    /* bool: inside the library */
	_Atomic uint32_t unusual; /* what keeps its events off the fast path: enum pomp_unusual */
	uint64_t calls;           /* the measured calls */
	uint32_t off;             /* depth of pomp_off */
	bool profiling;           /* false: frames are kept only for the trace and count nothing */
	uint64_t time;            /* ticks of its latest event: no event is earlier */
	uint64_t long_interval;   /* ticks: after a longer time without events, the kernel is asked
				     where it went */
	struct pomp_frame *top, *stack, *stack_limit;
	struct pomp_accumulator *
	    *chunk;            /* chunk[id >> POMP_CHUNK_SHIFT]; replaced under the lock */
	uint64_t region_limit; /* ids below this have a chunk */
	struct pomp_log log;
	uint64_t lost_events, untraced_events; /* the latter are a part of the former */
	uint64_t more_events;                  /* events in a trace beyond one for each call */
	struct pomp_thread_metrics *metrics;   /* NULL: none are measured */
	struct pomp_thread_metrics *counting;  /* the same if read at all constructs; else NULL */
	struct pomp_thread_metrics *metric_memory;
	struct pomp_thread_marks *marks; /* of the loop that it executes; NULL: none yet */
	struct pomp_path_tree *paths;    /* of its samples; NULL: it takes none */
	struct pomp_sample_timer sample_timer;
	struct pomp_observed
	    *observed; /* the system calls that it was seen in; NULL: no observer */
	struct pomp_observed *observed_before; /* by whoever had the block; NULL: nobody */
	struct unwind_stack native_stack;      /* its own one; empty: unknown */
	struct pomp_origins *origins;          /* of the teams that it forked; NULL: none yet */
	uint64_t origin_due; /* ticks: from then on events look for origins; UINT64_MAX: never */
	/* Where its path continues outwards: where its team was forked, by itself or another
	 * thread. */
	const struct pomp_origin *origin;
	struct pomp_usage usage; /* the kernel's figures as of its latest reading ... */
	uint64_t usage_ticks;    /* ... and the ticks at that time */
	/* It began beyond the budget: see pomp_thread_take_block_at(). */
	bool usage_is_late;    /* there is no reading yet; usage.at is when it began */
	bool samples_are_late; /* it does not know yet whether it has a timer */
	uint64_t late_since;   /* ticks: when it began */

	struct pomp_team *team;     /* the innermost team it is in, or NULL */
	struct pomp_member *member; /* its place there */
	uint64_t waited;            /* in parallel regions: ticks spent in waits and in MPI ... */
	uint64_t managed;           /* ... and its own ticks from fork to begin and end to join */
	uint64_t management;        /* the same, for all threads of the teams that it joined */
	uint64_t mpi;               /* the part of waited spent in MPI */
	uint64_t useful;      /* ticks in outermost parallel regions, without waited and managed */
	uint64_t suspended;   /* ticks of tasks that ran inside the current one */
	uint64_t in_parallel; /* ticks between outermost fork and join */
	uint64_t serial_mpi;  /* ticks in MPI outside of parallel regions */
	uint64_t fork_depth;  /* forks not joined yet */
	uint64_t imbalance;   /* outermost regions it joined: sum of (most - mean) useful */
	uint64_t held;        /* for the same regions: waits while other members were in MPI */
	uint64_t figures[POMP_FIGURES]; /* of the kernel's, in parallel regions */
	uint64_t serial[POMP_FIGURES];  /* outside of them */
	struct pomp_frame *first_stack; /* the block's own; `stack` when that was enough so far */
	uint64_t tasks_created;
	uint64_t task_logged; /* tasks_created as of the latest creation in the log */

	struct pomp_team *spare_teams; /* free ones that this thread made */
	struct pomp_member *spare_members;
	_Atomic(struct pomp_member *) returned_members; /* pushed by the teams' masters */
	struct pomp_lock_slot lock_cache[POMP_LOCK_CACHE];

	/*
	 * State that a runtime's reports leave open (shared/code-events.h):
	 *
	 *   pending   when the work of the construct on top of the stack ended, while it is not yet
	 *             known whether the construct's barrier follows; 0: none
	 *   entering  a construct that was entered; the next event may show that it belongs to
	 *             another
	 *   late      a construct whose end was reported after the program's own call had entered
	 *             another one, with which it ends
	 *   asked     a call that asked for a lock and may end without getting it
	 */
	uint64_t pending;
	struct {
		OMPRegDescr *region; /* NULL: none */
		const void *address;
		uint64_t at; /* ticks */
	} entering;
	uint32_t late; /* depth of an ended construct below one of the program's calls */
	struct {
		bool open;
		uint32_t routine; /* enum trace_log_routine */
		const void *lock;
		uint64_t at; /* ticks */
	} asked;

	/* Used if POMP_SCALE is in effect: see pomp_scale_delay(). */
	struct {
		uint64_t until; /* ticks: work before this time has been delayed already */
		double owed; /* ticks of delay still to come; negative: it was delayed too long */
		bool in_routine; /* a lock routine of the runtime is running: that is no work */
	} scale;

	uint64_t place; /* which OpenMP thread it is: a hash of its numbers in its teams; 0: none */
	bool settled;   /* set by the stopper: not in an event, or the wait for it took too long */
	bool parked;    /* its thread ended; kept for the next thread in the same place */
	uint64_t location;            /* number of this thread, in order of first events, from 0 */
	struct pomp_thread *next;     /* in the process's list of all blocks, or of free ones */
	struct pomp_accumulator none; /* belongs to no region: used by the stack's lowest frame */

	/*
	 * The first chunks, contiguous and in the block itself, so that an event need not load
	 * their address. Each accumulator fills whole cache lines.
	 */
	_Alignas(PROCESSOR_LINE) struct pomp_accumulator first[];
};

_Static_assert(sizeof(struct pomp_accumulator) % PROCESSOR_LINE == 0 &&
		   offsetof(struct pomp_thread, first) % PROCESSOR_LINE == 0,
    "no two accumulators share a line");
_Static_assert(
    offsetof(struct pomp_frame, silent) == offsetof(struct pomp_frame, role) + sizeof(uint32_t) &&
	offsetof(struct pomp_frame, own) ==
	    offsetof(struct pomp_frame, children) + sizeof(uint64_t),
    "the fast path compares and clears two members at once");

/* All fields need the process lock, except `unmeasured`. */
struct pomp_threads {
	struct pomp_thread *alive;
	struct pomp_thread *spare;
	uint64_t locations; /* how many threads ever had events */
	uint64_t ends;      /* how often a block has left `alive` */

	/* Sums over threads that have ended. */
	uint64_t waited, mpi, management, useful, imbalance, held;
	uint64_t figures[POMP_FIGURES];
	uint64_t late_delayed; /* without a processor between teams, threads that forked none */
	uint64_t calls, events, lost_events, untraced_events;
	uint64_t roots; /* how many had an outermost parallel region */
	/*
	 * Of the thread with the most time in parallel regions; of several such, the one with the
	 * most MPI outside of them.
	 */
	uint64_t in_parallel, serial_mpi;
	uint64_t serial[POMP_FIGURES];

	_Atomic uint64_t unmeasured; /* events of threads without a block; without the lock */
};

extern struct pomp_threads pomp_threads __attribute__((visibility("hidden")));

extern _Thread_local struct pomp_thread *pomp_self PROCESSOR_THREAD_LOCAL
    __attribute__((visibility("hidden")));

/* Returns the number of its next task; never 0, see pomp.h. */
static inline uint64_t pomp_thread_next_task(struct pomp_thread *thread)
{
	return (thread->location + 1) << TRACE_LOG_TASK_SHIFT | ++thread->tasks_created;
}

static inline struct pomp_lock_slot *pomp_lock_slot(struct pomp_thread *thread, const void *address)
{
	return &thread->lock_cache[((uintptr_t)address >> 2) % POMP_LOCK_CACHE];
}

/* Returns how many events a trace shows for its calls. */
static inline uint64_t pomp_thread_events(const struct pomp_thread *thread)
{
	return thread->calls + thread->more_events;
}

/* Increases or decreases the depth of pomp_off. */
static inline void pomp_thread_off(struct pomp_thread *thread, bool more)
{
	CHECK(more || thread->off > 0, "pomp_off precedes");
	thread->off += more ? 1 : UINT32_MAX;
	if (thread->off != 0)
		fetch_or_relaxed(&thread->unusual, POMP_UNUSUAL_OFF);
	else
		fetch_and_relaxed(&thread->unusual, ~(uint32_t)POMP_UNUSUAL_OFF);
}

/* Forgets everything that is pending. */
static inline void pomp_event_forget_pending(struct pomp_thread *thread)
{
	thread->pending = 0;
	thread->late = 0;
	thread->entering.region = NULL;
	thread->asked.open = false;
	fetch_and_relaxed(&thread->unusual, ~(uint32_t)POMP_UNUSUAL_PENDING);
}

/* Ends a call that is one event in a trace. */
static inline void pomp_event_end(struct pomp_thread *thread)
{
	thread->calls++;
	store_release(&thread->busy, false);
}

/* Ends a call whose events pomp_event_log() has counted. */
static inline void pomp_event_end_logged(struct pomp_thread *thread)
{
	thread->more_events--;
	pomp_event_end(thread);
}

/* Discards an event that belongs to a filtered region or is part of another event. */
static inline void pomp_event_drop(struct pomp_thread *thread)
{
	store_release(&thread->busy, false);
}

#endif
