/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The debugger's plugin reads a process that may have been stopped anywhere. Here it looks at all
 * that it can find before each atomic step of programs with regions, tasks, dependences and locks:
 * whatever the structures are in the middle of, every look has to end after a bounded number of
 * reads, each within mapped memory, release what it made, and know the thread that it stands for.
 *
 * At random: the runs differ in the order of steps. Memory is what the newest stores left.
 */
#include <string.h>
#include <sys/mman.h>
#include <sys/uio.h>
#include <unistd.h>

#include "check.h"
#include "ompd-extensions.h"
#include "process.h"
#include "shared/debug-fields.h"

enum {
	POOL = 1 << 24,      /* what one look may allocate */
	READS = 60000,       /* and read: a structure that is a circle takes more */
	DEPTH = 24,          /* regions and tasks above each other; the programs have 3 */
	ROOM = 64,           /* tasks, waits, needs */
	FIRST_THREAD = 1000, /* the kernel's number of thread 0 in the checker */
	TEAM = 2,
};

extern const char rt_debug_table;

/* Not of the library's data, which is put back before each run. */
static char *pool;
static size_t pool_used;
static long live, reads, known;
static ompd_address_space_handle_t *space;

__attribute__((constructor)) static void make_pool(void)
{
	pool = mmap(NULL, POOL, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	EXPECT(pool != MAP_FAILED);
}

static ompd_rc_t allocate(ompd_size_t bytes, void **memory)
{
	bytes = (bytes + 15) & ~(ompd_size_t)15;
	EXPECT(bytes <= POOL - pool_used);
	*memory = pool + pool_used;
	pool_used += bytes;
	live++;
	return ompd_rc_ok;
}

static ompd_rc_t release(void *memory)
{
	EXPECT(memory != NULL);
	live--;
	return ompd_rc_ok;
}

static ompd_rc_t print(const char *text, int category)
{
	(void)text;
	(void)category;
	return ompd_rc_ok;
}

static ompd_rc_t give_sizes(ompd_address_space_context_t *context, ompd_device_type_sizes_t *sizes)
{
	(void)context;
	*sizes = (ompd_device_type_sizes_t){1, 2, 4, sizeof(long), 8, sizeof(void *)};
	return ompd_rc_ok;
}

static ompd_rc_t look_up(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
    const char *name, ompd_address_t *address, const char *file)
{
	(void)context;
	(void)thread;
	(void)file;
	EXPECT(strcmp(name, RT_DEBUG_TABLE_SYMBOL) == 0);
	*address = (ompd_address_t){0, (ompd_addr_t)(uintptr_t)&rt_debug_table};
	return ompd_rc_ok;
}

/* By the kernel, so that memory that is not there is an error and not the end. */
static ompd_rc_t read_memory(ompd_address_space_context_t *context, ompd_thread_context_t *thread,
    const ompd_address_t *address, ompd_size_t bytes, void *buffer)
{
	struct iovec to = {buffer, bytes}, from = {(void *)(uintptr_t)address->address, bytes};

	(void)context;
	(void)thread;
	EXPECT(++reads < READS);
	return process_vm_readv(getpid(), &to, 1, &from, 1, 0) == (ssize_t)bytes
		   ? ompd_rc_ok
		   : ompd_rc_device_read_error;
}

static ompd_rc_t convert(ompd_address_space_context_t *context, const void *input, ompd_size_t unit,
    ompd_size_t count, void *output)
{
	(void)context;
	memmove(output, input, unit * count);
	return ompd_rc_ok;
}

static ompd_rc_t find_thread(ompd_address_space_context_t *context, ompd_thread_id_t kind,
    ompd_size_t bytes, const void *id, ompd_thread_context_t **thread)
{
	(void)kind;
	(void)bytes;
	(void)id;
	*thread = (ompd_thread_context_t *)context;
	return ompd_rc_ok;
}

static const ompd_callbacks_t callbacks = {.alloc_memory = allocate,
    .free_memory = release,
    .print_string = print,
    .sizeof_type = give_sizes,
    .symbol_addr_lookup = look_up,
    .read_memory = read_memory,
    .read_string = read_memory,
    .device_to_host = convert,
    .get_thread_context_for_thread_id = find_thread};

static void look_at_task(ompd_task_handle_t *task)
{
	ompd_frame_info_t leave, enter;
	ompd_address_t function;

	ompd_get_task_function(task, &function);
	ompd_get_task_frame(task, &leave, &enter);
}

/* The task and those below it in the way that `next` goes. */
static void look_at_tasks(ompd_task_handle_t *task,
    ompd_rc_t (*next)(ompd_task_handle_t *, ompd_task_handle_t **), bool is_first)
{
	for (int depth = 0;; depth++) {
		ompd_task_handle_t *below;
		ompd_rc_t rc = next(task, &below);

		EXPECT(depth < DEPTH);
		look_at_task(task);
		if (depth > 0 || !is_first)
			ompd_rel_task_handle(task);
		if (rc != ompd_rc_ok)
			break;
		task = below;
	}
}

static void look_at_members(ompd_parallel_handle_t *region)
{
	ompd_word_t size = 0;

	for (int i = 0; i < TEAM; i++) {
		ompd_thread_handle_t *member;
		ompd_task_handle_t *task;

		if (ompd_get_thread_in_parallel(region, i, &member) == ompd_rc_ok)
			ompd_rel_thread_handle(member);
		if (ompd_get_task_in_parallel(region, i, &task) == ompd_rc_ok) {
			look_at_task(task);
			ompd_rel_task_handle(task);
		}
	}
	ompd_get_icv_from_scope(region, ompd_scope_parallel, 21, &size);
}

static void look_at_regions(ompd_parallel_handle_t *region)
{
	for (int depth = 0;; depth++) {
		ompd_parallel_handle_t *above;
		ompd_rc_t rc = ompd_get_enclosing_parallel_handle(region, &above);

		EXPECT(depth < DEPTH);
		look_at_members(region);
		ompd_rel_parallel_handle(region);
		if (rc != ompd_rc_ok)
			break;
		region = above;
	}
}

static void look_at_thread(uint32_t number)
{
	uint32_t id = FIRST_THREAD + number;
	ompd_thread_handle_t *thread;
	ompd_parallel_handle_t *region;
	ompd_task_handle_t *task;
	ompd_wait_id_t object;
	ompd_word_t state;

	if (ompd_get_thread_handle(space, OMPD_THREAD_ID_LWP, sizeof(id), &id, &thread) !=
	    ompd_rc_ok)
		return;
	known++;
	ompd_get_state(thread, &state, &object);
	if (ompd_get_curr_parallel_handle(thread, &region) == ompd_rc_ok)
		look_at_regions(region);
	if (ompd_get_curr_task_handle(thread, &task) == ompd_rc_ok) {
		look_at_tasks(task, ompd_get_scheduling_task_handle, true);
		look_at_tasks(task, ompd_get_generating_task_handle, true);
		ompd_rel_task_handle(task);
	}
	ompd_rel_thread_handle(thread);
}

/* Everything that the plugin finds in the process. */
static void look(void)
{
	static ompdx_task_t tasks[ROOM];
	static ompdx_task_group_t groups[ROOM];
	static ompdx_dependence_t dependences[ROOM];
	static ompdx_wait_t waits[ROOM];
	static ompdx_need_t needs[ROOM];
	ompd_size_t count, need_count;

	pool_used = 0;
	live = reads = 0;
	EXPECT(ompd_initialize(202011, &callbacks) == ompd_rc_ok);
	EXPECT(ompd_process_initialize((ompd_address_space_context_t *)pool, &space) == ompd_rc_ok);
	for (uint32_t i = 0; i < TEAM + 1; i++)
		look_at_thread(i);
	if (ompdx_get_tasks(space, ~0u, 1, tasks, ROOM, &count) == ompd_rc_ok)
		EXPECT(count < ROOM);
	if (ompdx_get_task_groups(space, groups, ROOM, &count) == ompd_rc_ok)
		EXPECT(count < ROOM);
	if (ompdx_get_dependences(space, dependences, ROOM, &count) == ompd_rc_ok)
		EXPECT(count < ROOM);
	if (ompdx_get_waits(space, 0, NULL, waits, ROOM, &count, needs, ROOM, &need_count) ==
	    ompd_rc_ok)
		EXPECT(count < ROOM);
	ompd_rel_address_space_handle(space);
	EXPECT(live == 0);
	ompd_finalize();
}

/* ------------------------------------------------------------------ programs that are looked at */

void GOMP_parallel(void (*body)(void *), void *data, unsigned threads, unsigned flags);
void GOMP_barrier(void);
void GOMP_critical_start(void);
void GOMP_critical_end(void);

void GOMP_task(void (*body)(void *), void *data, void (*copy)(void *, void *), long size,
    long alignment, bool condition, unsigned flags, void **depend, int priority);
void GOMP_taskwait(void);

static int sum;

static void add(void *data)
{
	(void)data;
	GOMP_critical_start();
	sum++;
	GOMP_critical_end();
}

static void region(void *data)
{
	(void)data;
	add(NULL);
	GOMP_barrier();
	add(NULL);
}

static void run_region(void)
{
	rt_process.spin_count = 0;
	GOMP_parallel(region, NULL, TEAM, 0);
	GOMP_parallel(region, NULL, TEAM, 0);
	EXPECT(sum == 4 * TEAM);
	EXPECT(known > 0);
}
HARNESS(debugger_region, "a debugger looks at threads that fork, wait for a lock, join") = {
    .run = run_region, .random_runs = 20, .at_step = look};

static void generate(void *data)
{
	int *place = data;
	void *depend[] = {(void *)(uintptr_t)1, (void *)(uintptr_t)1, place};

	GOMP_task(add, NULL, NULL, 0, 1, true, 8, depend, 0);
	GOMP_task(add, NULL, NULL, 0, 1, true, 8, depend, 0);
	GOMP_taskwait();
}

static void run_tasks(void)
{
	static int place;

	rt_process.spin_count = 0;
	GOMP_parallel(generate, &place, TEAM, 0);
	EXPECT(sum == 2 * TEAM);
	EXPECT(known > 0);
}
HARNESS(debugger_tasks, "a debugger looks at tasks that depend on each other") = {
    .run = run_tasks, .random_runs = 20, .at_step = look, .reuse = CHECK_REUSE_FIRST};
