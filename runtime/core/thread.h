/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calling thread: where it is in the tree of teams and which task it executes.
 *
 * A thread that the runtime did not make becomes an initial thread when it first calls in: it gets
 * a team of its own with one member at level 0, an initial task with the process's ICVs, and keeps
 * them until it ends. So team, member and task are never NULL.
 */
#ifndef RT_THREAD_H
#define RT_THREAD_H

#include <pthread.h>

#include "atomics.h"
#include "icv.h"

struct rt_team;
struct rt_member;
struct rt_task;

/* What the thread waits for; see waiting.h. */
struct rt_waiting {
	uintptr_t id;         /* the program's object or ours, by state */
	uint64_t until;       /* when the wait is over, by state */
	uint64_t iteration;   /* RT_WAITING_ORDERED: the (outermost) iteration that it waits for */
	struct rt_task *task; /* which of the thread's tasks waits */
	const struct rt_waiting *outer; /* the note of a task suspended below, NULL: none */
	uint32_t state;                 /* enum rt_waiting_state, 0: it does not wait */
};

/* Only the thread itself reads and writes these, unless a field says otherwise. */
struct rt_thread {
	struct rt_team *team;     /* innermost team */
	struct rt_member *member; /* its place in that team */
	struct rt_task *task;     /* the task that it executes */
	struct rt_task *tied;     /* innermost tied task that it executes or has suspended */
	uint32_t number;          /* omp_get_thread_num() */
	uint32_t teams_number;    /* omp_get_team_num(), and omp_get_num_teams() ... */
	uint32_t teams_count;     /* ... in a teams region on the host; 0 and 1 outside */
	int32_t place;            /* the place it is bound to, -1: none */
	int32_t shown_place;      /* OMP_DISPLAY_AFFINITY: place when last shown, -2: never */
	uint32_t random;          /* victim selection, see rt_task_steal() */
	uint32_t impatience;      /* waits that it makes short, having lost its processor in one */
	struct rt_slab *slab;     /* memory for tasks; freed with the thread */
	struct rt_team *contexts; /* initial teams that it used for a while and will use again */
	pthread_t handle;         /* worker: what its maker joins; written before it starts */
	bool is_worker;           /* made by the runtime */
	/* For debuggers. The list is of all threads, under its own mutex; see debug-threads.c. */
	uint32_t system_id; /* the kernel's number of the thread */
	_Atomic(struct rt_thread *) listed_next;
	struct rt_thread *listed_previous;
	struct rt_waiting waiting;
	void *frame; /* worker: of the function that calls the regions' bodies */
};

extern _Thread_local struct rt_thread *rt_current __attribute__((tls_model("initial-exec")));

/* Makes the calling foreign thread an initial thread; NULL: no memory. */
struct rt_thread *rt_thread_try_adopt(void);

/* The same for who cannot do without; ends the process where there is no memory. */
struct rt_thread *rt_thread_adopt(void);

/* A thread's record without a place in a team; NULL: no memory. */
struct rt_thread *rt_thread_new(void);

/* Are there threads that have used the runtime and may do so again? */
bool rt_threads_remain(void);

/* Frees a root thread's record and teams; the thread must be outside of all regions. */
void rt_thread_leave(void *thread);

/*
 * Ends the pool of the calling thread (omp_pause_resource); it is made anew when needed. False: not
 * possible, the thread is in a parallel region.
 */
bool rt_thread_pause(void);

/* The calling thread, never NULL. */
static inline struct rt_thread *rt_self(void)
{
	struct rt_thread *self = rt_current;
	return likely(self != NULL) ? self : rt_thread_adopt();
}

/* The calling task's ICVs, for reading. */
const struct rt_task_icvs *rt_icvs(void);

/* The same for writing: a copy of its own when tasks that it generated still share them. */
struct rt_task_icvs *rt_icvs_write(void);

#endif
