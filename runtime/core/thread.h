/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread's record: where the thread is in the tree of teams and which task it executes. team,
 * member and task are never NULL.
 */
#ifndef RT_THREAD_H
#define RT_THREAD_H
#include <pthread.h>

#include "atomics.h"
#include "icv.h"
#include "processor-code.h"
#include "tool-notes.h"

struct rt_team;
struct rt_member;
struct rt_task;

/* What the thread waits for; see rt_waiting_begin(). */
struct rt_waiting {
	uintptr_t id;         /* an object of the program or of the runtime, by state */
	uint64_t until;       /* when the wait is over, by state */
	uint64_t iteration;   /* RT_WAITING_ORDERED: the (outermost) iteration that it waits for */
	struct rt_task *task; /* the task that waits */
	const struct rt_waiting *outer; /* the note of a task suspended below, NULL: none */
	uint32_t state;                 /* enum rt_waiting_state, 0: it does not wait */
};

/* Where the thread took a mutex of the program that it holds; see rt_mutex_note_taken(). */
struct rt_taken {
	const void *mutex; /* NULL: the place is free */
	const void *site;  /* where the program called, NULL: unknown */
};

enum { RT_MOST_TAKEN = 8 };

/* What clauses request for the thread's next region or league; 0: nothing. */
struct rt_clauses {
	uint32_t num_threads;
	uint32_t strict;     /* severity if it gets another number of threads; 0: no error */
	const char *message; /* message for that error, or NULL */
	uint32_t proc_bind;  /* enum rt_bind */
	/* num_threads with a list: the numbers after the first, for the regions inside. */
	uint32_t *inner_threads;
	uint16_t inner_count;
	uint32_t teams; /* num_teams */
	uint32_t thread_limit;
};

enum { RT_GLOBAL_NUMBERS = 1 << 16 };
_Static_assert(RT_GLOBAL_NUMBERS % 64 == 0, "the numbers in use are words of bits");

/* Only the thread itself reads and writes these, unless a field says otherwise. */
struct rt_thread {
	struct rt_team *team;     /* innermost team */
	struct rt_member *member; /* its member record in that team */
	struct rt_task *task;     /* the task that it executes */
	/*
	 * Of the tasks that it executes or has suspended, the innermost one that is tied or waits
	 * in rt_task_help_until(); NULL: none, the thread is in a barrier. Determines what
	 * taskyield may switch to.
	 */
	struct rt_task *tied;
	uint32_t number;          /* omp_get_thread_num() */
	uint32_t teams_number;    /* omp_get_team_num(), and omp_get_num_teams() ... */
	uint32_t teams_count;     /* ... in a teams region on the host; 0 and 1 outside */
	int32_t place;            /* the place it is bound to, -1: none */
	uint32_t random;          /* victim selection, see next_random() */
	uint32_t short_waits;     /* next waits to keep short: it lost its processor in one */
	struct rt_slab *slab;     /* memory for tasks; freed with the thread */
	struct rt_team *contexts; /* initial teams that it used for a while and will use again */
	pthread_t handle;         /* worker: for its maker's join; written before it starts */
	bool is_worker;           /* made by the runtime */
	bool is_counted;          /* a worker that counts as awake while it is */
	/* For debuggers. The list contains all threads, under its own mutex. */
	uint32_t system_id; /* the kernel's number of the thread */
	_Atomic(struct rt_thread *) listed_next;
	struct rt_thread *listed_previous;
	struct rt_waiting waiting;
	struct rt_taken taken[RT_MOST_TAKEN]; /* with debug-var, otherwise empty */
	void *frame; /* worker: of the function that calls the regions' bodies */
	struct rt_thread_tool tool;
	uint32_t global_number; /* the smallest number that was free when it began; at most
				   RT_GLOBAL_NUMBERS, which several threads may share */
	struct rt_clauses clauses;
	struct rt_copy *copies;      /* its copies of threadprivate variables, newest first */
	struct rt_race_thread *race; /* NULL: race detection is off, or has not begun */
};

/* The calling thread's record; NULL: it has not used the runtime yet. */
extern _Thread_local struct rt_thread *rt_current PROCESSOR_THREAD_LOCAL;

/*
 * The same, or NULL while rt_watched(RT_AT_ENTRIES): a fast entry point loads only this word. On
 * NULL it calls rt_self() and asks who watches.
 */
extern _Thread_local struct rt_thread *rt_unwatched PROCESSOR_THREAD_LOCAL;

/*
 * Sets the calling thread's record; NULL: it no longer has one. Whether there is a tool must be
 * known.
 */
void rt_thread_set_current(struct rt_thread *self);

/* All threads that use the runtime; for debuggers only. It changes as they begin and end. */
struct rt_thread_list {
	_Atomic(struct rt_thread *) first;
	uint32_t loader; /* the kernel's number of the thread that loaded the library, or forked */
};

extern struct rt_thread_list rt_threads;

/* Enter the calling thread into the list, and remove it before its record is freed. */
void rt_debug_thread_begin(struct rt_thread *self);
void rt_debug_thread_end(struct rt_thread *self);

/* The number of threads in the list. */
uint32_t rt_threads_known(void);

/* Makes the locks that the calling thread takes from now on bear its number, which is returned. */
uint32_t rt_debug_mark_locks(void);

/* Called in a forked child, whose only thread is the calling one. self: its record, or NULL. */
void rt_debug_forked(struct rt_thread *self);

#endif
