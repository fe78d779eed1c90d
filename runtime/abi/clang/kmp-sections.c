/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sections that members claim one by one, as icx's code calls for them; clang and flang use a
 * static loop. Only each claim passes their number, so the loop that implements them has no end of
 * its own: a number beyond the sections ends it for the member.
 */
#include "events.h"
#include "kmp-work-left.h"
#include "kmp.h"
#include "loops.h"
#include "team.h"
#include "work-events.h"

static const struct rt_loop_args unending = {.kind = RT_LOOP_DYNAMIC,
    .end = INT32_MAX,
    .step = 1,
    .count = INT32_MAX,
    .chunk = 1,
    .is_sections = true};

KMP_ENTRY_PLAIN(int32_t, __kmpc_sections_init)
{
	struct rt_thread *self = rt_self();

	KMP_UNUSED();
	kmp_leave_loop(self);
	rt_loop_begin(self, &unending, RT_SHARE_IF_NEEDED);
	if (rt_watched(RT_BY_TOOL))
		rt_work_close(self);
	return 1;
}

/*
 * A chunk is one section, except for a thread that is alone in its team: it has all in one chunk.
 */
static int32_t claim(struct rt_thread *self)
{
	struct rt_loop *loop = &self->member->loop;

	if (loop->low >= loop->high && !rt_loop_next(self))
		return INT32_MAX;
	return (int32_t)loop->low++;
}

static RT_COLD void note(
    struct rt_thread *self, int32_t section, int32_t sections, const void *caller)
{
	struct rt_loop_args args = unending;

	args.count = (uint64_t)sections;
	if (self->member->work.type != ompt_work_sections)
		rt_work_begin_loop(self, &args, false, caller);
	if (section < sections)
		rt_work_dispatch_section(self, caller);
}

/* Counts from 0; the number of sections or more: none is left. */
KMP_ENTRY(int32_t, __kmpc_next_section, int32_t sections)
{
	struct rt_thread *self = rt_self();
	int32_t section = claim(self);

	KMP_UNUSED();
	if (rt_watched(RT_BY_TOOL))
		note(self, section, sections, CALLER);
	return section;
}

KMP_ENTRY_PLAIN(void, __kmpc_end_sections)
{
	struct rt_thread *self = rt_self();

	KMP_UNUSED();
	if (rt_watched(RT_BY_TOOL))
		rt_work_end(self, CALLER);
	rt_loop_end(self);
}
