/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * teams on the host: the teams of the league execute one after the other on the calling thread,
 * each with a fresh copy of the ICVs. If the program sets no number of teams, it is the same as
 * with libgomp, so that programs print the same with both: nteams-var or three for a host teams
 * construct, one for a teams construct in a target region.
 */
#include "abi.h"
#include "context.h"
#include "process.h"
#include "race.h"
#include "team.h"
#include "teams-construct.h"

/* 0: there is no limit. */
static uint32_t usable_limit(unsigned limit)
{
	if (limit == 0)
		limit = load_relaxed(&rt_process.teams_thread_limit);
	return limit < RT_THREAD_LIMIT_NONE ? limit : RT_THREAD_LIMIT_NONE;
}

static void limit_threads(unsigned limit)
{
	limit = usable_limit(limit);
	if (limit != 0)
		rt_icvs_write()->thread_limit = limit;
}

static void run_one_by_one(struct rt_thread *self, rt_region_fn *fn, void *data, unsigned limit)
{
	struct rt_task_icvs before = *rt_icvs();

	for (self->teams_number = 0; self->teams_number < self->teams_count; self->teams_number++) {
		limit_threads(limit);
		fn(data);
		*rt_icvs_write() = before;
	}
}

/* One of the teams, for race detection. */
struct team_call {
	rt_region_fn *fn;
	void *data;
	unsigned limit;
	struct rt_task_icvs before;
};

static void call_team(void *argument)
{
	const struct team_call *call = argument;

	limit_threads(call->limit);
	call->fn(call->data);
	*rt_icvs_write() = call->before;
}

void rt_teams_run(struct rt_thread *self, const struct rt_teams_request *request)
{
	uint32_t outer_count = self->teams_count, outer_number = self->teams_number;
	struct rt_league league = {.fn = request->fn,
	    .data = request->data,
	    .code = request->code,
	    .requested = request->teams};
	uint32_t teams = request->teams;

	if (teams == 0)
		teams = load_relaxed(&rt_process.num_teams);
	if (teams == 0)
		teams = request->teams_by_default;
	if (rt_watched(RT_BY_TOOL)) {
		league.teams = teams;
		league.thread_limit = usable_limit(request->limit);
		if (rt_league_with_tool(self, &league))
			return;
	}
	self->teams_count = teams;
	if (unlikely(rt_race_has_strands(self))) {
		struct team_call call = {request->fn, request->data, request->limit, *rt_icvs()};
		rt_race_call_league(self, call_team, &call);
	} else {
		run_one_by_one(self, request->fn, request->data, request->limit);
	}
	self->teams_count = outer_count;
	self->teams_number = outer_number;
}

ENTRY(void, GOMP_teams_reg, rt_region_fn *fn, void *data, unsigned teams, unsigned limit,
    unsigned flags)
{
	struct rt_thread *self = rt_self();
	struct rt_teams_request request = {
	    .fn = fn, .data = data, .teams = teams, .teams_by_default = 3, .limit = limit};

	(void)flags;
	rt_note_call(&self);
	rt_teams_run(self, &request);
}

/* In a target region: the body follows inline, and is executed once after GOMP_teams. */
ENTRY(void, GOMP_teams, unsigned teams, unsigned limit)
{
	struct rt_thread *self = rt_self();

	(void)teams;
	self->teams_count = 1;
	self->teams_number = 0;
	limit_threads(limit);
}

/*
 * With GOMP_teams4 the body is executed as long as this returns true; num_teams allows low .. high.
 */
ENTRY(bool, GOMP_teams4, unsigned low, unsigned high, unsigned limit, bool first)
{
	struct rt_thread *self = rt_self();

	if (!first) {
		if (unlikely(rt_race_is_in_target(self)))
			return false;
		if (self->teams_number + 1 < self->teams_count) {
			self->teams_number++;
			return true;
		}
		return false;
	}
	limit_threads(limit);
	self->teams_count = high != 0 ? high : low != 0 ? low : 1;
	self->teams_number = 0;
	if (unlikely(rt_race_is_in_target(self)))
		rt_race_begin_teams(self, self->teams_count);
	return true;
}
