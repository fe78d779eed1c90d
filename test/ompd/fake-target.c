/* SPDX-License-Identifier: BSD-3-Clause */
/* The image and the callbacks; see fake-target.h. */
#include "fake-target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "shared/debug-fields.h"

struct fake_record fake;

#define NAME_STRUCT(type)        #type,
#define NAME_FIELD(type, member) #type "." #member,

static const char *const structs[] = {RT_DEBUG_STRUCTS(NAME_STRUCT)};
static const char *const fields[] = {RT_DEBUG_FIELDS(NAME_FIELD) RT_DEBUG_ARRAYS(NAME_FIELD)};

enum {
	STRUCTS = sizeof(structs) / sizeof(structs[0]),
	FIELDS = sizeof(fields) / sizeof(fields[0]),
	ROOTS = 0 RT_DEBUG_ROOTS(RT_DEBUG_COUNT),
	EMBEDDED_BYTES = 512,
	INNER_BYTES = 64, /* of what is embedded in something embedded */
	RECORD_BYTES = 2048
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
    "rt_loop.args", "rt_team.pair_arrived", NULL};
static const char *const bytes_wide[] = {"rt_process.cancellation", "rt_process.display_affinity",
    "rt_process.debug", "rt_process.tool", "rt_task_icvs.max_active_levels", "rt_task_icvs.bind",
    "rt_task_icvs.dyn", "rt_task.flags", "rt_thread.is_worker", NULL};
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
    "rt_loop_args.kind", NULL};
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

static void store(struct fake_target *target, uint64_t address, uint64_t value, uint32_t width)
{
	unsigned char *bytes = &target->memory[address - IMAGE_BASE];

	for (uint32_t i = 0; i < width; i++)
		bytes[target->shape.is_big_endian ? width - 1 - i : i] =
		    (unsigned char)(value >> (8 * i));
}

static uint64_t take(struct fake_target *target, uint64_t bytes)
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
	store(target, record + entry->offset, value, entry->size);
}

static uint64_t member(uint64_t record, const char *field)
{
	return record + find(field)->offset;
}

/* Offsets in the order of the list, each structure of its own. */
static void lay_out(struct fake_target *target)
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

static void store_table(struct fake_target *target)
{
	uint32_t pointer = target->shape.pointer_bytes;
	uint32_t header[] = {RT_DEBUG_BYTE_ORDER, RT_DEBUG_VERSION, sizeof(struct rt_debug_header),
	    pointer, ROOTS, sizeof(struct rt_debug_entry), STRUCTS + FIELDS, 202011};
	uint64_t roots[ROOTS] = {target->process, target->list, UNNAMED_CRITICAL, ATOMIC_FALLBACK,
	    target->closed, RANGE_FUNCTION};
	uint64_t at;

	target->table = take(target, sizeof(struct rt_debug_header) + ROOTS * pointer +
					 (STRUCTS + FIELDS) * sizeof(struct rt_debug_entry));
	at = target->table;
	memcpy(&target->memory[at - IMAGE_BASE], RT_DEBUG_MAGIC, 8);
	at += 8;
	for (size_t i = 0; i < sizeof(header) / sizeof(header[0]); i++, at += 4)
		store(target, at, header[i], 4);
	for (size_t i = 0; i < ROOTS; i++, at += pointer)
		store(target, at, roots[i], pointer);
	for (size_t i = 0; i < STRUCTS + FIELDS; i++, at += sizeof(struct rt_debug_entry)) {
		memcpy(&target->memory[at - IMAGE_BASE], entries[i].name, RT_DEBUG_NAME_BYTES);
		store(target, at + RT_DEBUG_NAME_BYTES, entries[i].offset, 4);
		store(target, at + RT_DEBUG_NAME_BYTES + 4, entries[i].size, 4);
	}
}

static uint64_t text(struct fake_target *target, const char *words, size_t bytes)
{
	uint64_t address = take(target, bytes);

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
	values = take(target, 8);
	store(target, values, 2, 4);
	store(target, values + 4, 3, 4);
	record = member(process, "rt_process.nthreads_list");
	fake_put(target, record, "rt_value_list.values", values);
	fake_put(target, record, "rt_value_list.count", 2);
	mask = take(target, 2 * 8);
	store(target, mask, 0x1b, wide); /* {0:2,3:2}, {5} */
	store(target, mask + 8, 0x20, wide);
	record = member(process, "rt_process.places");
	fake_put(target, record, "rt_places.masks", mask);
	fake_put(target, record, "rt_places.mask_bytes", 8);
	fake_put(target, record, "rt_places.count", 2);
	record = member(process, "rt_process.initial");
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
	uint64_t record = take(target, RECORD_BYTES), task = member(record, "rt_member.implicit");

	fake_put(target, record, "rt_member.team", team);
	fake_put(target, record, "rt_member.thread", thread);
	fake_put(target, record, "rt_member.number", number);
	store(target, member(roster, "rt_roster.members") + number * target->shape.pointer_bytes,
	    record, target->shape.pointer_bytes);
	fake_put(target, task, "rt_task.icvs", member(target->process, "rt_process.initial"));
	fake_put(target, task, "rt_task.flags", 1);
	fake_put(target, task, "rt_task.parent", parent_task);
	fake_put(target, task, "rt_task.depth", parent_task != 0);
	fake_put(target, task, "rt_task.team", team);
	return record;
}

static uint64_t make_team(struct fake_target *target, uint32_t size, uint64_t parent)
{
	uint64_t team = take(target, RECORD_BYTES), roster = take(target, 128), request;

	fake_put(target, team, "rt_team.size", size);
	fake_put(target, team, "rt_team.level", parent != 0);
	fake_put(target, team, "rt_team.active_level", parent != 0);
	fake_put(target, team, "rt_team.parent", parent);
	fake_put(target, team, "rt_team.roster", roster);
	fake_put(target, roster, "rt_roster.capacity", size);
	if (parent != 0) {
		request = take(target, 64);
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
	uint64_t thread = take(target, RECORD_BYTES);

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
	fake_put(target, thread, "rt_thread.member", task - find("rt_member.implicit")->offset);
}

/* The roster lies behind its team, which takes whole records. */
static uint64_t team_of(uint64_t roster)
{
	return roster - RECORD_BYTES;
}

void fake_wait(struct fake_target *target, uint64_t thread, uint64_t task, uint64_t lock)
{
	uint64_t note = member(thread, "rt_thread.waiting");

	fake_put(target, note, "rt_waiting.state", lock != 0 ? ompt_state_wait_lock : 0);
	fake_put(target, note, "rt_waiting.id", lock);
	fake_put(target, note, "rt_waiting.task", task);
}

static void make_regions(struct fake_target *target)
{
	uint64_t roster = make_team(target, 1, 0), note;
	const char *implicit = "rt_member.implicit";

	target->initial_team = team_of(roster);
	target->initial_task = member(
	    make_member(target, target->initial_team, roster, 0, target->main_thread, 0), implicit);
	roster = make_team(target, 2, target->initial_team);
	target->team = team_of(roster);
	target->implicit[0] = member(
	    make_member(target, target->team, roster, 0, target->main_thread, target->initial_task),
	    implicit);
	target->implicit[1] = member(
	    make_member(target, target->team, roster, 1, target->worker, target->initial_task),
	    implicit);
	target->explicit_task = take(target, RECORD_BYTES);
	fake_put(target, target->explicit_task, "rt_task.icvs",
	    member(target->process, "rt_process.initial"));
	fake_put(target, target->explicit_task, "rt_task.parent", target->implicit[0]);
	fake_put(target, target->explicit_task, "rt_task.depth", 2);
	fake_put(target, target->explicit_task, "rt_task.team", target->team);
	fake_put(target, target->explicit_task, "rt_task.fn", TASK_FUNCTION);
	fake_put(target, target->explicit_task, "rt_task.flags", 4);
	fake_put(target, target->explicit_task, "rt_task.frame", TASK_FRAME);
	place_thread(target, target->main_thread, target->team, 0, target->explicit_task);
	fake_put(target, target->main_thread, "rt_thread.member",
	    target->implicit[0] - find("rt_member.implicit")->offset);
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
	place_thread(target, target->idler, target->idle_team, 1, member(note, implicit));
	note = member(target->idler, "rt_thread.waiting");
	fake_put(target, note, "rt_waiting.state", ompt_state_idle);
	fake_put(target, note, "rt_waiting.task", member(note, implicit));
}

/* A task in a block of the main thread's slab, generated by the implicit task of number 0. */
static uint64_t make_slab_task(struct fake_target *target, uint64_t chunk, uint32_t number)
{
	uint64_t block = member(chunk, "rt_slab_chunk.blocks") + number * (uint64_t)RECORD_BYTES;
	uint64_t task = member(block, "rt_slab_block.task");

	fake_put(target, task, "rt_task.parent", target->implicit[0]);
	fake_put(target, task, "rt_task.depth", 2);
	fake_put(target, task, "rt_task.team", target->team);
	fake_put(target, task, "rt_task.fn", QUEUED_FUNCTION);
	return task;
}

static uint64_t make_node(struct fake_target *target, uint64_t task)
{
	uint64_t node = take(target, RECORD_BYTES / 8);

	fake_put(target, task, "rt_task.node", node);
	fake_put(target, node, "rt_depend_node.task", task);
	return node;
}

/* A ready task, one that waits for the explicit task, one for an event, a range, a free block. */
static void make_slab(struct fake_target *target)
{
	uint64_t slab = take(target, 128), edge = take(target, 64), range = take(target, 64);
	uint64_t from, to;
	uint64_t chunk = take(target, 16 + SLAB_BLOCKS * RECORD_BYTES + 16);

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
	lay_out(target);
	target->process = take(target, 8192);
	target->list = take(target, 64);
	target->lock = take(target, 64);
	target->door = take(target, 64);
	target->idler = make_thread(target, 2, 0);
	target->worker = make_thread(target, 1, target->idler);
	target->main_thread = make_thread(target, 0, target->worker);
	fake_put(target, target->list, "rt_thread_list.first", target->main_thread);
	make_process(target);
	make_regions(target);
	target->closed = take(target, 16);
	make_slab(target);
	store_table(target);
}

void fake_reset(void)
{
	long live = fake.live_blocks;

	fake = (struct fake_record){.live_blocks = live};
}

static bool fails(void)
{
	long number = ++fake.calls;

	return number == fake.fail_at || (fake.stays && fake.fail_at != 0 && number > fake.fail_at);
}

static ompd_rc_t allocate(ompd_size_t bytes, void **memory)
{
	if (fails())
		return fake.failure;
	if (fake.largest_block < bytes)
		fake.largest_block = bytes;
	*memory = malloc(bytes);
	memset(*memory, 0xa5, bytes); /* nobody may count on zeros */
	fake.live_blocks++;
	return ompd_rc_ok;
}

static ompd_rc_t release(void *memory)
{
	if (memory == NULL)
		fake.fault = "free_memory(NULL)";
	free(memory);
	fake.live_blocks--;
	return ompd_rc_ok;
}

static ompd_rc_t print(const char *string, int category)
{
	(void)string;
	(void)category;
	fake.fault = "print_string() was called";
	return ompd_rc_ok;
}

static ompd_rc_t give_sizes(ompd_address_space_context_t *context, ompd_device_type_sizes_t *sizes)
{
	uint8_t wide = ((struct fake_target *)context)->shape.pointer_bytes;

	if (fails())
		return fake.failure;
	*sizes = (ompd_device_type_sizes_t){1, 2, 4, wide, 8, wide};
	return ompd_rc_ok;
}

static ompd_rc_t look_up(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
    const char *name, ompd_address_t *address, const char *file)
{
	fake.lookups++;
	if (fails())
		return fake.failure;
	if (thread != NULL || file != NULL || strcmp(name, RT_DEBUG_TABLE_SYMBOL) != 0)
		return ompd_rc_error;
	*address = (ompd_address_t){0, ((struct fake_target *)context)->table};
	return ompd_rc_ok;
}

static ompd_rc_t read_image(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
    const ompd_address_t *address, ompd_size_t bytes, void *buffer)
{
	struct fake_target *target = (struct fake_target *)context;
	uint64_t offset = address->address - IMAGE_BASE;

	fake.reads++;
	if (fake.largest_read < bytes)
		fake.largest_read = bytes;
	if (thread != NULL || bytes == 0 || address->address == 0)
		fake.fault = "a read of nothing, or at 0";
	if (fails())
		return fake.failure;
	if (address->address < IMAGE_BASE || offset > IMAGE_BYTES || bytes > IMAGE_BYTES - offset)
		return ompd_rc_device_read_error;
	memcpy(buffer, &target->memory[offset], bytes);
	return ompd_rc_ok;
}

static ompd_rc_t convert(ompd_address_space_context_t *context, const void *input, ompd_size_t unit,
    ompd_size_t count, void *output)
{
	const unsigned char *from = input;
	unsigned char *to = output;

	if (fails())
		return fake.failure;
	for (ompd_size_t i = 0; i < unit * count; i++)
		to[i] = ((struct fake_target *)context)->shape.is_big_endian
			    ? from[i / unit * unit + unit - 1 - i % unit]
			    : from[i];
	return ompd_rc_ok;
}

const ompd_callbacks_t fake_callbacks = {.alloc_memory = allocate,
    .free_memory = release,
    .print_string = print,
    .sizeof_type = give_sizes,
    .symbol_addr_lookup = look_up,
    .read_memory = read_image,
    .read_string = read_image,
    .device_to_host = convert};
