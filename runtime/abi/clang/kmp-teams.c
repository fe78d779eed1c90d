/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * teams on the host. If the program sets no number of teams, there is one, as with libomp, so that
 * programs print the same with both.
 */
#include <alloca.h>

#include "kmp.h"
#include "microtask.h"
#include "teams-construct.h"

KMP_ENTRY(void, __kmpc_push_num_teams, int32_t teams, int32_t limit)
{
	struct rt_clauses *clauses = &rt_self()->clauses;

	KMP_UNUSED();
	clauses->teams = kmp_positive(teams);
	clauses->thread_limit = kmp_positive(limit);
}

/* With bounds: as many teams as allowed. */
KMP_ENTRY(void, __kmpc_push_num_teams_51, int32_t low, int32_t high, int32_t limit)
{
	struct rt_clauses *clauses = &rt_self()->clauses;

	KMP_UNUSED();
	clauses->teams = kmp_positive(high != 0 ? high : low);
	clauses->thread_limit = kmp_positive(limit);
}

/* For target: the calling task, a target task, executes the region on the host. */
KMP_ENTRY(void, __kmpc_set_thread_limit, int32_t limit)
{
	KMP_UNUSED();
	if (limit > 0)
		rt_icvs_begin_group((uint32_t)limit);
}

LONE_ENTRY(void, __kmpc_fork_teams, const struct kmp_ident *ident, int32_t count,
    kmp_microtask_fn *fn, ...)
{
	struct rt_thread *self = rt_self();
	void **arguments = alloca((size_t)count * sizeof(*arguments));
	struct kmp_microtask microtask = {fn, count, arguments};
	struct rt_teams_request request = {.fn = kmp_microtask_run,
	    .data = &microtask,
	    .code = (rt_region_fn *)(uintptr_t)fn,
	    .teams = self->clauses.teams,
	    .teams_by_default = 1,
	    .limit = self->clauses.thread_limit};
	va_list list;

	(void)ident;
	va_start(list, fn);
	kmp_microtask_arguments(count, arguments, list);
	va_end(list);
	self->clauses.teams = self->clauses.thread_limit = 0;
	rt_note_call(&self);
	rt_teams_run(self, &request);
}
