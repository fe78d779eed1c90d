/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Entry points that are wrong in one way each, to be preloaded before the runtime: a conformance
 * test that passes with its construct broken tests nothing. BREAK names the one to build.
 */
#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>

#define BARRIER      1
#define CRITICAL     2
#define SINGLE       3
#define TASKWAIT     4
#define TASKGROUP    5
#define ORDERED      6
#define DOACROSS     7
#define ATOMIC       8
#define LOCK         9
#define CANCEL       10
#define DYNAMIC_LOOP 11
#define DEPEND       12
#define UNDEFERRED   13
#define LEVEL        14
#define NUM_THREADS  15
#define SECTIONS     16
#define TEAM_NUMBER  17

/* The runtime's own function of this name. */
#define REAL(name) ((__typeof__(&(name)))dlsym(RTLD_NEXT, #name))

#if BREAK == BARRIER
void GOMP_barrier(void);
void GOMP_barrier(void)
{
}
#elif BREAK == CRITICAL
void GOMP_critical_start(void);
void GOMP_critical_end(void);
void GOMP_critical_start(void)
{
}
void GOMP_critical_end(void)
{
}
#elif BREAK == SINGLE
bool GOMP_single_start(void);
bool GOMP_single_start(void)
{
	return true;
}
#elif BREAK == TASKWAIT
void GOMP_taskwait(void);
void GOMP_taskwait(void)
{
}
#elif BREAK == TASKGROUP
void GOMP_taskgroup_start(void);
void GOMP_taskgroup_end(void);
void GOMP_taskgroup_start(void)
{
}
void GOMP_taskgroup_end(void)
{
}
#elif BREAK == ORDERED
void GOMP_ordered_start(void);
void GOMP_ordered_end(void);
void GOMP_ordered_start(void)
{
}
void GOMP_ordered_end(void)
{
}
#elif BREAK == DOACROSS
void GOMP_doacross_wait(long first, ...);
void GOMP_doacross_wait(long first, ...)
{
	(void)first;
}
#elif BREAK == ATOMIC
void GOMP_atomic_start(void);
void GOMP_atomic_end(void);
void GOMP_atomic_start(void)
{
}
void GOMP_atomic_end(void)
{
}
#elif BREAK == LOCK
void omp_set_lock(void *lock);
void omp_unset_lock(void *lock);
int omp_test_lock(void *lock);
void omp_set_lock(void *lock)
{
	(void)lock;
}
void omp_unset_lock(void *lock)
{
	(void)lock;
}
int omp_test_lock(void *lock)
{
	(void)lock;
	return 1;
}
#elif BREAK == CANCEL
bool GOMP_cancel(int which, bool perform);
bool GOMP_cancel(int which, bool perform)
{
	(void)which;
	(void)perform;
	return false;
}
#elif BREAK == DYNAMIC_LOOP
bool GOMP_loop_nonmonotonic_dynamic_next(long *start, long *end);
bool GOMP_loop_nonmonotonic_dynamic_next(long *start, long *end)
{
	bool more = REAL(GOMP_loop_nonmonotonic_dynamic_next)(start, end);

	*start -= more; /* one iteration a second time */
	return more;
}
#elif BREAK == DEPEND || BREAK == UNDEFERRED
#define HAS_DEPENDENCES 8u
void GOMP_task(void (*body)(void *), void *data, void (*copy)(void *, void *), long size,
    long align, bool deferrable, unsigned flags, void **depend, int priority, void *detach);
void GOMP_task(void (*body)(void *), void *data, void (*copy)(void *, void *), long size,
    long align, bool deferrable, unsigned flags, void **depend, int priority, void *detach)
{
	if (BREAK == DEPEND)
		flags &= ~HAS_DEPENDENCES;
	else
		deferrable = true;
	REAL(GOMP_task)(body, data, copy, size, align, deferrable, flags, depend, priority, detach);
}
#elif BREAK == LEVEL
int omp_get_level(void);
int omp_get_level(void)
{
	return REAL(omp_get_level)() > 0;
}
#elif BREAK == NUM_THREADS
void GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags);
void GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags)
{
	REAL(GOMP_parallel)(body, data, threads > 2 ? threads - 1 : threads, flags);
}
#elif BREAK == SECTIONS
unsigned GOMP_sections_next(void);
unsigned GOMP_sections_next(void)
{
	unsigned section = REAL(GOMP_sections_next)();

	return section == 5 ? REAL(GOMP_sections_next)() : section; /* the fifth never runs */
}
#elif BREAK == TEAM_NUMBER
int omp_get_thread_num(void);
int omp_get_thread_num(void)
{
	int number = REAL(omp_get_thread_num)();

	return number == 2 ? 1 : number;
}
#else
#error "BREAK: expected one of the names above"
#endif
