/* SPDX-License-Identifier: BSD-3-Clause */
/* What the entry points of all work-sharing constructs have in common: schedules and storage. */
#include "loop-entry.h"
#include "abi.h"

#include <stdlib.h>
#include <string.h>

#include "initial-thread.h"
#include "loops.h"
#include "message.h"
#include "race.h"
#include "reduction.h"
#include "work-end.h"
#include "work-events.h"
#include "shared/loop-schedule.h"

struct rt_loop_args rt_loop_args_for(struct rt_loop_args args, long schedule, uint64_t chunk)
{
	bool monotonic = schedule & RT_SCHEDULE_MONOTONIC;

	switch (schedule & ~(long)RT_SCHEDULE_MONOTONIC) {
	case GFS_RUNTIME:
		rt_loop_runtime_schedule(rt_self(), &args);
		args.nonmonotonic &= !monotonic;
		return args;
	case GFS_DYNAMIC:
		if (unlikely(chunk == DIVIDED_LOOP_CHUNK)) {
			args.kind = RT_LOOP_STATIC;
			args.chunk = rt_race_loop_chunk();
			return args;
		}
		if (unlikely(chunk >= LANE_LOOP_CHUNK && rt_watched(RT_BY_RACE))) {
			args.kind = RT_LOOP_STATIC;
			args.chunk = chunk - LANE_LOOP_CHUNK;
			args.lanes = true;
			return args;
		}
		args.kind = RT_LOOP_DYNAMIC;
		args.nonmonotonic = !monotonic;
		break;
	case GFS_GUIDED:
		args.kind = RT_LOOP_GUIDED;
		break;
	default: /* static and auto */
		args.kind = RT_LOOP_STATIC;
	}
	args.chunk = chunk;
	return args;
}

/* libpomp looks it up by its name (shared/loop-schedule.h). */
LONE_ENTRY(void, ompinst_next_loop, int kind, int chunk, struct loop_marks *marks)
{
	struct rt_member *member = rt_self()->member;

	member->next_schedule = (struct loop_schedule){(enum loop_schedule_kind)kind, chunk};
	member->next_marks = marks;
}

void rt_share_storage(struct rt_thread *self, uintptr_t *reductions, void **memory)
{
	struct rt_workshare *share = self->member->loop.share;
	bool first;

	if (reductions == NULL && memory == NULL && self->member->loop.dimensions == 0)
		return;
	first = rt_workshare_prepare(self, share);
	if (first)
		rt_doacross_prepare(self);
	if (first && memory != NULL) {
		size_t bytes = rt_padded_size((size_t)(uintptr_t)*memory);
		share->memory =
		    aligned_alloc(PROCESSOR_APART, bytes != 0 ? bytes : PROCESSOR_APART);
		if (share->memory == NULL)
			rt_fatal("no memory for what the threads of a work-sharing construct share "
				 "(%zu bytes); the program ends here",
			    bytes);
		memset(share->memory, 0, bytes);
	}
	if (reductions != NULL)
		rt_reduction_share(self, reductions, first);
	if (memory != NULL)
		*memory = share->memory;
	if (first)
		rt_workshare_prepared(share);
}

RT_COLD void rt_end_work_share_watched(const void *caller, void *frame)
{
	struct rt_thread *self = rt_self();

	if (rt_watched(RT_BY_TOOL))
		rt_work_end(rt_tool_note_call(self, caller, frame), caller);
	rt_loop_end(self);
}
