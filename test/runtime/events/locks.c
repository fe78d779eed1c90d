/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of locks and nestable locks: initialised and destroyed with their kind and hint, acquired
 * and released in turn, tested with and without success, owned and set again; each bears the lock
 * that it is about. A thread that waits for a lock is in that state, with that wait id.
 */
#include <dlfcn.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>

#include "check.h"
#include "recorder.h"

static omp_lock_t lock;
static omp_nest_lock_t nest;

/* Not in the compiler's own runtime, with which the program is linked. */
typedef void init_with_hint(void *lock, omp_sync_hint_t hint);

static init_with_hint *find(const char *name)
{
	void *found = dlsym(RTLD_DEFAULT, name);

	if (found == NULL) {
		fprintf(stderr, "%s: not in the runtime\n", name);
		_exit(1);
	}
	return (init_with_hint *)found;
}

static __attribute__((noinline)) void use_lock(void)
{
	omp_init_lock(&lock);
	omp_set_lock(&lock);
	CHECK_EQUAL(omp_test_lock(&lock), 0);
	omp_unset_lock(&lock);
	CHECK_EQUAL(omp_test_lock(&lock), 1);
	omp_unset_lock(&lock);
	omp_destroy_lock(&lock);
	find("omp_init_lock_with_hint")(&lock, omp_sync_hint_contended);
	omp_destroy_lock(&lock);
	RETURNS_HERE;
}

static __attribute__((noinline)) void use_nest_lock(void)
{
	find("omp_init_nest_lock_with_hint")(&nest, omp_sync_hint_speculative);
	omp_set_nest_lock(&nest);
	omp_set_nest_lock(&nest);
	CHECK_EQUAL(omp_test_nest_lock(&nest), 3);
	omp_unset_nest_lock(&nest);
	omp_unset_nest_lock(&nest);
	omp_unset_nest_lock(&nest);
	CHECK_EQUAL(omp_test_nest_lock(&nest), 1);
	omp_unset_nest_lock(&nest);
	omp_destroy_nest_lock(&nest);
	RETURNS_HERE;
}

struct expected {
	ompt_callbacks_t callback;
	int kind, endpoint;
	unsigned hint;
};

/* The records are these and no others, of this lock, and their addresses differ where calls do. */
static void check_sequence(const struct expected *expected, unsigned count, const void *object)
{
	CHECK_EQUAL(record_count(), count);
	for (unsigned i = 0; i < count && i < record_count(); i++) {
		const struct record *record = record_at(i);
		CHECK_EQUAL(record->callback, expected[i].callback);
		CHECK_EQUAL(record->kind, expected[i].kind);
		CHECK_EQUAL(record->endpoint, expected[i].endpoint);
		CHECK_EQUAL(record->count, expected[i].hint);
		CHECK_EQUAL(record->wait, (uintptr_t)object);
		CHECK(record->codeptr != NULL);
		if (record->callback == ompt_callback_mutex_acquire)
			CHECK(record->impl != 0);
		if (record->callback == ompt_callback_mutex_acquired)
			CHECK(record->codeptr == record_at(i - 1)->codeptr);
		else if (i > 0)
			CHECK(record->codeptr != record_at(i - 1)->codeptr ||
			      record->callback == ompt_callback_nest_lock);
	}
}

static void in_order(void)
{
	static const struct expected simple[] = {
	    {ompt_callback_lock_init, ompt_mutex_lock, 0, 0},
	    {ompt_callback_mutex_acquire, ompt_mutex_lock, 0, 0},
	    {ompt_callback_mutex_acquired, ompt_mutex_lock, 0, 0},
	    {ompt_callback_mutex_acquire, ompt_mutex_test_lock, 0, 0},
	    {ompt_callback_mutex_released, ompt_mutex_lock, 0, 0},
	    {ompt_callback_mutex_acquire, ompt_mutex_test_lock, 0, 0},
	    {ompt_callback_mutex_acquired, ompt_mutex_test_lock, 0, 0},
	    {ompt_callback_mutex_released, ompt_mutex_lock, 0, 0},
	    {ompt_callback_lock_destroy, ompt_mutex_lock, 0, 0},
	    {ompt_callback_lock_init, ompt_mutex_lock, 0, omp_sync_hint_contended},
	    {ompt_callback_lock_destroy, ompt_mutex_lock, 0, 0},
	};
	static const struct expected nested[] = {
	    {ompt_callback_lock_init, ompt_mutex_nest_lock, 0, omp_sync_hint_speculative},
	    {ompt_callback_mutex_acquire, ompt_mutex_nest_lock, 0, 0},
	    {ompt_callback_mutex_acquired, ompt_mutex_nest_lock, 0, 0},
	    {ompt_callback_mutex_acquire, ompt_mutex_nest_lock, 0, 0},
	    {ompt_callback_nest_lock, 0, ompt_scope_begin, 0},
	    {ompt_callback_mutex_acquire, ompt_mutex_test_nest_lock, 0, 0},
	    {ompt_callback_nest_lock, 0, ompt_scope_begin, 0},
	    {ompt_callback_nest_lock, 0, ompt_scope_end, 0},
	    {ompt_callback_nest_lock, 0, ompt_scope_end, 0},
	    {ompt_callback_mutex_released, ompt_mutex_nest_lock, 0, 0},
	    {ompt_callback_mutex_acquire, ompt_mutex_test_nest_lock, 0, 0},
	    {ompt_callback_mutex_acquired, ompt_mutex_test_nest_lock, 0, 0},
	    {ompt_callback_mutex_released, ompt_mutex_nest_lock, 0, 0},
	    {ompt_callback_lock_destroy, ompt_mutex_nest_lock, 0, 0},
	};

	record_clear();
	use_lock();
	check_sequence(simple, sizeof(simple) / sizeof(*simple), &lock);
	record_check("use_lock");
	record_clear();
	use_nest_lock();
	check_sequence(nested, sizeof(nested) / sizeof(*nested), &nest);
	record_check("use_nest_lock");
}

/* A nestable lock that another task owns is not acquired by a test. */
static __attribute__((noinline)) void refused_test(void)
{
	int refused = -1;

	omp_init_nest_lock(&nest);
	omp_set_nest_lock(&nest);
	record_clear();
#pragma omp parallel num_threads(2) shared(refused)
#pragma omp masked
#pragma omp task if (0)
	refused = omp_test_nest_lock(&nest);
	CHECK_EQUAL(refused, 0);
	CHECK_EQUAL(record_number(ompt_callback_mutex_acquire, ompt_mutex_test_nest_lock, 0), 1);
	CHECK_EQUAL(record_number(ompt_callback_mutex_acquired, -1, 0), 0);
	CHECK_EQUAL(record_number(ompt_callback_nest_lock, -1, 0), 0);
	omp_unset_nest_lock(&nest);
	omp_destroy_nest_lock(&nest);
}

static int is_waiting;
static uint64_t seen_wait;
static pthread_t waiter;

static void look(int signal)
{
	ompt_wait_id_t wait = 0;

	(void)signal;
	if (record_get_state(&wait) != ompt_state_wait_lock)
		return;
	__atomic_store_n(&seen_wait, wait, __ATOMIC_RELAXED);
	raise_flag(&is_waiting);
}

/* The thread that waits is interrupted until it says so: whoever holds the lock waits for that. */
static __attribute__((noinline)) void waits(void)
{
	static int holds, about_to;

	signal(SIGUSR1, look);
	omp_init_lock(&lock);
#pragma omp parallel num_threads(2)
	if (omp_get_thread_num() == 0) {
		omp_set_lock(&lock);
		raise_flag(&holds);
		CHECK(await_flag(&about_to, 1));
		double deadline = check_deadline(10);
		while (!is_raised(&is_waiting, 1) && keep_waiting(deadline)) {
			pthread_kill(waiter, SIGUSR1);
			sched_yield();
		}
		CHECK(is_raised(&is_waiting, 1));
		omp_unset_lock(&lock);
	} else {
		waiter = pthread_self();
		CHECK(await_flag(&holds, 1));
		raise_flag(&about_to);
		omp_set_lock(&lock);
		omp_unset_lock(&lock);
	}
	CHECK_EQUAL(__atomic_load_n(&seen_wait, __ATOMIC_RELAXED), (uintptr_t)&lock);
	omp_destroy_lock(&lock);
}

/* Many threads, one lock: as many acquired as released, and each by one thread at a time. */
static __attribute__((noinline)) void contended(void)
{
	const struct record *record;
	unsigned owner = 0, acquired = 0;

	omp_init_lock(&lock);
	record_clear();
#pragma omp parallel
	for (int i = 0; i < 50; i++) {
		omp_set_lock(&lock);
		dawdle(20);
		omp_unset_lock(&lock);
	}
	for (unsigned i = 0; i < record_count(); i++) {
		record = record_at(i);
		acquired += record->callback == ompt_callback_mutex_acquired;
		owner += record->callback == ompt_callback_mutex_released;
	}
	CHECK_EQUAL(acquired, 50 * omp_get_max_threads());
	CHECK_EQUAL(owner, acquired);
	record_check("contended");
	omp_destroy_lock(&lock);
}

int main(void)
{
	if (!record_is_on())
		return check_result();
	CHECK_EQUAL(record_answer[ompt_callback_lock_init], ompt_set_always);
	CHECK_EQUAL(record_answer[ompt_callback_nest_lock], ompt_set_always);
	in_order();
	refused_test();
	waits();
	contended();
	return check_result();
}
