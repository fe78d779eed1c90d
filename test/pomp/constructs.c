/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every call of pomp.h with a known number of visits, at the number of threads in argv[1]. With a
 * folder in argv[2] it works there; more arguments are only there.
 */
#include "regions.h"

#include <omp.h>
#include <unistd.h>

enum {
	MAIN,
	PARALLEL,
	LOOP,
	SECTIONS,
	SECTION,
	SINGLE,
	MASTER,
	CRITICAL,
	NAMED,
	ORDERED,
	ATOMIC,
	FLUSH,
	BARRIER,
	TASK,
	TASKWAIT,
	TASKGROUP,
	TASKLOOP,
	TASKYIELD,
	SCOPE,
	TARGET,
	TARGET_DATA,
	TARGET_UPDATE,
	TARGET_ENTER_DATA,
	TARGET_EXIT_DATA,
	TEAMS,
	DISTRIBUTE,
	BARE_LOOP,
	USER,
	NEVER,
	COUNT
};

OMPRegDescr regions[COUNT] = {
    [MAIN] = REGION("region", "main", 1),
    [PARALLEL] = REGION("parallel", "", 10),
    [LOOP] = REGION("for", "", 20),
    [SECTIONS] = REGION("sections", "", 30),
    [SECTION] = REGION("section", "", 35),
    [SINGLE] = REGION("single", "", 40),
    [MASTER] = REGION("master", "", 50),
    [CRITICAL] = REGION("critical", "", 60),
    [NAMED] = REGION("critical", "named", 70),
    [ORDERED] = REGION("ordered", "", 80),
    [ATOMIC] = REGION("atomic", "", 90),
    [FLUSH] = REGION("flush", "", 100),
    [BARRIER] = REGION("barrier", "", 110),
    [TASK] = REGION("task", "", 120),
    [TASKWAIT] = REGION("taskwait", "", 130),
    [TASKGROUP] = REGION("taskgroup", "", 140),
    [TASKLOOP] = REGION("taskloop", "", 150),
    [TASKYIELD] = REGION("taskyield", "", 160),
    [SCOPE] = REGION("scope", "", 170),
    [TARGET] = REGION("target", "", 200),
    [TARGET_DATA] = REGION("target data", "", 210),
    [TARGET_UPDATE] = REGION("target update", "", 220),
    [TARGET_ENTER_DATA] = REGION("target enter data", "", 222),
    [TARGET_EXIT_DATA] = REGION("target exit data", "", 224),
    [TEAMS] = REGION("teams", "", 226),
    [DISTRIBUTE] = REGION("distribute", "", 228),
    [BARE_LOOP] = REGION("loop", "", 230),
    [USER] = REGION("region", "user \"quoted\"", 180),
    [NEVER] = REGION("for", "", 190),
};
const int region_count = COUNT;

enum { ROUNDS = 3, ITERATIONS = 40, TASKS = 5 };

static omp_lock_t lock;
static omp_nest_lock_t nest_lock;
static long sum, named_sum, atomic_sum; /* one for each kind of exclusion */

static void barrier_of(OMPRegDescr *region)
{
	pomp_barrier_enter(region);
#pragma omp barrier
	pomp_barrier_exit(region);
}

static void work_sharing(void)
{
	pomp_for_enter(&regions[LOOP]);
#pragma omp for nowait ordered schedule(static, 1)
	for (int i = 0; i < ITERATIONS; i++) {
		pomp_ordered_enter(&regions[ORDERED]);
#pragma omp ordered
		{
			pomp_ordered_begin(&regions[ORDERED]);
			sum += i;
			pomp_ordered_end(&regions[ORDERED]);
		}
		pomp_ordered_exit(&regions[ORDERED]);
	}
	barrier_of(&regions[LOOP]);
	pomp_for_exit(&regions[LOOP]);

	pomp_sections_enter(&regions[SECTIONS]);
#pragma omp sections nowait
	{
#pragma omp section
		{
			pomp_section_begin(&regions[SECTION]);
			usleep(100);
			pomp_section_end(&regions[SECTION]);
		}
#pragma omp section
		{
			pomp_section_begin(&regions[SECTION]);
			usleep(100);
			pomp_section_end(&regions[SECTION]);
		}
	}
	barrier_of(&regions[SECTIONS]);
	pomp_sections_exit(&regions[SECTIONS]);

	pomp_scope_enter(&regions[SCOPE]);
	barrier_of(&regions[SCOPE]);
	pomp_scope_exit(&regions[SCOPE]);
}

static void exclusion(void)
{
	pomp_critical_enter(&regions[CRITICAL]);
#pragma omp critical
	{
		pomp_critical_begin(&regions[CRITICAL]);
		sum++;
		pomp_critical_end(&regions[CRITICAL]);
	}
	pomp_critical_exit(&regions[CRITICAL]);
	pomp_critical_enter(&regions[NAMED]);
#pragma omp critical(named)
	{
		pomp_critical_begin(&regions[NAMED]);
		named_sum++;
		pomp_critical_end(&regions[NAMED]);
	}
	pomp_critical_exit(&regions[NAMED]);
	pomp_atomic_enter(&regions[ATOMIC]);
#pragma omp atomic
	atomic_sum++;
	pomp_atomic_exit(&regions[ATOMIC]);
	pomp_flush_enter(&regions[FLUSH]);
#pragma omp flush
	pomp_flush_exit(&regions[FLUSH]);
	pomp_target_data_enter(&regions[TARGET_DATA]);
	pomp_target_enter(&regions[TARGET]);
	pomp_target_exit(&regions[TARGET]);
	pomp_target_update_enter(&regions[TARGET_UPDATE]);
	pomp_target_update_exit(&regions[TARGET_UPDATE]);
	pomp_target_data_exit(&regions[TARGET_DATA]);
	pomp_target_enter_data_enter(&regions[TARGET_ENTER_DATA]);
	pomp_target_enter_data_exit(&regions[TARGET_ENTER_DATA]);
	pomp_target_exit_data_enter(&regions[TARGET_EXIT_DATA]);
	pomp_target_exit_data_exit(&regions[TARGET_EXIT_DATA]);
	pomp_teams_enter(&regions[TEAMS]);
	pomp_distribute_enter(&regions[DISTRIBUTE]);
	pomp_distribute_exit(&regions[DISTRIBUTE]);
	pomp_teams_exit(&regions[TEAMS]);
	pomp_loop_enter(&regions[BARE_LOOP]);
	pomp_loop_exit(&regions[BARE_LOOP]);
	pomp_set_lock(&lock);
	pomp_unset_lock(&lock);
	pomp_set_nest_lock(&nest_lock);
	if (pomp_test_nest_lock(&nest_lock) != 2)
		failures++;
	pomp_unset_nest_lock(&nest_lock);
	pomp_unset_nest_lock(&nest_lock);
	pomp_begin(&regions[USER]);
	pomp_end(&regions[USER]);
}

static void tasks(void)
{
	pomp_single_enter(&regions[SINGLE]);
#pragma omp single nowait
	{
		pomp_single_begin(&regions[SINGLE]);
		pomp_taskgroup_enter(&regions[TASKGROUP]);
#pragma omp taskgroup
		{
			pomp_taskgroup_begin(&regions[TASKGROUP]);
			for (int i = 0; i < TASKS; i++) {
				uint64_t task = pomp_task_create_begin(&regions[TASK]);
#pragma omp task firstprivate(task)
				{
					pomp_task_begin(&regions[TASK], task);
					usleep(50);
					pomp_task_end(&regions[TASK], task);
				}
				pomp_task_create_end(&regions[TASK], task);
			}
			pomp_taskgroup_end(&regions[TASKGROUP]);
		}
		pomp_taskgroup_exit(&regions[TASKGROUP]);
		pomp_taskwait_enter(&regions[TASKWAIT]);
#pragma omp taskwait
		pomp_taskwait_exit(&regions[TASKWAIT]);
		pomp_taskyield_enter(&regions[TASKYIELD]);
#pragma omp taskyield
		pomp_taskyield_exit(&regions[TASKYIELD]);
		pomp_taskloop_enter(&regions[TASKLOOP]);
#pragma omp taskloop
		for (int i = 0; i < 4; i++)
			usleep(1);
		pomp_taskloop_exit(&regions[TASKLOOP]);
		pomp_single_end(&regions[SINGLE]);
	}
	barrier_of(&regions[SINGLE]);
	pomp_single_exit(&regions[SINGLE]);
}

static void region(int threads)
{
	uint64_t fork = pomp_parallel_fork(&regions[PARALLEL]);
#pragma omp parallel num_threads(threads)
	{
		pomp_parallel_begin(&regions[PARALLEL], fork);
		work_sharing();
		exclusion();
		tasks();
		barrier_of(&regions[BARRIER]);
#pragma omp master
		{
			pomp_master_begin(&regions[MASTER]);
			pomp_master_end(&regions[MASTER]);
		}
		barrier_of(&regions[PARALLEL]);
		pomp_parallel_end(&regions[PARALLEL]);
	}
	pomp_parallel_join(&regions[PARALLEL], fork);
}

int main(int argc, char **argv)
{
	int threads = argc > 1 ? atoi(argv[1]) : 4;
	uint64_t each = (uint64_t)threads * ROUNDS;
	static const int by_thread[] = {PARALLEL, LOOP, SECTIONS, SCOPE, SINGLE, CRITICAL, NAMED,
	    ATOMIC, FLUSH, BARRIER, USER, TARGET, TARGET_DATA, TARGET_UPDATE, TARGET_ENTER_DATA,
	    TARGET_EXIT_DATA, TEAMS, DISTRIBUTE, BARE_LOOP};
	static const int once[] = {MASTER, TASKGROUP, TASKWAIT, TASKYIELD, TASKLOOP};

	check(argc < 3 || chdir(argv[2]) == 0, "chdir", 0, 1);
	omp_set_dynamic(0);
	pomp_begin(&regions[MAIN]);
	pomp_init_lock(&lock);
	pomp_init_nest_lock(&nest_lock);
	for (int round = 0; round < ROUNDS; round++)
		region(threads);
	pomp_destroy_lock(&lock);
	pomp_destroy_nest_lock(&nest_lock);
	pomp_end(&regions[MAIN]);
	pomp_finalize();

	expect(&regions[MAIN], 1);
	for (size_t i = 0; i < sizeof(by_thread) / sizeof(by_thread[0]); i++)
		expect(&regions[by_thread[i]], each);
	for (size_t i = 0; i < sizeof(once) / sizeof(once[0]); i++)
		expect(&regions[once[i]], ROUNDS);
	expect(&regions[SECTION], 2 * ROUNDS);
	expect(&regions[ORDERED], ITERATIONS * ROUNDS);
	expect(&regions[TASK], TASKS * ROUNDS);
	expect(&regions[NEVER], 0);
	sum += named_sum + atomic_sum;
	check(sum == (ITERATIONS * (ITERATIONS - 1) / 2) * ROUNDS + 3 * (long)each, "sum",
	    (uint64_t)sum, 0);
	print_expected("threads %d", threads);
	print_expected("locations %d", threads);
	print_expected("tasks 120 %d", TASKS * ROUNDS);
	print_expected("acquisitions critical|hand.c:60|%" PRIu64, each);
	print_expected("acquisitions critical(named)|hand.c:70|%" PRIu64, each);
	print_expected("locks 4"); /* two criticals, two lock variables */
	return result();
}
