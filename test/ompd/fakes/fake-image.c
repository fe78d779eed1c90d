/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The image: every structure and member of the shared list gets a place, in the target's widths,
 * and the table says where. The widths are roughly those of the runtime's own declarations, because
 * the library has to use the table.
 */
#include "fake-image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/debug-fields.h"

#define NAME_STRUCT(type)        #type,
#define NAME_FIELD(type, member) #type "." #member,

static const char *const structs[] = {RT_DEBUG_STRUCTS(NAME_STRUCT)};
static const char *const fields[] = {RT_DEBUG_FIELDS(NAME_FIELD) RT_DEBUG_ARRAYS(NAME_FIELD)};

enum {
	STRUCTS = sizeof(structs) / sizeof(structs[0]),
	FIELDS = sizeof(fields) / sizeof(fields[0]),
	ROOTS = 0 RT_DEBUG_ROOTS(RT_DEBUG_COUNT),
	EMBEDDED_BYTES = 512,
	INNER_BYTES = 64 /* of what is embedded in something embedded */
};

static struct rt_debug_entry entries[STRUCTS + FIELDS];

static bool is_one_of(const char *name, const char *const *names)
{
	for (; *names; names++)
		if (strcmp(name, *names) == 0)
			return true;
	return false;
}

/* Members that are records themselves, and numbers that are not 32 bits wide; others are pointers.
 */
static const char *const embedded[] = {"rt_process.initial", "rt_process.places",
    "rt_process.nthreads_list", "rt_process.bind_list", "rt_member.implicit", "rt_member.loop",
    "rt_thread.waiting", "rt_team.barrier", "rt_team.join", "rt_slab_block.task", NULL};
static const char *const inner[] = {"rt_member.deque", "rt_team.ready", "rt_deque.slots",
    "rt_loop.args", "rt_team.pair_arrived", "rt_member.taken", NULL};
static const char *const bytes_wide[] = {"rt_process.cancellation", "rt_process.display_affinity",
    "rt_process.debug", "rt_process.tool", "rt_task_icvs.max_active_levels", "rt_task_icvs.bind",
    "rt_task_icvs.dyn", "rt_task.flags", "rt_thread.is_worker", "rt_loop.is_stealing", NULL};
static const char *const four_wide[] = {"rt_process.processors", "rt_process.wait_policy",
    "rt_process.max_task_priority", "rt_process.target_offload", "rt_process.num_teams",
    "rt_process.teams_thread_limit", "rt_task_icvs.nthreads", "rt_task_icvs.thread_limit",
    "rt_task_icvs.run_sched_kind", "rt_task_icvs.run_sched_chunk", "rt_task_icvs.partition_first",
    "rt_task_icvs.partition_length", "rt_task_icvs.default_device", "rt_thread.number",
    "rt_thread.teams_number", "rt_thread.teams_count", "rt_thread.place", "rt_thread.system_id",
    "rt_thread_list.loader", "rt_waiting.state", "rt_team.size", "rt_team.level",
    "rt_team.active_level", "rt_team.parent_number", "rt_team.cancelled", "rt_member.number",
    "rt_roster.capacity", "rt_task.priority", "rt_task.depth", "rt_task.created", "rt_places.count",
    "rt_taskgroup.pending", "rt_taskgroup.cancelled", "rt_depend_node.blockers", "rt_task.detach",
    "rt_task.site", "rt_mutex.state", "rt_barrier.generation", "rt_loop.serial",
    "rt_loop_args.kind", "rt_loop.slot", NULL};
static const char *const eight_wide[] = {"rt_task.joins", "rt_deque.top", "rt_deque.bottom",
    "rt_team.region", "rt_team.pair_joined", "rt_member.seen", "rt_member.joined",
    "rt_waiting.until", "rt_waiting.iteration", "rt_taskloop_range.first", "rt_taskloop_range.last",
    "rt_loop.low", "rt_loop.high", "rt_loop_args.count", "rt_loop_args.chunk",
    "rt_workshare.next_iteration", "rt_workshare.turn", NULL};

static uint32_t width_of(const struct fake_target *target, const char *name)
{
	if (is_one_of(name, embedded))
		return EMBEDDED_BYTES;
	if (is_one_of(name, bytes_wide))
		return 1;
	if (is_one_of(name, four_wide))
		return 4;
	if (strcmp(name, "rt_task_icvs.list_depth") == 0)
		return 2;
	if (is_one_of(name, eight_wide))
		return 8;
	if (is_one_of(name, inner))
		return INNER_BYTES;
	if (strcmp(name, "rt_slab_chunk.blocks") == 0)
		return SLAB_BLOCKS * RECORD_BYTES;
	return target->shape.pointer_bytes;
}

void fake_store(struct fake_target *target, uint64_t address, uint64_t value, uint32_t width)
{
	unsigned char *bytes = &target->memory[address - IMAGE_BASE];

	for (uint32_t i = 0; i < width; i++)
		bytes[target->shape.is_big_endian ? width - 1 - i : i] =
		    (unsigned char)(value >> (8 * i));
}

uint64_t fake_take(struct fake_target *target, uint64_t bytes)
{
	uint64_t address = IMAGE_BASE + target->used;

	target->used += (bytes + 15) & ~(uint64_t)15;
	if (target->used > IMAGE_BYTES)
		abort();
	return address;
}

static const struct rt_debug_entry *find(const char *field)
{
	for (size_t i = 0; i < STRUCTS + FIELDS; i++)
		if (strcmp(entries[i].name, field) == 0)
			return &entries[i];
	fprintf(stderr, "the list has no '%s'\n", field);
	abort();
}

void fake_put(struct fake_target *target, uint64_t record, const char *field, uint64_t value)
{
	const struct rt_debug_entry *entry = find(field);

	if (entry->size > 8)
		abort();
	fake_store(target, record + entry->offset, value, entry->size);
}

uint64_t fake_member(uint64_t record, const char *field)
{
	return record + find(field)->offset;
}

/* Offsets in the order of the list, for each structure separately. */
void fake_lay_out(struct fake_target *target)
{
	size_t count = 0;

	memset(entries, 0, sizeof(entries));
	for (size_t i = 0; i < STRUCTS; i++) {
		strcpy(entries[count].name, structs[i]);
		entries[count++].size = RECORD_BYTES;
	}
	for (size_t i = 0; i < FIELDS; i++) {
		size_t prefix = strcspn(fields[i], ".") + 1;
		uint32_t width = width_of(target, fields[i]), offset = 16, align;
		for (size_t j = 0; j < i; j++)
			if (strncmp(fields[j], fields[i], prefix) == 0)
				offset = find(fields[j])->offset + find(fields[j])->size;
		align = width > 8 ? 8 : width;
		strcpy(entries[count].name, fields[i]);
		entries[count].offset = (offset + align - 1) / align * align;
		entries[count++].size = width;
	}
}

void fake_store_table(struct fake_target *target)
{
	uint32_t pointer = target->shape.pointer_bytes;
	uint32_t header[] = {RT_DEBUG_BYTE_ORDER, RT_DEBUG_VERSION, sizeof(struct rt_debug_header),
	    pointer, ROOTS, sizeof(struct rt_debug_entry), STRUCTS + FIELDS, 202011};
	uint64_t roots[ROOTS] = {target->process, target->list, UNNAMED_CRITICAL, ATOMIC_FALLBACK,
	    target->closed, RANGE_FUNCTION};
	uint64_t at;

	target->table = fake_take(target, sizeof(struct rt_debug_header) + ROOTS * pointer +
					      (STRUCTS + FIELDS) * sizeof(struct rt_debug_entry));
	at = target->table;
	memcpy(&target->memory[at - IMAGE_BASE], RT_DEBUG_MAGIC, 8);
	at += 8;
	for (size_t i = 0; i < sizeof(header) / sizeof(header[0]); i++, at += 4)
		fake_store(target, at, header[i], 4);
	for (size_t i = 0; i < ROOTS; i++, at += pointer)
		fake_store(target, at, roots[i], pointer);
	for (size_t i = 0; i < STRUCTS + FIELDS; i++, at += sizeof(struct rt_debug_entry)) {
		memcpy(&target->memory[at - IMAGE_BASE], entries[i].name, RT_DEBUG_NAME_BYTES);
		fake_store(target, at + RT_DEBUG_NAME_BYTES, entries[i].offset, 4);
		fake_store(target, at + RT_DEBUG_NAME_BYTES + 4, entries[i].size, 4);
	}
}
