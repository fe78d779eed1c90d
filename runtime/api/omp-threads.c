/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The routines of OpenMP 5.1, 3.2 to 3.5, about threads, nesting, teams and tasks: the numbers of
 * threads and teams now, the caller's own number, and the limits. All but the setters only read
 * what the calling thread owns.
 */
#include "environment.h"
#include "initial-thread.h"
#include "omp-api.h"
#include "process.h"
#include "resources.h"
#include "task.h"
#include "team.h"
#include "thread.h"
#include "versions.h"

ROUTINE(void, omp_set_num_threads, (int threads))
{
	struct rt_task_icvs *icvs = rt_icvs_write();

	icvs->nthreads = threads > 0 ? (uint32_t)threads : 1;
	icvs->follows_processors = false;
}

ROUTINE(int, omp_get_num_threads, (void))
{
	return (int)rt_self()->team->size;
}

ROUTINE(int, omp_get_max_threads, (void))
{
	const struct rt_task_icvs *icvs = rt_icvs();

	return (int)(unlikely(icvs->dyn && icvs->follows_processors)
			 ? rt_resources_dynamic_size(icvs, 0)
			 : icvs->nthreads);
}

ROUTINE(int, omp_get_thread_num, (void))
{
	return (int)rt_self()->number;
}

ROUTINE(int, omp_get_num_procs, (void))
{
	rt_environment_use();
	return (int)rt_resources_processors();
}

ROUTINE(int, omp_in_parallel, (void))
{
	return rt_self()->team->active_level > 0;
}

ROUTINE(int, omp_in_final, (void))
{
	return (rt_self()->task->flags & RT_TASK_FINAL) != 0;
}

ROUTINE(int, omp_in_explicit_task, (void))
{
	return (rt_self()->task->flags & RT_TASK_IMPLICIT) == 0;
}

ROUTINE(int, omp_get_thread_limit, (void))
{
	return (int)rt_icvs()->thread_limit;
}

ROUTINE(int, omp_get_level, (void))
{
	return (int)rt_self()->team->level;
}

ROUTINE(int, omp_get_active_level, (void))
{
	return (int)rt_self()->team->active_level;
}

/*
 * Returns the team at a nesting level that encloses the caller, and the caller's number in it; or
 * NULL.
 */
static const struct rt_team *enclosing_team(int level, uint32_t *number)
{
	const struct rt_thread *self = rt_self();
	const struct rt_team *team = self->team;

	*number = self->number;
	if (level < 0 || (uint32_t)level > team->level)
		return NULL;
	while (team && team->level > (uint32_t)level) {
		*number = team->parent_number;
		team = team->parent;
	}
	return team;
}

ROUTINE(int, omp_get_ancestor_thread_num, (int level))
{
	uint32_t number;

	return enclosing_team(level, &number) ? (int)number : -1;
}

ROUTINE(int, omp_get_team_size, (int level))
{
	uint32_t number;
	const struct rt_team *team = enclosing_team(level, &number);

	return team ? (int)team->size : -1;
}

ROUTINE(int, omp_get_num_teams, (void))
{
	return (int)rt_self()->teams_count;
}

ROUTINE(int, omp_get_team_num, (void))
{
	return (int)rt_self()->teams_number;
}

/* nteams-var and teams-thread-limit-var belong to the device; they order nothing else. */
ROUTINE(void, omp_set_num_teams, (int teams))
{
	store_relaxed(&rt_process.num_teams, teams > 0 ? (uint32_t)teams : 0);
}

ROUTINE(int, omp_get_max_teams, (void))
{
	return (int)load_relaxed(&rt_process.num_teams);
}

ROUTINE(void, omp_set_teams_thread_limit, (int limit))
{
	store_relaxed(&rt_process.teams_thread_limit, limit > 0 ? (uint32_t)limit : 0);
}

ROUTINE(int, omp_get_teams_thread_limit, (void))
{
	return (int)load_relaxed(&rt_process.teams_thread_limit);
}

ONLY_IN_LIBOMP(ompc_set_num_threads, omp_set_num_threads);
ONLY_IN_LIBOMP(ompc_get_ancestor_thread_num, omp_get_ancestor_thread_num);
ONLY_IN_LIBOMP(ompc_get_team_size, omp_get_team_size);
