/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Each construct as one compiler generates it, as a table of functions. gcc and clang each compile
 * mixed-side.c, and mixed.c lets the constructs of one work with those of the other. All of them
 * are orphaned: they bind to the region of their caller.
 */
#ifndef MIXED_H
#define MIXED_H
#include <omp.h>
#include <stdint.h>

typedef void work_fn(void *data);
typedef void turn_fn(int i, void *data);

struct side {
	const char *name;
	void (*parallel)(int threads, work_fn *fn, void *data);
	void (*barrier)(void);
	void (*masked)(work_fn *fn, void *data);
	void (*single)(work_fn *fn, void *data);
	int (*broadcast)(int value); /* single copyprivate: one thread's value */
	void (*dynamic)(int count, turn_fn *fn, void *data);
	void (*steady)(int count, turn_fn *fn, void *data); /* schedule(static) */
	void (*in_order)(int count, turn_fn *fn, void *data);
	void (*ordered)(work_fn *fn, void *data); /* within in_order */
	void (*reduce)(int count, long *sum);     /* adds 0 .. count - 1; *sum is shared */
	void (*sections)(work_fn *first, work_fn *second, void *data);
	void (*task)(work_fn *fn, void *data);
	void (*task_on)(int *place, work_fn *fn, void *data); /* depend(inout: *place) */
	void (*taskwait)(void);
	void (*taskgroup)(work_fn *fn, void *data);
	void (*taskloop)(int count, turn_fn *fn, void *data);
	void (*cancel)(void);                            /* a task that cancels its taskgroup */
	void (*task_to_cancel)(work_fn *fn, void *data); /* a task, unless it is cancelled */
	void (*reduce_tasks)(work_fn *fn, void *data);   /* executes fn in a taskgroup */
	void (*add)(long value);                         /* a task in the reduction */
	void (*detach)(uintptr_t *event, work_fn *fn, void *data);
	void (*fulfill)(uintptr_t event);
	void (*lock)(omp_lock_t *lock);
	void (*unlock)(omp_lock_t *lock);
	int *(*own)(void);   /* the thread's copy of `own_of_gcc` */
	int *(*other)(void); /* the thread's copy of `own_of_clang` */
	int (*number)(void);
	int (*size)(void);
	int (*level)(void);
};

/*
 * The variable that reduce_tasks reduces. It is global because clang 19 loses the address of what a
 * pointer points to.
 */
extern long mixed_sum;
extern const struct side mixed_gcc, mixed_clang;

#endif
