/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of the lock routines of programs built for OpenMP 2.5 (version OMP_1.0), by their C and
 * Fortran names: the same as those of the routines of today.
 */
#include <dlfcn.h>
#include <omp.h>

#include "check.h"
#include "recorder.h"

typedef void routine(void *lock);
typedef int test_routine(void *lock);

static uint32_t lock;
static uint64_t nest;

static void *find(const char *name, const char *suffix)
{
	char full[64];
	void *found;

	snprintf(full, sizeof(full), "%s%s", name, suffix);
	found = dlvsym(RTLD_DEFAULT, full, "OMP_1.0");
	if (found == NULL) {
		fprintf(stderr, "%s@OMP_1.0: not in the runtime\n", full);
		_exit(1);
	}
	return found;
}

static __attribute__((noinline)) void use(const char *suffix)
{
	routine *init = find("omp_init_lock", suffix), *set = find("omp_set_lock", suffix);
	routine *unset = find("omp_unset_lock", suffix), *end = find("omp_destroy_lock", suffix);
	test_routine *test = find("omp_test_lock", suffix);

	init(&lock);
	set(&lock);
	CHECK_EQUAL(test(&lock), 0);
	unset(&lock);
	end(&lock);
	RETURNS_HERE;
}

static __attribute__((noinline)) void use_nest(const char *suffix)
{
	routine *init = find("omp_init_nest_lock", suffix);
	routine *set = find("omp_set_nest_lock", suffix);
	routine *unset = find("omp_unset_nest_lock", suffix);
	routine *end = find("omp_destroy_nest_lock", suffix);
	test_routine *test = find("omp_test_nest_lock", suffix);

	init(&nest);
	set(&nest);
	CHECK_EQUAL(test(&nest), 2);
	unset(&nest);
	unset(&nest);
	end(&nest);
	RETURNS_HERE;
}

struct expected {
	ompt_callbacks_t callback;
	int kind, endpoint;
};

static void check_sequence(const struct expected *expected, unsigned count, const void *object)
{
	CHECK_EQUAL(record_count(), count);
	for (unsigned i = 0; i < count && i < record_count(); i++) {
		CHECK_EQUAL(record_at(i)->callback, expected[i].callback);
		CHECK_EQUAL(record_at(i)->kind, expected[i].kind);
		CHECK_EQUAL(record_at(i)->endpoint, expected[i].endpoint);
		CHECK_EQUAL(record_at(i)->wait, (uintptr_t)object);
	}
}

static void in_order(const char *suffix)
{
	static const struct expected simple[] = {
	    {ompt_callback_lock_init, ompt_mutex_lock, 0},
	    {ompt_callback_mutex_acquire, ompt_mutex_lock, 0},
	    {ompt_callback_mutex_acquired, ompt_mutex_lock, 0},
	    {ompt_callback_mutex_acquire, ompt_mutex_test_lock, 0},
	    {ompt_callback_mutex_released, ompt_mutex_lock, 0},
	    {ompt_callback_lock_destroy, ompt_mutex_lock, 0},
	};
	static const struct expected nested[] = {
	    {ompt_callback_lock_init, ompt_mutex_nest_lock, 0},
	    {ompt_callback_mutex_acquire, ompt_mutex_nest_lock, 0},
	    {ompt_callback_mutex_acquired, ompt_mutex_nest_lock, 0},
	    {ompt_callback_mutex_acquire, ompt_mutex_test_nest_lock, 0},
	    {ompt_callback_nest_lock, 0, ompt_scope_begin},
	    {ompt_callback_nest_lock, 0, ompt_scope_end},
	    {ompt_callback_mutex_released, ompt_mutex_nest_lock, 0},
	    {ompt_callback_lock_destroy, ompt_mutex_nest_lock, 0},
	};

	record_clear();
	use(suffix);
	check_sequence(simple, sizeof(simple) / sizeof(*simple), &lock);
	record_check("use");
	record_clear();
	use_nest(suffix);
	check_sequence(nested, sizeof(nested) / sizeof(*nested), &nest);
	record_check("use_nest");
}

int main(void)
{
	if (!record_is_on())
		return check_result();
	in_order("");
	in_order("_");
	return check_result();
}
