/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Emits the events of work-sharing and masked blocks for tools. Only the member itself touches its
 * note, struct rt_open_work. The note is zero when no construct is open, and before there is a
 * tool.
 */
#include "work-events.h"

#include "events.h"
#include "loops.h"
#include "shared/precondition.h"
#include "team.h"

static void emit(const struct rt_open_work *work, struct rt_thread *self,
    ompt_scope_endpoint_t endpoint, const void *caller)
{
	rt_emit_work((ompt_work_t)work->type, endpoint, &self->team->tool.data,
	    &self->member->implicit.tool.data, work->count, caller);
}

static void begin(struct rt_thread *self, ompt_work_t type, uint64_t count, const void *caller)
{
	struct rt_open_work *work = &self->member->work;

	rt_work_close(self);
	caller = rt_tool_users_address(caller);
	work->type = type;
	work->is_divided = false;
	work->count = count;
	work->caller = caller;
	emit(work, self, ompt_scope_begin, caller);
}

/*
 * Returns where the end was called. An entry point that gcc jumps to does not know that, so the
 * address of the begin replaces it.
 */
static const void *end_of(const void *caller, const void *begun)
{
	return rt_tool_is_runtime_code(caller) ? begun : caller;
}

void rt_work_end(struct rt_thread *self, const void *caller)
{
	CHECK(rt_watched(RT_BY_TOOL), "a tool is attached");

	struct rt_open_work *work = &self->member->work;

	self->member->loop.unusual &= (uint8_t)~RT_LOOP_WATCHED;
	if (work->type == 0)
		return;
	emit(work, self, ompt_scope_end, end_of(caller, work->caller));
	work->type = 0;
}

/*
 * The call that shows the end does not belong to the construct, so the address of its begin is
 * used.
 */
void rt_work_close(struct rt_thread *self)
{
	rt_work_end(self, self->member->work.caller);
}

static void emit_scope(struct rt_thread *self, ompt_scope_endpoint_t endpoint, const void *caller)
{
	rt_emit_work(ompt_work_scope, endpoint, &self->team->tool.data,
	    &self->member->implicit.tool.data, 1, caller);
}

static void emit_masked(struct rt_thread *self, ompt_scope_endpoint_t endpoint, const void *caller)
{
	rt_emit_masked(endpoint, &self->team->tool.data, &self->member->implicit.tool.data, caller);
}

/* Emits one endpoint of a block: emit_scope() or emit_masked(). */
typedef void emit_block(struct rt_thread *, ompt_scope_endpoint_t, const void *caller);

static void begin_block(
    struct rt_thread *self, struct rt_open_blocks *open, emit_block *emit_it, const void *caller)
{
	CHECK(rt_watched(RT_BY_TOOL), "a tool is attached");
	rt_work_close(self);
	caller = rt_tool_users_address(caller);
	if (open->count++ == 0)
		open->caller = caller;
	emit_it(self, ompt_scope_begin, caller);
}

static void end_block(
    struct rt_thread *self, struct rt_open_blocks *open, emit_block *emit_it, const void *caller)
{
	CHECK(rt_watched(RT_BY_TOOL), "a tool is attached");
	rt_work_close(self);
	if (open->count == 0)
		return;
	open->count--;
	emit_it(self, ompt_scope_end, end_of(caller, open->caller));
}

void rt_work_begin_paired_scope(struct rt_thread *self, const void *caller)
{
	begin_block(self, &self->member->work.scopes, emit_scope, caller);
}

void rt_work_end_paired_scope(struct rt_thread *self, const void *caller)
{
	end_block(self, &self->member->work.scopes, emit_scope, caller);
}

void rt_work_begin_masked(struct rt_thread *self, const void *caller)
{
	begin_block(self, &self->member->work.masked, emit_masked, caller);
}

void rt_work_end_masked(struct rt_thread *self, const void *caller)
{
	end_block(self, &self->member->work.masked, emit_masked, caller);
}

/* Only cancelled constructs are still open: a scope may be cancelled, a masked block may not. */
void rt_work_close_all(struct rt_thread *self)
{
	struct rt_open_work *work = &self->member->work;

	rt_work_close(self);
	while (work->masked.count != 0)
		rt_work_end_masked(self, work->masked.caller);
	while (work->scopes.count != 0)
		rt_work_end_paired_scope(self, work->scopes.caller);
}

/* As the loop is executed: the caller has replaced runtime and auto. */
static ompt_work_t loop_type(enum rt_loop_kind kind)
{
	switch (kind) {
	case RT_LOOP_STATIC:
		return ompt_work_loop_static;
	case RT_LOOP_DYNAMIC:
		return ompt_work_loop_dynamic;
	case RT_LOOP_GUIDED:
		return ompt_work_loop_guided;
	default:
		return ompt_work_loop_other;
	}
}

/* Clears `sure`, so that each chunk is claimed by rt_loop_next(), which emits its event. */
void rt_work_begin_loop(
    struct rt_thread *self, const struct rt_loop_args *args, bool is_divided, const void *caller)
{
	CHECK(rt_watched(RT_BY_TOOL), "a tool is attached");

	struct rt_loop *loop = &self->member->loop;

	begin(self, args->is_sections ? ompt_work_sections : loop_type(args->kind),
	    is_divided ? 0 : args->count, caller);
	self->member->work.is_divided = is_divided;
	if (!args->is_sections && rt_event_is_set(ompt_callback_dispatch)) {
		loop->unusual |= RT_LOOP_WATCHED;
		loop->sure = 0;
	}
}

void rt_work_begin_team(struct rt_thread *self)
{
	rt_work_begin_loop(self, &self->team->loop_args, false, self->team->tool.codeptr);
}

/*
 * GOMP_loop_start() may have begun a loop whose members share memory, before gcc's code divides it.
 */
void rt_work_begin_static(
    struct rt_thread *self, ompt_work_t type, uint64_t count, const void *caller)
{
	CHECK(rt_watched(RT_BY_TOOL), "a tool is attached");

	struct rt_open_work *work = &self->member->work;

	if (type == ompt_work_loop_static && work->type != 0 && work->is_divided)
		work->is_divided = false;
	else
		begin(self, type, count, caller);
}

void rt_work_dispatch_static(
    struct rt_thread *self, ompt_work_t type, ompt_dispatch_chunk_t chunk, const void *caller)
{
	CHECK(rt_watched(RT_BY_TOOL), "a tool is attached");
	if (self->member->work.type != type)
		begin(self, type, 0, caller);
	rt_emit_dispatch(&self->team->tool.data, &self->member->implicit.tool.data,
	    type == ompt_work_distribute ? ompt_dispatch_distribute_chunk
					 : ompt_dispatch_ws_loop_chunk,
	    (ompt_data_t){.ptr = &chunk});
}

void rt_work_end_static(struct rt_thread *self, ompt_work_t type, const void *caller)
{
	CHECK(rt_watched(RT_BY_TOOL), "a tool is attached");
	if (self->member->work.type != type)
		begin(self, type, 0, caller);
	rt_work_end(self, caller);
}

void rt_work_end_single(struct rt_thread *self, const void *caller)
{
	CHECK(rt_watched(RT_BY_TOOL), "a tool is attached");
	if (self->member->work.type == ompt_work_single_executor)
		rt_work_end(self, caller);
}

void rt_work_begin_single(struct rt_thread *self, bool executes, const void *caller)
{
	CHECK(rt_watched(RT_BY_TOOL), "a tool is attached");
	begin(self, executes ? ompt_work_single_executor : ompt_work_single_other, 1, caller);
	if (!executes)
		rt_work_end(self, caller);
}

void rt_work_begin_scope(struct rt_thread *self, const void *caller)
{
	CHECK(rt_watched(RT_BY_TOOL), "a tool is attached");
	begin(self, ompt_work_scope, 1, caller);
}

void rt_work_dispatch_chunk(struct rt_thread *self)
{
	CHECK(rt_watched(RT_BY_TOOL), "a tool is attached");

	struct rt_loop *loop = &self->member->loop;
	ompt_dispatch_chunk_t chunk = {
	    .start = loop->low,
	    .iterations = loop->high - loop->low,
	};

	rt_emit_dispatch(&self->team->tool.data, &self->member->implicit.tool.data,
	    ompt_dispatch_ws_loop_chunk, (ompt_data_t){.ptr = &chunk});
}

/* gcc's code chooses the section by its number: the address is where it chooses. */
void rt_work_dispatch_section(struct rt_thread *self, const void *caller)
{
	CHECK(rt_watched(RT_BY_TOOL), "a tool is attached");
	rt_emit_dispatch(&self->team->tool.data, &self->member->implicit.tool.data,
	    ompt_dispatch_section,
	    (ompt_data_t){.ptr = (void *)(uintptr_t)rt_tool_users_address(caller)});
}
