/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libpomp as harnesses use it. Its constructor does not start measuring, so each run can start it,
 * or begin with the state after the start. Results are not printed. The runtime of the lock
 * routines is a mutex.
 */
#include "library.h"

#include "check.h"
#include "run-end.h"
#include "runtime-routine.h"
#include "totals.h"

#include <pthread.h>
#include <string.h>

OMPRegDescr library_loop[LIBRARY_REGIONS] = {
    {.name = "for", .sub_name = "", .file_name = "a.c", .begin_line1 = 1},
    {.name = "for", .sub_name = "", .file_name = "a.c", .begin_line1 = 2},
    {.name = "for", .sub_name = "", .file_name = "a.c", .begin_line1 = 3},
};
OMPRegDescr library_parallel = {.name = "parallel", .sub_name = "", .file_name = "a.c"};
OMPRegDescr library_critical = {.name = "critical", .sub_name = "c", .file_name = "a.c"};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

bool __real_pomp_measurement_start(void);
bool __wrap_pomp_measurement_start(void);
bool __wrap_pomp_measurement_start(void)
{
	return check_is_running() && __real_pomp_measurement_start();
}

void __wrap_pomp_report(unsigned stuck);
void __wrap_pomp_report(unsigned stuck)
{
	(void)stuck;
}

static void set(void *unused)
{
	(void)unused;
	pthread_mutex_lock(&lock);
}

static void unset(void *unused)
{
	(void)unused;
	pthread_mutex_unlock(&lock);
}

runtime_routine *__wrap_pomp_runtime_routine(const char *name, const void *caller);
runtime_routine *__wrap_pomp_runtime_routine(const char *name, const void *caller)
{
	(void)caller;
	return (runtime_routine *)(strcmp(name, "omp_set_lock") == 0 ? set : unset);
}

void library_measures(void)
{
	pomp_process.settings.profiling = true;
	pomp_process.settings.total_memory = UINT64_MAX;
	pomp_process.clock.counter = true;
	store_relaxed(&pomp_state, POMP_STATE_ON);
}

void library_traces(void)
{
	library_measures();
	pomp_process.settings.tracing = true;
	store_relaxed(&pomp_experiment.path, (char *)"folder");
}

struct pomp_thread *library_thread(void)
{
	return pomp_self != NULL ? pomp_self : pomp_thread_attach();
}

uint64_t library_visits(uint64_t id)
{
	pomp_lock_process();
	uint64_t visits = pomp_region_total(pomp_region_find(id)).visits;
	pomp_unlock_process();
	return visits;
}
