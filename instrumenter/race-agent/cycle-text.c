/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes a cycle of locks to the log, before the thread that has closed it may wait for ever, and
 * orders of locks. That happens a few times in a process, so it may take its time: the text is in
 * memory of its own.
 */
#include "lock-cycles.h"
#include "order-log.h"
#include "report-log.h"
#include "report-text.h"
#include "tsan-report.h"

#include "shared/race-log.h"

#include <signal.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { ALLOCATION_FRAMES = 32, TRY = 1 << 4, TRY_FAILED = 1 << 5 };

static const char *const kinds[RACE_LOCK_KINDS] = {[RACE_LOCK_SIMPLE] = RACE_KIND_LOCK,
    [RACE_LOCK_NEST] = RACE_KIND_NEST,
    [RACE_LOCK_CRITICAL] = RACE_KIND_CRITICAL,
    [RACE_LOCK_MUTEX] = RACE_KIND_MUTEX};

/* What is done meanwhile to memory is not the program's; see runtime/base/tsan.h. */
static void ignore_begin(void)
{
	static char mutex;

	if (__tsan_mutex_pre_lock != NULL)
		__tsan_mutex_pre_lock(&mutex, TRY);
}

static void ignore_end(void)
{
	static char mutex;

	if (__tsan_mutex_post_lock != NULL)
		__tsan_mutex_post_lock(&mutex, TRY | TRY_FAILED, 0);
}

static void add_addresses(struct report_text *text, const uintptr_t *addresses, int room)
{
	void *trace[CYCLE_FRAMES] = {NULL};

	for (int i = 0; i < room && addresses[i] != 0; i++)
		trace[i] = (void *)addresses[i]; // NOLINT(performance-no-int-to-ptr)
	report_add_frames(text, trace, room);
}

/* The object that contains the lock. */
static void add_place(struct report_text *text, const void *lock)
{
	void *address = (void *)(uintptr_t)lock, *start = address,
	     *trace[ALLOCATION_FRAMES] = {NULL};
	const char *kind = "unknown", *module = "-";
	uintptr_t offset = 0, size = 0;
	char name[8];
	uint64_t os_id;
	int thread;

	if (report_find_module(lock, &offset, &module))
		kind = "global";
	else if (__tsan_locate_address != NULL)
		kind = __tsan_locate_address(address, name, sizeof(name), &start, &size);
	if (kind == NULL || (strcmp(kind, "global") == 0 && *module == '-'))
		kind = "unknown";
	report_add(text, RACE_PLACE "\t%s\t%lx\t%lu\t%lx\t%s\n", kind,
	    (unsigned long)(uintptr_t)start, (unsigned long)size, (unsigned long)offset, module);
	if (strcmp(kind, "heap") != 0 || __tsan_get_alloc_stack == NULL)
		return;
	if (__tsan_get_alloc_stack(address, trace, ALLOCATION_FRAMES, &thread, &os_id) > 0)
		report_add_frames(text, trace, ALLOCATION_FRAMES);
}

static void add_wait(struct report_text *text, const struct cycle_wait *wait)
{
	report_add(text, RACE_WAIT "\t%s\t%lx\t%u\n", kinds[wait->kind],
	    (unsigned long)(uintptr_t)wait->variable, wait->thread);
	add_addresses(text, wait->wanted_at, CYCLE_FRAMES);
	report_add(text, RACE_HELD "\n");
	add_addresses(text, wait->held_at, HELD_FRAMES);
	add_place(text, wait->variable);
}

static void add_cycle(struct report_text *text, const struct lock_cycle *cycle)
{
	report_add(
	    text, RACE_ORDER "\t%u\t%s\n", cycle->count, cycle->is_closed ? RACE_CLOSED : "-");
	for (uint32_t i = 0; i < cycle->count; i++)
		add_wait(text, &cycle->waits[i]);
	report_add(text, RACE_END "\n");
}

static void add_order(struct report_text *text, const struct order_lines *lines)
{
	const struct order_names *names = lines->names;

	report_add(text, RACE_EDGE "\t%u\t%llx\t%llx\t", lines->number,
	    (unsigned long long)names->wanted, (unsigned long long)names->held);
	for (uint32_t i = 0; i < names->gate_count; i++)
		report_add(text, "%s%llx", i == 0 ? "" : " ", (unsigned long long)names->gates[i]);
	report_add(text, "\n");
	add_wait(text, lines->wait);
	report_add(text, RACE_END "\n");
}

static void add_position(
    struct report_text *text, uint32_t number, const struct team_position *position)
{
	report_add(text, RACE_AT "\t%u\t%llx\t%u\t%u\t%u\t%u\t%x\t", number,
	    (unsigned long long)position->region, position->phase, position->thread, position->size,
	    position->single, position->clean);
	for (uint32_t i = 0; i < position->depth; i++)
		report_add(text, "%s%u.%u", i == 0 ? "" : " ", position->tasks[i].waits,
		    position->tasks[i].number);
	report_add(text, "%s\n", position->depth == 0 ? "-" : "");
}

/* Memory for the text, in a state in which the library may write it; NULL: there is none. */
static struct report_text *begin(void)
{
	struct report_text *text;

	order_strand_leave();
	ignore_begin();
	text =
	    mmap(NULL, sizeof(*text), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (text == MAP_FAILED)
		return NULL;
	text->length = 0;
	return text;
}

static void end(struct report_text *text)
{
	if (text != NULL)
		munmap(text, sizeof(*text));
	ignore_end();
	order_strand_return();
}

void lock_cycle_write(const struct lock_cycle *cycle)
{
	struct report_text *text = begin();

	if (text != NULL) {
		add_cycle(text, cycle);
		if (report_write(text) && cycle->is_closed)
			(void)syscall(SYS_kill, syscall(SYS_getpid), SIGKILL);
	}
	end(text);
}

void order_lines_write(const struct order_lines *lines)
{
	struct report_text *text = begin();

	if (text != NULL) {
		if (lines->is_full)
			report_add(text, RACE_EDGES "\t" RACE_FULL "\n");
		if (lines->wait != NULL)
			add_order(text, lines);
		if (lines->position != NULL)
			add_position(text, lines->number, lines->position);
		(void)report_write(text);
	}
	end(text);
}
