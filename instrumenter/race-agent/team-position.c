/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The positions of a thread, each in the one before: its own, then those of the regions and tasks
 * that it executes now, innermost last. They belong to the native thread, whatever strand it
 * executes: strands are called and return as functions do.
 *
 * A position says what orders it with others by what does not depend on the run: regions in the
 * order in which one thread forks them, barriers, the begin of tasks, and waits of what makes tasks
 * (a task made after a wait may come after one made before it). Everything else that orders, such
 * as dependences, ordered regions and conditions, acquires something, after which the position is
 * not clean: then nobody knows whether it is ordered with others.
 */
#include "order-clocks.h"

#include "hash-mix.h"
#include "stable-names.h"

#include <stddef.h>

/* gcc makes calls of memcpy() of copies, which ThreadSanitizer would intercept. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("no-tree-loop-distribute-patterns")
#endif

enum { NESTED = 12, FIRST_REGION = 1, NAMED_CODES = 16 };

static _Thread_local struct {
	uint32_t depth; /* of `nested`, from 1; or more than there is room for */
	struct team_position nested[NESTED];
	struct {
		const void *code;
		uint64_t name;
	} named[NAMED_CODES]; /* by hash: codes of regions */
} own __attribute__((tls_model("initial-exec")));

static const struct team_position unknown;

/* The innermost position, or NULL if it is not known. */
static struct team_position *top(void)
{
	return own.depth > 0 && own.depth <= NESTED && own.nested[own.depth - 1].region != 0
		   ? &own.nested[own.depth - 1]
		   : NULL;
}

const struct team_position *position_self(void)
{
	const struct team_position *position = top();

	return position != NULL ? position : &unknown;
}

/* By words: the compiler would make a call of a whole copy. */
static void copy(struct team_position *to, const struct team_position *from)
{
	typedef uint64_t __attribute__((may_alias)) word;
	const volatile word *source = (const volatile word *)from;
	volatile word *target = (volatile word *)to;

	_Static_assert(sizeof(*to) % sizeof(*target) == 0, "it consists of words");
	for (size_t i = 0; i < sizeof(*to) / sizeof(*target); i++)
		target[i] = source[i];
}

static void push(const struct team_position *position)
{
	if (++own.depth <= NESTED)
		copy(&own.nested[own.depth - 1], position);
}

static void pop(void)
{
	own.depth -= own.depth > 0;
}

void position_acquired(void)
{
	struct team_position *position = top();

	if (position == NULL)
		return;
	if (position->is_new) {
		position->is_new = 0;
		return;
	}
	position->waits++;
	position->clean &= ~(1U << position->depth);
}

/* The process has one thread, which is in no region. */
__attribute__((constructor)) static void begin(void)
{
	if (own.depth == 0)
		position_begin_thread(&(struct team_position){.region = FIRST_REGION, .clean = 1});
}

void position_begin_thread(const struct team_position *thread)
{
	own.depth = 0;
	push(thread);
}

/* All that tells the position from others of the run. */
static uint64_t name_of(const struct team_position *position)
{
	uint64_t name = hash_mix(position->region, position->phase);

	name = hash_mix(name, (uint64_t)position->thread << 32 | position->single);
	for (uint32_t i = 0; i < position->depth; i++)
		name = hash_mix(
		    name, (uint64_t)position->tasks[i].waits << 32 | position->tasks[i].number);
	return name;
}

static uint64_t name_of_code(const void *code)
{
	const uint64_t at = hash_mix(0, (uintptr_t)code) % NAMED_CODES;

	if (own.named[at].code != code) {
		own.named[at].code = code;
		own.named[at].name = stable_name_of_code(code);
	}
	return own.named[at].name;
}

uint64_t ompinst_race_fork(const void *code)
{
	struct team_position *position = top();

	if (position == NULL)
		return 0;
	return hash_mix(hash_mix(name_of(position), ++position->forks), name_of_code(code)) | 2;
}

void ompinst_race_enter(uint64_t region, uint32_t thread, uint32_t size)
{
	push(&(struct team_position){.region = region, .thread = thread, .size = size, .clean = 1});
}

/* The region's threads may have acquired anything. */
void ompinst_race_leave(void)
{
	pop();
	position_acquired();
}

void ompinst_race_phase(void)
{
	struct team_position *position = top();

	if (position == NULL || position->depth > 0)
		return;
	position->phase++;
	position->clean = 1;
	position->single = position->singles = position->waits = position->made = 0;
}

/* The thread executes a part of the construct, from 0 on, which only one thread does. */
static void take_part(struct team_position *position, uint32_t part)
{
	enum { MOST_PARTS = 4096 };

	position->single = position->singles * MOST_PARTS + part % MOST_PARTS;
	position->made = position->waits = 0;
}

void ompinst_race_single(bool executes)
{
	struct team_position *position = top();

	if (position == NULL || position->depth > 0)
		return;
	position->singles++;
	if (executes)
		take_part(position, 0);
}

void ompinst_race_section(uint32_t number)
{
	struct team_position *position = top();

	if (position != NULL && position->depth == 0)
		take_part(position, number);
}

void ompinst_race_task_made(struct team_position *task)
{
	struct team_position *parent = top();

	copy(task, parent != NULL ? parent : &unknown);
	if (parent == NULL)
		return;
	task->tasks[parent->depth % RACE_TASK_LEVELS].waits = parent->waits;
	task->tasks[parent->depth % RACE_TASK_LEVELS].number = ++parent->made;
	task->depth++;
	if (parent->depth >= RACE_TASK_LEVELS)
		task->region = 0;
	task->clean |= 1U << task->depth;
	task->waits = task->made = task->forks = 0;
	task->is_new = 1;
}

void ompinst_race_task_begin(const struct team_position *task)
{
	push(task);
}

void ompinst_race_task_end(void)
{
	pop();
}
