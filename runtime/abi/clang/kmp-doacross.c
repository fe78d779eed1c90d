/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Doacross loops (ordered(n)) as clang's code calls for them: the ranges of the dimensions come
 * before the loop itself, whatever its schedule, and iterations are named by their values.
 */
#include "doacross.h"
#include "events.h"
#include "iteration-posts.h"
#include "kmp.h"
#include "team.h"

_Static_assert(sizeof(struct rt_range) == 3 * sizeof(int64_t), "three 64-bit words a dimension");

KMP_ENTRY(void, __kmpc_doacross_init, int32_t dimensions, const struct rt_range *ranges)
{
	struct rt_thread *self = rt_self();

	KMP_UNUSED();
	if (unlikely(self->member->loop.iteration_posts.share != NULL))
		rt_iteration_posts_end(self);
	rt_iteration_posts_begin(self, (uint32_t)dimensions, ranges);
}

static RT_COLD void emit(
    struct rt_thread *self, ompt_dependence_type_t type, const int64_t *iteration)
{
	rt_doacross_emit(
	    self, type, (const uint64_t *)iteration, self->member->loop.iteration_posts.dimensions);
}

/* A tool sees the source before other threads can have seen it, and a sink once it has come. */
static RT_COLD void post_watched(const int64_t *iteration)
{
	struct rt_thread *self = rt_self();

	if (rt_watched(RT_BY_TOOL))
		emit(self, ompt_dependence_type_source, iteration);
	rt_iteration_posts_post(self, iteration);
}

static RT_COLD void wait_watched(const int64_t *iteration)
{
	struct rt_thread *self = rt_self();

	rt_iteration_posts_wait(self, iteration);
	if (rt_watched(RT_BY_TOOL))
		emit(self, ompt_dependence_type_sink, iteration);
}

/* A thread alone in its team has no posts. */
KMP_ENTRY(void, __kmpc_doacross_post, const int64_t *iteration)
{
	struct rt_thread *self = rt_unwatched;

	KMP_UNUSED();
	if (unlikely(self == NULL))
		post_watched(iteration);
	else if (self->member->loop.iteration_posts.share != NULL)
		rt_iteration_posts_post(self, iteration);
}

KMP_ENTRY(void, __kmpc_doacross_wait, const int64_t *iteration)
{
	struct rt_thread *self = rt_unwatched;

	KMP_UNUSED();
	if (unlikely(self == NULL))
		wait_watched(iteration);
	else if (self->member->loop.iteration_posts.share != NULL)
		rt_iteration_posts_wait(self, iteration);
}

KMP_ENTRY_PLAIN(void, __kmpc_doacross_fini)
{
	KMP_UNUSED();
	rt_iteration_posts_end(rt_self());
}
