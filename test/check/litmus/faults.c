/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Mistakes that the checker has to find: each harness fails, with a message that has its sentence
 * in it. They are those of programs without locks, one of each kind.
 */
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "check.h"
#include "shared/precondition.h"

static int data;
static _Atomic int flag, other, sleepers;

/* ------------------------------------------------------------------------------- order of memory
 */

static void send_relaxed(void *argument)
{
	(void)argument;
	data = 1;
	atomic_store_explicit(&flag, 1, memory_order_relaxed);
}

static void run_message(void)
{
	check_start(send_relaxed, NULL);
	while (atomic_load_explicit(&flag, memory_order_acquire) == 0)
		;
	EXPECT(data == 1);
	check_join();
}
HARNESS(fault_message, "data race") = {.run = run_message};

static int entered;

static void enter(_Atomic int *own, _Atomic int *others)
{
	atomic_store_explicit(own, 1, memory_order_release);
	if (atomic_load_explicit(others, memory_order_acquire) == 0)
		entered++;
}

static void enter_second(void *argument)
{
	(void)argument;
	enter(&other, &flag);
}

/* Dekker's exclusion without a sequential order: both may enter. x86 does that, too. */
static void run_exclusion(void)
{
	check_start(enter_second, NULL);
	enter(&flag, &other);
	check_join();
}
HARNESS(fault_exclusion, "data race") = {.run = run_exclusion};

/* -------------------------------------------------------------------------------------- sleeping
 */

static void wake_if_asleep(void *argument)
{
	(void)argument;
	atomic_store_explicit(&flag, 1, memory_order_release);
	if (atomic_load_explicit(&sleepers, memory_order_relaxed) != 0)
		syscall(SYS_futex, &flag, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* The waker may not see the sleeper, nor the sleeper the flag: not sequential. */
static void run_lost_wake_up(void)
{
	check_start(wake_if_asleep, NULL);
	atomic_fetch_add_explicit(&sleepers, 1, memory_order_relaxed);
	while (atomic_load_explicit(&flag, memory_order_acquire) == 0)
		syscall(SYS_futex, &flag, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	check_join();
}
HARNESS(fault_lost_wake_up, "deadlock") = {.run = run_lost_wake_up};

static void wake(void *argument)
{
	(void)argument;
	atomic_store(&flag, 1);
	syscall(SYS_futex, &other, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* Sleeps without looking again: a wake-up may come for no reason. */
static void run_spurious(void)
{
	check_start(wake, NULL);
	if (atomic_load(&flag) == 0)
		syscall(SYS_futex, &other, FUTEX_WAIT_PRIVATE, 0, NULL, NULL, 0);
	check_join();
	EXPECT(atomic_load(&sleepers) == 0);
}
HARNESS(fault_no_word, "deadlock") = {.run = run_spurious};

static pthread_mutex_t first = PTHREAD_MUTEX_INITIALIZER, second = PTHREAD_MUTEX_INITIALIZER;

static void lock_both(pthread_mutex_t *a, pthread_mutex_t *b)
{
	pthread_mutex_lock(a);
	pthread_mutex_lock(b);
	pthread_mutex_unlock(b);
	pthread_mutex_unlock(a);
}

static void lock_second(void *argument)
{
	(void)argument;
	lock_both(&second, &first);
}

static void run_two_mutexes(void)
{
	check_start(lock_second, NULL);
	lock_both(&first, &second);
	check_join();
}
HARNESS(fault_two_mutexes, "deadlock") = {.run = run_two_mutexes};

/* ------------------------------------------------------------------------------------- progress */

static void wait_for_other(void *argument)
{
	(void)argument;
	while (atomic_load(&other) == 0)
		;
	atomic_store(&flag, 1);
}

static void run_no_progress(void)
{
	check_start(wait_for_other, NULL);
	while (atomic_load(&flag) == 0)
		;
	atomic_store(&other, 1);
	check_join();
}
HARNESS(fault_no_progress, "no progress") = {.run = run_no_progress};

static void hold(void *argument)
{
	(void)argument;
	while (atomic_exchange(&flag, 1) != 0)
		while (atomic_load(&flag) != 0)
			;
	data++;
	atomic_store(&flag, 0);
}

/* A lock is no structure without locks: who waits for it cannot go on alone. */
static void run_not_alone(void)
{
	check_start(hold, NULL);
	check_alone_begin(20);
	hold(NULL);
	check_alone_end();
	check_join();
}
HARNESS(fault_not_alone, "while the others stand still") = {.run = run_not_alone};

/* --------------------------------------------------------------------------------------- memory */

static _Atomic(int *) shared;

static void read_shared(void *argument)
{
	int *block = atomic_load_explicit(&shared, memory_order_acquire);

	(void)argument;
	if (block != NULL)
		EXPECT(*block >= 0);
}

static void run_use_after_free(void)
{
	int *block = malloc(sizeof(*block));

	*block = 1;
	atomic_store_explicit(&shared, block, memory_order_release);
	check_start(read_shared, NULL);
	atomic_store_explicit(&shared, NULL, memory_order_release);
	free(block);
	check_join();
}
HARNESS(fault_use_after_free, "at") = {.run = run_use_after_free};

static void run_beyond(void)
{
	volatile char *block = malloc(16);
	volatile size_t beyond = 16;

	block[beyond] = 1;
	free((void *)(uintptr_t)block);
}
HARNESS(fault_beyond_end, "not allocated") = {.run = run_beyond};

static void run_twice_freed(void)
{
	void *volatile block = malloc(8);

	free(block);
	free(block);
}
HARNESS(fault_free_twice, "free() of what is not allocated") = {.run = run_twice_freed};

struct item {
	_Atomic(struct item *) next;
	int taken;
};

static _Atomic(struct item *) top;

static struct item *pop(void)
{
	struct item *item = atomic_load(&top);

	while (
	    item != NULL && !atomic_compare_exchange_strong(&top, &item, atomic_load(&item->next)))
		;
	return item;
}

static void push(struct item *item)
{
	struct item *next = atomic_load(&top);

	do
		atomic_store(&item->next, next);
	while (!atomic_compare_exchange_strong(&top, &next, item));
}

static struct item items[2];

static void pop_two_push_one(void *argument)
{
	struct item *one = pop(), *two = pop();

	(void)argument;
	if (one != NULL)
		push(one);
	if (two != NULL)
		two->taken++;
}

/* The same item on top does not mean the same stack (ABA): its second item is taken twice. */
static void run_aba(void)
{
	struct item *item;

	push(&items[1]);
	push(&items[0]);
	check_start(pop_two_push_one, NULL);
	item = pop();
	check_join();
	if (item != NULL)
		item->taken++;
	while ((item = pop()) != NULL)
		item->taken++;
	EXPECT(items[0].taken <= 1 && items[1].taken <= 1);
}
HARNESS(fault_same_address, "does not hold") = {.run = run_aba};

/* --------------------------------------------------------------------------- values that depend */

static void add(void *argument)
{
	(void)argument;
	atomic_store(&flag, atomic_load(&flag) + 1);
}

static void run_lost_update(void)
{
	check_start(add, NULL);
	add(NULL);
	check_join();
	EXPECT(atomic_load(&flag) == 2);
}
HARNESS(fault_lost_update, "does not hold") = {.run = run_lost_update};

/* A caller breaks the rule of a function: the process of a program would end. */
static void take_first(void *argument)
{
	(void)argument;
	CHECK(atomic_fetch_add(&flag, 1) == 0, "one thread takes it");
}

static void run_precondition(void)
{
	check_start(take_first, NULL);
	take_first(NULL);
	check_join();
}
HARNESS(fault_precondition, "abort()") = {.run = run_precondition};
