/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The system calls of the code under test: futexes, membarrier, the time, a processor number. A
 * thread may be woken without a reason as often as the harness allows; because this can happen at
 * any time, its sleep simply ends at once. If several threads sleep, it is a choice which one is
 * woken.
 */
#include "engine.h"

#include <errno.h>
#include <linux/futex.h>
#include <linux/membarrier.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { MUTEXES = 16, FIRST_THREAD = 1000 };

/* A POSIX mutex, or a pthread_once_t. */
struct mutex {
	uintptr_t address;
	bool is_locked, is_done;
	struct clock sync, order;
};

static struct mutex mutexes[MUTEXES];
static uint32_t mutex_count, spurious_left;
static uint64_t time_of[CHECK_THREADS];

void kernel_reset(uint32_t spurious)
{
	spurious_left = spurious;
	mutex_count = 0;
	memset(time_of, 0, sizeof(time_of));
}

bool kernel_wakes_without_reason(void)
{
	if (spurious_left == 0 || search_choose(2) == 0)
		return false;
	spurious_left--;
	return true;
}

static int futex_wait(uintptr_t word, uint32_t expected, const void *place)
{
	uint32_t found;

	thread_turn(OP_READS | OP_ORDERS, word, false);
	found = memory_kernel_load(word, place);
	report_step("futex wait", memory_order_relaxed, word, found, place);
	thread_note(OP_READS | OP_ORDERS, word);
	if (found != expected) {
		errno = EAGAIN;
		return -1;
	}
	if (kernel_wakes_without_reason()) {
		report_step("wakes without a reason", memory_order_relaxed, word, found, place);
		return 0;
	}
	thread_sleep(word, "at a futex");
	return 0;
}

static int futex_wake(uintptr_t word, int most, const void *place)
{
	int woken = 0;

	thread_turn(OP_ORDERS, word, false);
	memory_kernel_wake(word, place);
	thread_note(OP_ORDERS, word);
	while (woken < most) {
		struct thread *sleepers[CHECK_THREADS];
		uint32_t count = thread_find_sleepers(word, sleepers);

		if (count == 0)
			break;
		thread_wake(sleepers[most < (int)count - woken ? search_choose(count) : 0]);
		woken++;
	}
	report_step("futex wake", memory_order_relaxed, word, (uint64_t)woken, place);
	return woken;
}

static void barrier(const char *what, const void *place)
{
	thread_turn(OP_BARRIER, 0, false);
	memory_barrier_of_all();
	report_step(what, memory_order_seq_cst, 0, 0, place);
	thread_note(OP_BARRIER, 0);
}

static int membarrier(int command, const void *place)
{
	if (check_current->lacks_membarrier) {
		errno = ENOSYS;
		return -1;
	}
	if (command != MEMBARRIER_CMD_PRIVATE_EXPEDITED && command != MEMBARRIER_CMD_GLOBAL)
		return 0; /* registration, and the query of the supported commands */
	barrier("membarrier", place);
	return 0;
}

pid_t __wrap_gettid(void);
pid_t __wrap_gettid(void)
{
	return check_self != NULL ? FIRST_THREAD + check_self->number : FIRST_THREAD;
}

long __wrap_syscall(long number, ...);
long __wrap_syscall(long number, ...)
{
	enum { ARGUMENTS = 6 };
	const void *place = __builtin_return_address(0);
	long arguments[ARGUMENTS];
	va_list list;

	va_start(list, number);
	for (int i = 0; i < ARGUMENTS; i++)
		arguments[i] = va_arg(list, long);
	va_end(list);
	if (check_self != NULL && number == SYS_membarrier)
		return membarrier((int)arguments[0], place);
	if (number == SYS_gettid)
		return __wrap_gettid();
	if (check_self == NULL || number != SYS_futex)
		return syscall(number, arguments[0], arguments[1], arguments[2], arguments[3],
		    arguments[4], arguments[5]);
	switch (arguments[1] & ~FUTEX_PRIVATE_FLAG) {
	case FUTEX_WAIT:
		return futex_wait((uintptr_t)arguments[0], (uint32_t)arguments[2], place);
	case FUTEX_WAKE:
		return futex_wake((uintptr_t)arguments[0], (int)arguments[2], place);
	default:
		report_failure(place, "futex operation %ld is not modelled", arguments[1]);
	}
}

/* A time that advances by a microsecond with each reading. */
unsigned long check_cycles(void);
unsigned long check_cycles(void)
{
	static uint64_t outside;

	return 1000 * (check_self != NULL ? ++time_of[check_self->number] : ++outside);
}

int __wrap_clock_gettime(clockid_t clock, struct timespec *time);
int __wrap_clock_gettime(clockid_t clock, struct timespec *time)
{
	uint64_t ns = check_cycles();

	(void)clock;
	*time = (struct timespec){1 + (time_t)(ns / 1000000000), (long)(ns % 1000000000)};
	return 0;
}

int __wrap_sched_getcpu(void);
int __wrap_sched_getcpu(void)
{
	return check_self != NULL ? check_self->number : 0;
}

int __wrap_sched_yield(void);
int __wrap_sched_yield(void)
{
	return 0;
}

/*
 * Without membarrier, stores become visible by the end of a sleep of a millisecond. The code relies
 * on that, because processors delay no store for so long.
 */
int __wrap_nanosleep(const struct timespec *time, struct timespec *left);
int __wrap_nanosleep(const struct timespec *time, struct timespec *left)
{
	enum { LONGEST_STORE_NS = 1000000 };

	(void)left;
	if (check_self == NULL || !check_current->lacks_membarrier ||
	    (time->tv_sec == 0 && time->tv_nsec < LONGEST_STORE_NS))
		return 0;
	barrier("long sleep", __builtin_return_address(0));
	return 0;
}

static struct mutex *mutex_at(uintptr_t address)
{
	for (uint32_t i = 0; i < mutex_count; i++)
		if (mutexes[i].address == address)
			return &mutexes[i];
	if (mutex_count == MUTEXES)
		report_failure(NULL, "more than %d mutexes of POSIX", MUTEXES);
	mutexes[mutex_count] = (struct mutex){.address = address};
	return &mutexes[mutex_count++];
}

static void lock(struct mutex *mutex)
{
	thread_turn(OP_ORDERS, mutex->address, false);
	while (mutex->is_locked)
		thread_sleep((uintptr_t)mutex, "for a mutex");
	mutex->is_locked = true;
	clock_join(&check_self->clock, &mutex->sync);
	clock_join(&check_self->order, &mutex->order);
	thread_note(OP_ORDERS, mutex->address);
}

static void unlock(struct mutex *mutex)
{
	thread_turn(OP_ORDERS, mutex->address, false);
	mutex->is_locked = false;
	mutex->sync = check_self->clock;
	thread_note(OP_ORDERS, mutex->address);
	mutex->order = check_self->order;
	thread_wake_all((uintptr_t)mutex);
}

void kernel_lock(uintptr_t address)
{
	lock(mutex_at(address));
}

void kernel_unlock(uintptr_t address)
{
	unlock(mutex_at(address));
}

int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_lock(pthread_mutex_t *mutex)
{
	if (check_self == NULL)
		return pthread_mutex_lock(mutex);
	lock(mutex_at((uintptr_t)mutex));
	return 0;
}

int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex);
int __wrap_pthread_mutex_unlock(pthread_mutex_t *mutex)
{
	if (check_self == NULL)
		return pthread_mutex_unlock(mutex);
	unlock(mutex_at((uintptr_t)mutex));
	return 0;
}

int __wrap_pthread_once(pthread_once_t *once, void (*routine)(void));
int __wrap_pthread_once(pthread_once_t *once, void (*routine)(void))
{
	struct mutex *mutex;

	if (check_self == NULL || *once != PTHREAD_ONCE_INIT)
		return pthread_once(once, routine);
	mutex = mutex_at((uintptr_t)once);
	lock(mutex);
	if (!mutex->is_done) {
		routine();
		mutex->is_done = true;
	}
	unlock(mutex);
	return 0;
}
