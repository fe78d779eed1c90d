/* SPDX-License-Identifier: BSD-3-Clause */
/* The scene: an image of a process within a region, as fake_target_make() describes it. */
#include "fake-image.h"

#include <string.h>

const struct fake_shape fake_shapes[FAKE_SHAPES] = {{"64-bit little-endian", 8, false},
    {"64-bit big-endian", 8, true}, {"32-bit little-endian", 4, false},
    {"32-bit big-endian", 4, true}};

static uint64_t text(struct fake_target *target, const char *words, size_t bytes)
{
	uint64_t address = fake_take(target, bytes);

	memcpy(&target->memory[address - IMAGE_BASE], words, bytes);
	return address;
}

static void make_process(struct fake_target *target)
{
	static const char variables[] = "OMP_NUM_THREADS=2,3\0OMP_DYNAMIC=FALSE\0GOMP_SPINCOUNT=7";
	uint64_t process = target->process, record, values, mask;
	uint32_t wide = target->shape.pointer_bytes;

	fake_put(target, process, "rt_process.processors", 12);
	fake_put(target, process, "rt_process.stack_bytes", 65536);
	fake_put(target, process, "rt_process.wait_policy", 2);
	fake_put(target, process, "rt_process.cancellation", 1);
	fake_put(target, process, "rt_process.max_task_priority", 5);
	fake_put(target, process, "rt_process.affinity_format", text(target, "thread %n", 10));
	fake_put(target, process, "rt_process.control_variables",
	    text(target, variables, sizeof(variables)));
	fake_put(target, process, "rt_process.control_variables_size", sizeof(variables));
	values = fake_take(target, 8);
	fake_store(target, values, 2, 4);
	fake_store(target, values + 4, 3, 4);
	record = fake_member(process, "rt_process.nthreads_list");
	fake_put(target, record, "rt_value_list.values", values);
	fake_put(target, record, "rt_value_list.count", 2);
	mask = fake_take(target, 2 * 8);
	fake_store(target, mask, 0x1b, wide); /* {0:2,3:2}, {5} */
	fake_store(target, mask + 8, 0x20, wide);
	record = fake_member(process, "rt_process.places");
	fake_put(target, record, "rt_places.masks", mask);
	fake_put(target, record, "rt_places.mask_bytes", 8);
	fake_put(target, record, "rt_places.count", 2);
	record = fake_member(process, "rt_process.initial");
	fake_put(target, record, "rt_task_icvs.nthreads", 2);
	fake_put(target, record, "rt_task_icvs.thread_limit", 64);
	fake_put(target, record, "rt_task_icvs.run_sched_kind", 0x80000002u);
	fake_put(target, record, "rt_task_icvs.run_sched_chunk", 4);
	fake_put(target, record, "rt_task_icvs.partition_length", 2);
	fake_put(target, record, "rt_task_icvs.default_device", (uint64_t)-1);
	fake_put(target, record, "rt_task_icvs.max_active_levels", 255);
	fake_put(target, record, "rt_task_icvs.bind", 4);
}

/* A member with its implicit task, in the roster of its team. */
static uint64_t make_member(struct fake_target *target, uint64_t team, uint64_t roster,
    uint32_t number, uint64_t thread, uint64_t parent_task)
{
	uint64_t record = fake_take(target, RECORD_BYTES),
		 task = fake_member(record, "rt_member.implicit");

	fake_put(target, record, "rt_member.team", team);
	fake_put(target, record, "rt_member.thread", thread);
	fake_put(target, record, "rt_member.number", number);
	fake_put(target, record, "rt_member.seen", UINT64_C(2) << 32); /* a team's first region */
	fake_store(target,
	    fake_member(roster, "rt_roster.members") + number * target->shape.pointer_bytes, record,
	    target->shape.pointer_bytes);
	fake_put(target, task, "rt_task.icvs", fake_member(target->process, "rt_process.initial"));
	fake_put(target, task, "rt_task.flags", 1);
	fake_put(target, task, "rt_task.parent", parent_task);
	fake_put(target, task, "rt_task.depth", parent_task != 0);
	fake_put(target, task, "rt_task.team", team);
	return record;
}

static uint64_t make_team(struct fake_target *target, uint32_t size, uint64_t parent)
{
	uint64_t team = fake_take(target, RECORD_BYTES), roster = fake_take(target, 128), request;

	fake_put(target, team, "rt_team.size", size);
	fake_put(target, team, "rt_team.region", (uint64_t)size << 32);
	fake_put(target, team, "rt_team.level", parent != 0);
	fake_put(target, team, "rt_team.active_level", parent != 0);
	fake_put(target, team, "rt_team.parent", parent);
	fake_put(target, team, "rt_team.roster", roster);
	fake_put(target, roster, "rt_roster.capacity", size);
	if (parent != 0) {
		request = fake_take(target, 64);
		fake_put(target, request, "rt_region_request.fn", REGION_FUNCTION);
		fake_put(
		    target, team, "rt_team.fn", REGION_FUNCTION + 1); /* of an earlier region */
		fake_put(target, team, "rt_team.request", request);
		if (target->request == 0)
			target->request = request;
		fake_put(target, team, "rt_team.parent_task", target->initial_task);
	}
	return roster;
}

static uint64_t make_thread(struct fake_target *target, uint32_t index, uint64_t next)
{
	uint64_t thread = fake_take(target, RECORD_BYTES);

	fake_put(target, thread, "rt_thread.handle", MAIN_ID + index);
	fake_put(target, thread, "rt_thread.system_id", MAIN_ID + index + 100);
	fake_put(target, thread, "rt_thread.listed_next", next);
	fake_put(target, thread, "rt_thread.teams_count", 1);
	return thread;
}

static void place_thread(
    struct fake_target *target, uint64_t thread, uint64_t team, uint32_t number, uint64_t task)
{
	fake_put(target, thread, "rt_thread.team", team);
	fake_put(target, thread, "rt_thread.number", number);
	fake_put(target, thread, "rt_thread.task", task);
	fake_put(target, thread, "rt_thread.member", task - fake_member(0, "rt_member.implicit"));
}

/* The roster follows its team, which takes whole records. */
static uint64_t team_of(uint64_t roster)
{
	return roster - RECORD_BYTES;
}

void fake_wait(struct fake_target *target, uint64_t thread, uint64_t task, uint64_t lock)
{
	uint64_t note = fake_member(thread, "rt_thread.waiting");

	fake_put(target, note, "rt_waiting.state", lock != 0 ? ompt_state_wait_lock : 0);
	fake_put(target, note, "rt_waiting.id", lock);
	fake_put(target, note, "rt_waiting.task", task);
}

static void make_regions(struct fake_target *target)
{
	uint64_t roster = make_team(target, 1, 0), note;
	const char *implicit = "rt_member.implicit";

	target->initial_team = team_of(roster);
	target->initial_task = fake_member(
	    make_member(target, target->initial_team, roster, 0, target->main_thread, 0), implicit);
	roster = make_team(target, 2, target->initial_team);
	target->team = team_of(roster);
	target->implicit[0] = fake_member(
	    make_member(target, target->team, roster, 0, target->main_thread, target->initial_task),
	    implicit);
	target->implicit[1] = fake_member(
	    make_member(target, target->team, roster, 1, target->worker, target->initial_task),
	    implicit);
	target->explicit_task = fake_take(target, RECORD_BYTES);
	fake_put(target, target->explicit_task, "rt_task.icvs",
	    fake_member(target->process, "rt_process.initial"));
	fake_put(target, target->explicit_task, "rt_task.parent", target->implicit[0]);
	fake_put(target, target->explicit_task, "rt_task.depth", 2);
	fake_put(target, target->explicit_task, "rt_task.team", target->team);
	fake_put(target, target->explicit_task, "rt_task.fn", TASK_FUNCTION);
	fake_put(target, target->explicit_task, "rt_task.flags", 4);
	fake_put(target, target->explicit_task, "rt_task.frame", TASK_FRAME);
	place_thread(target, target->main_thread, target->team, 0, target->explicit_task);
	fake_put(target, target->main_thread, "rt_thread.member",
	    target->implicit[0] - fake_member(0, "rt_member.implicit"));
	place_thread(target, target->worker, target->team, 1, target->implicit[1]);
	fake_put(target, target->worker, "rt_thread.frame", WORKER_FRAME);
	fake_wait(target, target->worker, target->implicit[1], target->lock);
	fake_put(target, target->lock, "rt_mutex.state", (MAIN_ID + 100) << 2 | 1);
	roster = make_team(target, 2, target->team);
	target->idle_team = team_of(roster);
	fake_put(target, target->idle_team, "rt_team.level", 2);
	make_member(target, target->idle_team, roster, 0, target->worker, target->implicit[1]);
	note =
	    make_member(target, target->idle_team, roster, 1, target->idler, target->implicit[1]);
	place_thread(target, target->idler, target->idle_team, 1, fake_member(note, implicit));
	note = fake_member(target->idler, "rt_thread.waiting");
	fake_put(target, note, "rt_waiting.state", ompt_state_idle);
	fake_put(target, note, "rt_waiting.task", fake_member(note, implicit));
}

/* A task in a block of the main thread's slab, generated by the implicit task of number 0. */
static uint64_t make_slab_task(struct fake_target *target, uint64_t chunk, uint32_t number)
{
	uint64_t block =
	    fake_member(chunk, "rt_slab_chunk.blocks") + number * (uint64_t)RECORD_BYTES;
	uint64_t task = fake_member(block, "rt_slab_block.task");

	fake_put(target, task, "rt_task.parent", target->implicit[0]);
	fake_put(target, task, "rt_task.depth", 2);
	fake_put(target, task, "rt_task.team", target->team);
	fake_put(target, task, "rt_task.fn", QUEUED_FUNCTION);
	return task;
}

static uint64_t make_node(struct fake_target *target, uint64_t task)
{
	uint64_t node = fake_take(target, RECORD_BYTES / 8);

	fake_put(target, task, "rt_task.node", node);
	fake_put(target, node, "rt_depend_node.task", task);
	return node;
}

/* A ready task, one that waits for the explicit task, one for an event, a range, a free block. */
static void make_slab(struct fake_target *target)
{
	uint64_t slab = fake_take(target, 128), edge = fake_take(target, 64),
		 range = fake_take(target, 64);
	uint64_t from, to;
	uint64_t chunk = fake_take(target, 16 + SLAB_BLOCKS * RECORD_BYTES + 16);

	fake_put(target, target->main_thread, "rt_thread.slab", slab);
	fake_put(target, slab, "rt_slab.chunks", chunk);
	target->slab_chunk = chunk;
	target->ready = make_slab_task(target, chunk, 0);
	fake_put(target, target->ready, "rt_task.flags", 16);
	fake_put(target, target->ready, "rt_task.site", (uint32_t)(QUEUED_SITE - QUEUED_FUNCTION));
	target->blocked = make_slab_task(target, chunk, 1);
	target->detached = make_slab_task(target, chunk, 2);
	target->range = make_slab_task(target, chunk, 3);
	fake_put(target, target->range, "rt_task.fn", RANGE_FUNCTION);
	fake_put(target, target->range, "rt_task.data", range);
	fake_put(target, range, "rt_taskloop_range.fn", QUEUED_FUNCTION);
	fake_put(target, range, "rt_taskloop_range.first", 3);
	fake_put(target, range, "rt_taskloop_range.last", 10);
	from = make_node(target, target->explicit_task);
	to = make_node(target, target->blocked);
	fake_put(target, from, "rt_depend_node.successors", edge);
	fake_put(target, edge, "rt_depend_edge.successor", to);
	fake_put(target, edge, "rt_depend_edge.next", target->closed);
	fake_put(target, to, "rt_depend_node.blockers", 1);
	fake_put(target, target->detached, "rt_task.flags", 8 | 16);
	fake_put(target, target->detached, "rt_task.frame", TASK_FRAME);
	fake_put(target, target->detached, "rt_task.detach", 1);
}

void fake_target_make(struct fake_target *target, struct fake_shape shape)
{
	memset(target, 0, sizeof(*target));
	target->shape = shape;
	fake_lay_out(target);
	target->process = fake_take(target, 8192);
	target->list = fake_take(target, 64);
	target->lock = fake_take(target, 64);
	target->door = fake_take(target, 64);
	target->idler = make_thread(target, 2, 0);
	target->worker = make_thread(target, 1, target->idler);
	target->main_thread = make_thread(target, 0, target->worker);
	fake_put(target, target->list, "rt_thread_list.first", target->main_thread);
	make_process(target);
	make_regions(target);
	target->closed = fake_take(target, 16);
	make_slab(target);
	fake_store_table(target);
}
