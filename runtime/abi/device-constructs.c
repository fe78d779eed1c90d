/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Device constructs as gcc calls them. The only device is the host: a target region is a call of
 * its function in its own initial task, data mapping has nothing to move, and the other constructs
 * only wait for their dependences. With OMP_TARGET_OFFLOAD=mandatory a construct that names another
 * device ends the program, as OpenMP 5.1, 6.17 requires; omp_invalid_device always does.
 *
 * The common arguments of the entry points, as `gcc -fopenmp -fdump-tree-ompexp` shows them:
 * `count` variables; addresses[i] is a variable's address, or its value for small firstprivate
 * ones; sizes[i] is its size in bytes; kinds[i] contains how it is mapped (low byte) and the
 * logarithm of its alignment (high byte). depend is a list as for GOMP_task(), arguments a list of
 * clause values that NULL ends.
 */
#include <stdlib.h>
#include <string.h>

#include "abi.h"
#include "context.h"
#include "device-number.h"
#include "events.h"
#include "initial-thread.h"
#include "message.h"
#include "omp-api.h"
#include "race.h"
#include "target-events.h"
#include "tasks.h"
#include "team-events.h"
#include "team.h"
#include "thread.h"
#include "watch.h"
#include "with-tool.h"

/*
 * Values of the device argument that are no device numbers; gcc passes -2 for omp_initial_device.
 */
enum { DEVICE_DEFAULT = -1, DEVICE_HOST = -2 };

/* The low byte of a kind for variables of which the region gets a copy. */
enum { MAP_KIND_MASK = 0xff, MAP_ALIGN_SHIFT = 8, MAP_FIRSTPRIVATE = 12 };

enum { TARGET_NOWAIT = 1, TARGET_EXIT_DATA = 2 };

/*
 * One element of the argument list: a device in bits 0 to 6, a clause in bits 8 to 15, its value in
 * the bits above or, if bit 7 is set, in the next element.
 */
enum { ARGUMENT_NEXT = 0x80, ARGUMENT_CLAUSE = 0xff00 };
enum { ARGUMENT_NUM_TEAMS = 0x100, ARGUMENT_THREAD_LIMIT = 0x200 };
enum { ARGUMENT_VALUE_SHIFT = 16 };

typedef void rt_target_fn(void *addresses);

/* What a target region needs when it runs. */
struct region {
	rt_target_fn *fn;
	void **addresses;
	uint32_t thread_limit;
	uint32_t teams;     /* for tools: num_teams, 0: not known */
	const void *caller; /* for tools: where the program called ... */
	void *frame;        /* ... and the frame that it called from */
};

static void require_device(int device, const char *construct)
{
	if (device != DEVICE_HOST)
		rt_device_require(
		    device == DEVICE_DEFAULT ? omp_default_device : device, construct);
}

/* The value of a clause, or 0 if the construct has none or it is not positive. */
static uint32_t find_argument(void **arguments, uintptr_t clause)
{
	if (!arguments)
		return 0;
	while (*arguments) {
		uintptr_t argument = (uintptr_t)*arguments++;
		intptr_t value = (intptr_t)argument >> ARGUMENT_VALUE_SHIFT;
		if (argument & ARGUMENT_NEXT)
			value = (intptr_t)*arguments++;
		if ((argument & ARGUMENT_CLAUSE) == clause && value > 0)
			return value > INT32_MAX ? INT32_MAX : (uint32_t)value;
	}
	return 0;
}

static bool is_firstprivate(unsigned short kind)
{
	return (kind & MAP_KIND_MASK) == MAP_FIRSTPRIVATE;
}

static size_t alignment_of(unsigned short kind)
{
	return (size_t)1 << (kind >> MAP_ALIGN_SHIFT);
}

/* Size of the copies of all firstprivate variables, with slack to align the first one. */
static size_t copies_size(size_t count, const size_t *sizes, const unsigned short *kinds)
{
	size_t total = 0, largest = 1;

	for (size_t i = 0; i < count; i++) {
		if (!is_firstprivate(kinds[i]))
			continue;
		size_t alignment = alignment_of(kinds[i]);
		total = ((total + alignment - 1) & ~(alignment - 1)) + sizes[i];
		if (alignment > largest)
			largest = alignment;
	}
	return total > 0 ? total + largest : 0;
}

/*
 * Copies the firstprivate variables to `room` and makes their addresses point there. An absent
 * optional argument of a Fortran procedure has the address NULL and keeps it.
 */
static void copy_firstprivate(
    char *room, size_t count, void **addresses, const size_t *sizes, const unsigned short *kinds)
{
	size_t largest = 1, used = 0;

	for (size_t i = 0; i < count; i++)
		if (is_firstprivate(kinds[i]) && alignment_of(kinds[i]) > largest)
			largest = alignment_of(kinds[i]);
	room = (char *)(((uintptr_t)room + largest - 1) & ~((uintptr_t)largest - 1));
	for (size_t i = 0; i < count; i++) {
		if (!is_firstprivate(kinds[i]) || !addresses[i])
			continue;
		size_t alignment = alignment_of(kinds[i]);
		used = (used + alignment - 1) & ~(alignment - 1);
		memcpy(room + used, addresses[i], sizes[i]);
		addresses[i] = room + used;
		used += sizes[i];
	}
}

static void run_region(const struct region *region)
{
	struct rt_thread *self = rt_self();
	struct rt_context outer;

	if (!rt_context_enter(self, &outer, region->thread_limit)) {
		rt_fatal("no memory for the team of a target region; the program ends here");
	}
	if (rt_watched(RT_BY_TOOL)) {
		self->team->tool.code = region->fn;
		rt_tool_call_region(self, region->fn, region->addresses);
	} else if (unlikely(rt_race_has_strands(self))) {
		rt_race_call_target(self, region->fn, region->addresses);
	} else {
		region->fn(region->addresses);
	}
	rt_context_leave(rt_self(), &outer);
}

/* What the copy function of a deferred region starts from. */
struct source {
	struct region region;
	size_t count;
	const size_t *sizes;
	const unsigned short *kinds;
};

/* The data of the task is the region, the addresses, and the firstprivate copies, in this order. */
static void copy_region(void *to, void *from)
{
	const struct source *source = from;
	struct region *region = to;
	void **addresses = (void **)(region + 1);

	memcpy(addresses, source->region.addresses, source->count * sizeof(*addresses));
	copy_firstprivate((char *)(addresses + source->count), source->count, addresses,
	    source->sizes, source->kinds);
	*region = source->region;
	region->addresses = addresses;
}

/* Executes a region with its events. target_task: see rt_target_begin(). */
static RT_COLD void run_watched(
    const struct region *region, ompt_target_t kind, struct rt_task *target_task)
{
	struct rt_thread *self = rt_self();
	struct rt_target_note note;

	rt_target_begin(self, &note, kind, target_task, region->caller);
	rt_target_submit(&note, region->teams);
	run_region(region);
	rt_target_end(self, &note);
}

static void run_deferred(void *data)
{
	struct rt_thread *self = rt_self();

	if (rt_watched(RT_BY_TOOL))
		run_watched(data, ompt_target_nowait, self->task);
	else
		run_region(data);
}

static void run_now(const struct region *region)
{
	struct rt_task *task = rt_self()->task;

	if (rt_watched(RT_BY_TOOL)) {
		rt_task_set_enter_frame(task, region->frame);
		run_watched(region, ompt_target, NULL);
		rt_task_set_enter_frame(task, NULL);
	} else {
		run_region(region);
	}
}

/*
 * Makes the region a task. Its variables may be gone when it runs: they and their addresses are
 * copied.
 */
static void defer(const struct region *region, size_t count, const size_t *sizes,
    const unsigned short *kinds, void **depend)
{
	struct source source = {*region, count, sizes, kinds};
	struct rt_task_request request = {.fn = run_deferred,
	    .data = &source,
	    .copy = copy_region,
	    .size = sizeof(*region) + count * sizeof(void *) + copies_size(count, sizes, kinds),
	    .align = _Alignof(struct region),
	    .deferrable = true,
	    .shown = RT_TASK_SHOWN_TARGET,
	    .depend = depend};
	struct rt_thread *self = rt_self();

	if (rt_watched(RT_BY_TOOL))
		rt_task_generate_with_tool(
		    rt_tool_note_call(self, region->caller, region->frame), &request);
	else
		rt_task_generate(self, &request);
}

ENTRY(void, GOMP_target_ext, int device, rt_target_fn *fn, size_t count, void **addresses,
    size_t *sizes, unsigned short *kinds, unsigned int flags, void **depend, void **arguments)
{
	struct region region = {.fn = fn,
	    .addresses = addresses,
	    .thread_limit = find_argument(arguments, ARGUMENT_THREAD_LIMIT),
	    .teams = find_argument(arguments, ARGUMENT_NUM_TEAMS),
	    .caller = CALLER,
	    .frame = __builtin_dwarf_cfa()};

	require_device(device, "a target construct");
	if (flags & TARGET_NOWAIT) {
		defer(&region, count, sizes, kinds, depend);
		return;
	}
	if (depend)
		rt_task_wait_depend(rt_self(), depend, NULL);
	size_t copies = copies_size(count, sizes, kinds);
	void *room = NULL;
	if (copies > 0) {
		room = malloc(copies);
		if (!room) {
			rt_fatal("no memory for a target region's firstprivate variables (%zu "
				 "bytes); the program ends here",
			    copies);
		}
		copy_firstprivate(room, count, addresses, sizes, kinds);
	}
	run_now(&region);
	free(room);
}

/* The form of OpenMP 4.0, which has no clause but map. */
ENTRY(void, GOMP_target, int device, rt_target_fn *fn, const void *unused, size_t count,
    void **addresses, size_t *sizes, unsigned char *kinds)
{
	struct region region = {
	    .fn = fn, .addresses = addresses, .caller = CALLER, .frame = __builtin_dwarf_cfa()};

	(void)unused;
	(void)count;
	(void)sizes;
	(void)kinds;
	require_device(device, "a target construct");
	run_now(&region);
}

/*
 * Data constructs: host memory is its own image. nowait needs no task, because there is nothing to
 * do after the dependences. But a task that depends on the construct must wait for those that the
 * construct depends on; waiting here gives that order.
 */
static void data_construct(int device, const char *construct, void **depend)
{
	require_device(device, construct);
	if (depend)
		rt_task_wait_depend(rt_self(), depend, NULL);
}

static void nothing(void *data)
{
	(void)data;
}

/*
 * With race detection a data construct with nowait is the task that OpenMP 5.2, 13.2 defines:
 * waiting for its dependences here would order them before what follows the construct.
 */
static RT_COLD void data_construct_as_task(int device, const char *construct, void **depend)
{
	struct rt_task_request request = {
	    .fn = nothing, .data = depend, .deferrable = true, .depend = depend};

	require_device(device, construct);
	if (depend)
		rt_task_generate(rt_self(), &request);
}

/* The same with its events. */
static RT_COLD void data_construct_watched(int device, const char *construct, void **depend,
    ompt_target_t kind, const void *caller, void *frame)
{
	struct rt_thread *self = rt_self();
	struct rt_target_note note;

	rt_task_set_enter_frame(self->task, frame);
	rt_target_begin(self, &note, kind, NULL, caller);
	data_construct(device, construct, depend);
	rt_target_end(self, &note);
	rt_task_set_enter_frame(self->task, NULL);
}

/* kind: the form without `nowait`; the flags tell whether there is one. */
static inline __attribute__((always_inline)) void data_directive(int device, const char *construct,
    unsigned flags, void **depend, ompt_target_t kind, const void *caller)
{
	enum { NOWAIT = (int)ompt_target_update_nowait - (int)ompt_target_update };

	if (rt_watched(RT_AT_ROUTINES))
		data_construct_watched(device, construct, depend,
		    (ompt_target_t)((int)kind + (flags & TARGET_NOWAIT ? NOWAIT : 0)), caller,
		    __builtin_dwarf_cfa());
	else if (rt_watched(RT_BY_RACE) && (flags & TARGET_NOWAIT))
		data_construct_as_task(device, construct, depend);
	else
		data_construct(device, construct, depend);
}

ENTRY(void, GOMP_target_data, int device, const void *unused, size_t count, void **addresses,
    size_t *sizes, unsigned char *kinds)
{
	(void)unused;
	(void)count;
	(void)addresses;
	(void)sizes;
	(void)kinds;
	data_directive(device, "a target data construct", 0, NULL, ompt_target_enter_data, CALLER);
}

ENTRY(void, GOMP_target_data_ext, int device, size_t count, void **addresses, size_t *sizes,
    unsigned short *kinds)
{
	(void)count;
	(void)addresses;
	(void)sizes;
	(void)kinds;
	data_directive(device, "a target data construct", 0, NULL, ompt_target_enter_data, CALLER);
}

/* The call does not tell for which device, but that was checked at the construct's begin. */
ENTRY(void, GOMP_target_end_data, void)
{
	data_directive(
	    DEVICE_HOST, "a target data construct", 0, NULL, ompt_target_exit_data, CALLER);
}

ENTRY(void, GOMP_target_update, int device, const void *unused, size_t count, void **addresses,
    size_t *sizes, unsigned char *kinds)
{
	(void)unused;
	(void)count;
	(void)addresses;
	(void)sizes;
	(void)kinds;
	data_directive(device, "a target update construct", 0, NULL, ompt_target_update, CALLER);
}

ENTRY(void, GOMP_target_update_ext, int device, size_t count, void **addresses, size_t *sizes,
    unsigned short *kinds, unsigned int flags, void **depend)
{
	(void)count;
	(void)addresses;
	(void)sizes;
	(void)kinds;
	data_directive(
	    device, "a target update construct", flags, depend, ompt_target_update, CALLER);
}

ENTRY(void, GOMP_target_enter_exit_data, int device, size_t count, void **addresses, size_t *sizes,
    unsigned short *kinds, unsigned int flags, void **depend)
{
	(void)count;
	(void)addresses;
	(void)sizes;
	(void)kinds;
	data_directive(device, "a target enter or exit data construct", flags, depend,
	    flags & TARGET_EXIT_DATA ? ompt_target_exit_data : ompt_target_enter_data, CALLER);
}

/*
 * Returns the function on the device for a host function's address; gcc calls it in device code for
 * `declare target indirect`. The host's functions are at their own addresses.
 */
ENTRY(void *, GOMP_target_map_indirect_ptr, void *function)
{
	return function;
}

/*
 * The compiler's constructors register tables of functions and variables for devices, which are
 * ignored.
 */
ENTRY(void, GOMP_offload_register_ver, unsigned version, const void *host_table, int target_type,
    const void *target_data)
{
	(void)version;
	(void)host_table;
	(void)target_type;
	(void)target_data;
}

ENTRY(void, GOMP_offload_unregister_ver, unsigned version, const void *host_table, int target_type,
    const void *target_data)
{
	GOMP_offload_register_ver(version, host_table, target_type, target_data);
}

ENTRY(void, GOMP_offload_register, const void *host_table, int target_type, const void *target_data)
{
	GOMP_offload_register_ver(0, host_table, target_type, target_data);
}

ENTRY(
    void, GOMP_offload_unregister, const void *host_table, int target_type, const void *target_data)
{
	GOMP_offload_register_ver(0, host_table, target_type, target_data);
}
