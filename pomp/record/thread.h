/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What one thread owns: its region stack, its accumulators and its event log. Only the owner writes
 * them, so events take no lock. Blocks are never given back to the system.
 *
 * A runtime may end and make threads whenever the size of a team changes. For the user they are the
 * same OpenMP thread, so the block of a thread that ended is parked, and the next new thread with
 * the same numbers in its teams goes on with it, log and all. The block of any other thread that
 * ended is folded into the regions' totals and starts anew with another thread.
 *
 * Who sees what:
 *
 *   accumulators      relaxed: the owner writes, anyone with the process lock reads; values are
 *                     whole, if perhaps a little old
 *   unusual           the owner's flags by atomic or, for the stopper sets one too
 *   everything else   the owner's alone until pomp_threads_stop() has seen it not busy (acquire,
 *                     pairs with the release in pomp_event_end): from then on the stopper's
 */
#ifndef THREAD_H
#define THREAD_H

#include "atomics.h"
#include "log.h"
#include "region.h"
#include "shared/processor.h"
#include "thread-metrics.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * One thread's sums for one region; times in ticks. A leave adds to as few of them as can be:
 * inclusive time is all - nested, exclusive time all - inside, and the work in the body is all -
 * own, or own where the body is a block (construct_has_block).
 */
struct pomp_accumulator {
	struct pomp_region *region; /* NULL until the first event of the thread in the region */
	uint64_t depth;             /* how often it is on the stack; inclusive time counts once */
	struct pomp_lock *lock;     /* its region's */
	uint32_t kind;              /* its region's: enum construct_kind */
	uint32_t plain;             /* there is a region, and it has no filter */
	_Atomic uint64_t visits;
	_Atomic uint64_t all;    /* enter to leave; of a task without those that ran inside it */
	_Atomic uint64_t nested; /* of that, while the region was on the stack already */
	_Atomic uint64_t inside; /* of that, in frames above it or in waits */
	_Atomic uint64_t own;    /* of that, waiting or in its own implicit barriers; or in its
				    blocks and not waiting */
	_Atomic uint64_t barrier_wait, imbalance;
	union {
		_Atomic uint64_t enter_wait;
		_Atomic uint64_t longest; /* of a task, which has no entry: one execution */
	};
	_Atomic uint64_t created, undeferred, create_time;
	_Atomic uint64_t *counters; /* one for each metric; NULL: no metrics */
};

/* What a stack frame stands for; above pomp_frame_close() stands what each counts. */
enum pomp_role {
	POMP_ROLE_BASE,
	POMP_ROLE_CONSTRUCT,
	POMP_ROLE_BLOCK,   /* structured block within a construct that is not all of it */
	POMP_ROLE_BARRIER, /* implicit barrier */
	POMP_ROLE_WAIT,    /* a construct that only waits, or the wait at a taskgroup's end */
	POMP_ROLE_FORK,    /* from fork to join */
	POMP_ROLE_PARALLEL,
	POMP_ROLE_CREATE,
	POMP_ROLE_TASK,
};

struct pomp_frame {
	struct pomp_accumulator *accumulator;
	uint32_t role;
	uint32_t silent;   /* bool: pushed while measurement was off: counts and logs nothing */
	uint64_t enter;    /* ticks */
	uint64_t children; /* time of what ran inside as a frame or as a wait of its own */
	uint64_t own;      /* of that, not waiting: in its own implicit barrier, or in its block */
	uint64_t waited;   /* the thread's, at enter */
	union {
		struct {
			struct pomp_team *team, *outer_team;
			struct pomp_member *outer_member;
			uint64_t managed, mpi; /* the thread's, at begin */
		} parallel;                    /* FORK (team only), PARALLEL */
		struct {
			uint64_t number, suspended; /* suspended: the thread's, at begin */
		} task;                             /* CREATE (number only), TASK */
		struct {
			uint64_t *place, *after; /* the log before and after the entering record */
			uint64_t time, bytes;    /* the log's, before */
		} mark;                          /* the others, if the region has a filter */
	};
};

enum {
	POMP_CHUNK_SHIFT = 5,
	POMP_CHUNK_SIZE = 1 << POMP_CHUNK_SHIFT,
	POMP_LOCK_CACHE = 64,
	/* Regions that a thread finds with one load; memory is only taken for those that it enters.
	 */
	POMP_FIRST_REGIONS = 4096
};

enum pomp_unusual {
	POMP_UNUSUAL_OFF = 1 << 0,     /* pomp_off */
	POMP_UNUSUAL_CAREFUL = 1 << 1, /* metrics, or a clock that is not the processor's counter */
	POMP_UNUSUAL_STOP = 1 << 2, /* set when all threads are stopped: there are no more events */
	POMP_UNUSUAL_PENDING = 1 << 3, /* something ends before an event: pending, late or asked */
	POMP_UNUSUAL_SCALED = 1 << 4,  /* each event delays first what was worked: see scale.h */
};

/* A lock variable that the thread has seen. */
struct pomp_lock_slot {
	const void *address;
	struct pomp_lock *lock;
	uint64_t acquired; /* ticks; only of locks known by a runtime's events, else 0 */
	uint64_t order;    /* which acquisition that was */
};

struct pomp_thread {
	_Atomic uint32_t busy;    /* bool: inside the library */
	_Atomic uint32_t unusual; /* what keeps its events from the fast path: enum pomp_unusual */
	uint64_t calls;           /* that were measured */
	uint32_t off;             /* depth of pomp_off */
	bool profiling;           /* false: frames are kept for the trace alone and count nothing */
	uint64_t time;            /* ticks of its latest event: no event is earlier */
	struct pomp_frame *top, *stack, *stack_limit;
	struct pomp_accumulator *
	    *chunk;            /* chunk[id >> POMP_CHUNK_SHIFT]; replaced under the lock */
	uint64_t region_limit; /* ids below this have a chunk */
	struct pomp_log log;
	uint64_t lost_events, untraced_events; /* the latter a part of the former */
	uint64_t more_events;                  /* that a trace has beyond one for each call */
	struct pomp_thread_metrics *metrics;   /* NULL: none are measured */
	struct pomp_thread_metrics *counting;  /* the same, if at all constructs; else NULL */
	struct pomp_thread_metrics *metric_memory;

	struct pomp_team *team;     /* the innermost team it is in, or NULL */
	struct pomp_member *member; /* its place there */
	uint64_t waited;            /* in parallel regions: ticks spent in waits and in MPI ... */
	uint64_t managed;           /* ... and, itself, between fork and begin, end and join */
	uint64_t management;        /* the same of all threads of the teams it joined */
	uint64_t mpi;               /* of waited: in MPI */
	uint64_t useful;            /* ticks in outermost parallel regions, without both */
	uint64_t suspended;         /* ticks of tasks that ran inside the current one */
	uint64_t in_parallel;       /* ticks between outermost fork and join */
	uint64_t serial_mpi;        /* ticks in MPI outside of parallel regions */
	uint64_t fork_depth;        /* forks not joined yet */
	uint64_t imbalance;         /* outermost regions it joined: sum of (most - mean) useful */
	uint64_t held;              /* the same: waits while others of the team were in MPI */
	uint64_t tasks_created;
	uint64_t task_logged; /* the count of the latest one in the log */

	struct pomp_team *spare_teams; /* free ones, of this thread's making */
	struct pomp_member *spare_members;
	_Atomic(struct pomp_member *) returned_members; /* pushed by the teams' masters */
	struct pomp_lock_slot lock_cache[POMP_LOCK_CACHE];

	/*
	 * Of what a runtime reports (shared/code-events.h): the work of the construct on top of the
	 * stack ended then, and whether its barrier follows is not known yet; 0: nothing of the
	 * kind. And a call that asked for a lock, which may end without it. And a construct whose
	 * end was reported late, after the program's own call entered another: it ends with that.
	 * And a construct that was entered, which its next event may show to be another's.
	 */
	uint64_t pending;
	struct {
		OMPRegDescr *region; /* NULL: none */
		const void *address;
		uint64_t at; /* ticks */
	} entering;
	uint32_t late; /* depth of a construct that ended, below one of the program's own calls */
	struct {
		bool open;
		uint32_t routine; /* enum trace_log_routine */
		const void *lock;
		uint64_t at; /* ticks */
	} asked;

	/* Where POMP_SCALE is in effect: see pomp_scale_delay(). */
	struct {
		uint64_t until;  /* ticks: what was worked before has been delayed */
		double owed;     /* ticks of delay still to come; below 0: that were too many */
		bool in_routine; /* a lock routine of the runtime's runs: no work */
	} scale;

	uint64_t place; /* which OpenMP thread it is: a hash of its numbers in its teams; 0: none */
	bool settled;   /* the stopper's: not in an event, or the wait for it took too long */
	bool parked;    /* its thread ended; waits for the next thread in the same place */
	uint64_t location;            /* number of this thread, in order of first events, from 0 */
	struct pomp_thread *next;     /* in the process's list of all blocks, or of free ones */
	struct pomp_accumulator none; /* of no region: under the stack's lowest frame */

	/*
	 * The first chunks, one behind the other: here, so that an event need not load where. Each
	 * accumulator fills whole lines of the cache.
	 */
	_Alignas(PROCESSOR_LINE) struct pomp_accumulator first[];
};

/* All under the process's lock. */
struct pomp_threads {
	struct pomp_thread *alive;
	struct pomp_thread *spare;
	uint64_t locations; /* how many threads ever had events */

	/* Of threads that ended. */
	uint64_t waited, mpi, management, useful, imbalance, held;
	uint64_t calls, events, lost_events, untraced_events;
	uint64_t roots; /* how many had an outermost parallel region */
	/* Of the one thread with most time in parallel regions, of equals with most MPI outside. */
	uint64_t in_parallel, serial_mpi;

	_Atomic uint64_t unmeasured; /* events of threads that have no block; without the lock */
};

extern struct pomp_threads pomp_threads __attribute__((visibility("hidden")));

extern _Thread_local struct pomp_thread *pomp_self PROCESSOR_THREAD_LOCAL
    __attribute__((visibility("hidden")));

/* Gives the calling thread its block; NULL when memory ran out or the results are out. */
struct pomp_thread *pomp_thread_take_block(void);

/* The same, at that place among the OpenMP threads: see `place`. */
struct pomp_thread *pomp_thread_take_block_at(uint64_t place);

/* Makes room for the accumulator of region `id` and returns it; `none` when that is impossible. */
struct pomp_accumulator *pomp_thread_accumulator_slow(struct pomp_thread *thread, uint64_t id);

/* Doubles the region stack; false when memory ran out. */
bool pomp_thread_grow_stack(struct pomp_thread *thread);

/* At the start, best while there is one thread: makes pomp_threads_stop() cheap. */
void pomp_threads_prepare_stop(void);

/*
 * Ends all measuring and waits for the events under way; afterwards the caller owns all blocks.
 * Returns how many threads were still inside an event after the longest wait (0 unless one was
 * stopped by force).
 */
unsigned pomp_threads_stop(void);

/* There is a folder now: logs that failed for want of one try again. Process lock held. */
void pomp_threads_retry_logs(void);

/* Forgets all threads but the calling one (the child of a fork). Process lock held. */
void pomp_threads_after_fork(void);

/* Sets all that a thread has counted to zero; what is open on its stack stays open. */
void pomp_thread_clear(struct pomp_thread *thread);

/* The number of its next task: never 0, as pomp.h says. */
static inline uint64_t pomp_thread_next_task(struct pomp_thread *thread)
{
	return (thread->location + 1) << TRACE_LOG_TASK_SHIFT | ++thread->tasks_created;
}

static inline struct pomp_lock_slot *pomp_lock_slot(struct pomp_thread *thread, const void *address)
{
	return &thread->lock_cache[((uintptr_t)address >> 2) % POMP_LOCK_CACHE];
}

/* As how many events a trace shows its calls. */
static inline uint64_t pomp_thread_events(const struct pomp_thread *thread)
{
	return thread->calls + thread->more_events;
}

/* More or less of pomp_off. */
static inline void pomp_thread_off(struct pomp_thread *thread, bool more)
{
	thread->off += more ? 1 : UINT32_MAX;
	if (thread->off != 0)
		fetch_or_relaxed(&thread->unusual, POMP_UNUSUAL_OFF);
	else
		fetch_and_relaxed(&thread->unusual, ~(uint32_t)POMP_UNUSUAL_OFF);
}

/* The accumulator of region id if the thread has one, or NULL. Process lock held. */
struct pomp_accumulator *pomp_thread_find(const struct pomp_thread *thread, uint64_t id);

static inline struct pomp_accumulator *pomp_thread_accumulator(
    struct pomp_thread *thread, uint64_t id)
{
	if (__builtin_expect(id < thread->region_limit, 1)) {
		struct pomp_accumulator *found =
		    &thread->chunk[id >> POMP_CHUNK_SHIFT][id & (POMP_CHUNK_SIZE - 1)];
		if (__builtin_expect(found->region != NULL, 1))
			return found;
	}
	return pomp_thread_accumulator_slow(thread, id);
}

#endif
