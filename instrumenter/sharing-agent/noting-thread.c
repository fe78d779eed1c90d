/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Threads are made known at their first access, and forgotten when they end, except for what they
 * have counted. The list of threads has a lock; everything else belongs to one thread.
 */
#include "noting-thread.h"

#include "noted-lines.h"
#include "spin-lock.h"

#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>

enum { HANDLER_STACK_BYTES = 64 << 10 };

_Thread_local struct noting_thread noting_self PROCESSOR_THREAD_LOCAL;
_Atomic bool noting_is_on;
_Atomic uint64_t *noted_states;

/* Programs are linked with it: see noting-thread.h. */
_Static_assert(offsetof(struct noting_thread, states) == 16 &&
		   offsetof(struct noting_thread, countdown) == 24 &&
		   offsetof(struct noting_thread, depth) == 28 &&
		   offsetof(struct noting_thread, callers) == 32,
    "programs that are linked already have other places of these fields: change the number in the "
    "name of noting_self, and then these");

static _Atomic uint32_t last_number, last_epoch, outer_epoch;
static _Atomic uintptr_t regions[LINE_EPOCHS + 1];

/* By the threads' numbers in tags; one more than the member, 0: unknown. */
static _Atomic int32_t members[LINE_SEVERAL];

/* Under the lock. */
static struct {
	struct spin_lock lock;
	struct noting_thread *first;
	uint64_t calls_of_ended;
	pthread_key_t key;
	bool has_key;
} threads;

uint32_t noting_new_epoch(uintptr_t region)
{
	const uint32_t epoch = add_relaxed(&last_epoch, 1) + 1;

	store_relaxed(&regions[epoch & LINE_EPOCHS], region);
	return epoch;
}

uintptr_t noting_epoch_region(uint64_t epoch)
{
	return load_relaxed(&regions[epoch & LINE_EPOCHS]);
}

uint32_t noting_outer_epoch(void)
{
	return load_relaxed(&outer_epoch);
}

void noting_begin_outer_epoch(void)
{
	store_relaxed(&outer_epoch, noting_new_epoch(0));
}

/* The last number stands for several threads. */
static uint64_t tag_number(uint32_t number)
{
	return (number - 1) % (LINE_SEVERAL - 1) + 1;
}

void noting_thread_enter(struct noting_thread *self, uint32_t epoch)
{
	const uint64_t bits = (epoch & LINE_EPOCHS) << EPOCH_SHIFT;

	self->epoch = epoch;
	self->tag = tag_number(self->number) << THREAD_SHIFT | bits;
	self->tag_of_several = LINE_SEVERAL << THREAD_SHIFT | bits;
}

void noting_thread_set_member(struct noting_thread *self, int32_t member)
{
	self->member = member;
	if (member >= 0)
		store_relaxed(&members[tag_number(self->number)], member + 1);
}

int32_t noting_member_of(uint32_t tag_number)
{
	return tag_number < LINE_SEVERAL ? load_relaxed(&members[tag_number]) - 1 : -1;
}

void noting_thread_sampled(struct noting_thread *self)
{
	store_relaxed(&self->calls, load_relaxed(&self->calls) + self->period);
	self->random = self->random * 1664525 + 1013904223;
	self->period = self->countdown = SAMPLE_LEAST + (self->random >> 16) % SAMPLE_SPREAD;
}

/* A stack on which the thread writes the log when a signal ends it because its own one is full. */
static void begin_handler_stack(struct noting_thread *self)
{
	stack_t stack;

	if (sigaltstack(NULL, &stack) != 0 || (stack.ss_flags & SS_DISABLE) == 0)
		return;
	void *memory = mmap(NULL, HANDLER_STACK_BYTES, PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
	if (memory == MAP_FAILED)
		return;
	stack = (stack_t){.ss_sp = memory, .ss_size = HANDLER_STACK_BYTES};
	if (sigaltstack(&stack, NULL) == 0)
		self->handler_stack = memory;
	else
		munmap(memory, HANDLER_STACK_BYTES);
}

static void end_handler_stack(struct noting_thread *self)
{
	const stack_t none = {.ss_flags = SS_DISABLE};
	stack_t stack;

	if (self->handler_stack == NULL || sigaltstack(NULL, &stack) != 0)
		return;
	if (stack.ss_sp == self->handler_stack && sigaltstack(&none, NULL) != 0)
		return;
	munmap(self->handler_stack, HANDLER_STACK_BYTES);
	self->handler_stack = NULL;
}

static void end_thread(void *argument)
{
	struct noting_thread *self = argument, **at = &threads.first;

	spin_lock_take(&threads.lock);
	threads.calls_of_ended += load_relaxed(&self->calls);
	while (*at != NULL && *at != self)
		at = &(*at)->next;
	if (*at != NULL)
		*at = self->next;
	spin_lock_give(&threads.lock);
	self->has_ended = true;
	self->tag = 0;
	end_handler_stack(self);
}

bool noting_thread_begin(struct noting_thread *self)
{
	if (!load_relaxed(&noting_is_on) || self->has_ended)
		return false;
	if (self->number == 0) {
		self->number = add_relaxed(&last_number, 1) + 1;
		self->random = self->number * UINT32_C(2654435761);
		self->member = -1;
		self->is_serial = true;
		self->period = self->countdown = SAMPLE_LEAST;
		spin_lock_take(&threads.lock);
		self->next = threads.first;
		threads.first = self;
		if (!threads.has_key)
			threads.has_key = pthread_key_create(&threads.key, end_thread) == 0;
		spin_lock_give(&threads.lock);
		if (threads.has_key)
			pthread_setspecific(threads.key, self);
		begin_handler_stack(self);
	}
	self->states = noted_states;
	noting_thread_enter(self, noting_outer_epoch());
	return true;
}

uint32_t noting_thread_count(void)
{
	return load_relaxed(&last_number);
}

uint64_t noting_call_count(void)
{
	spin_lock_take(&threads.lock);
	uint64_t count = threads.calls_of_ended;
	for (const struct noting_thread *thread = threads.first; thread != NULL;
	     thread = thread->next)
		count += load_relaxed(&thread->calls);
	spin_lock_give(&threads.lock);
	return count;
}

unsigned noting_callers(const struct noting_thread *self, uintptr_t *frames, unsigned room)
{
	unsigned count = 0;

	while (count < room && count < self->depth && count < CALLS_KEPT) {
		frames[count] = self->callers[(self->depth - 1 - count) % CALLS_KEPT];
		count++;
	}
	return count;
}
