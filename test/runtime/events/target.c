/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Events of target constructs on the host: each construct begins and ends with its kind, a target
 * region is submitted once within its construct, deferred ones by the thread that executes them.
 * Memory routines for the host are data operations.
 */
#include <dlfcn.h>
#include <omp.h>

#include "check.h"
#include "recorder.h"

static int shared_value[4];

static __attribute__((noinline)) void region(void)
{
#pragma omp target map(tofrom : shared_value)
	shared_value[0]++;
#pragma omp target teams num_teams(3) map(tofrom : shared_value)
	if (omp_get_team_num() == 0)
		shared_value[1]++;
	RETURNS_HERE;
}

static __attribute__((noinline)) void deferred(void)
{
#pragma omp target nowait map(tofrom : shared_value) depend(inout : shared_value)
	shared_value[2]++;
#pragma omp target nowait map(tofrom : shared_value) depend(inout : shared_value)
	shared_value[2]++;
#pragma omp taskwait
	RETURNS_HERE;
}

static __attribute__((noinline)) void data(void)
{
#pragma omp target data map(tofrom : shared_value)
	shared_value[3]++;
#pragma omp target enter data map(to : shared_value)
#pragma omp target update to(shared_value)
#pragma omp target update from(shared_value) nowait depend(in : shared_value)
#pragma omp target exit data map(from : shared_value)
	RETURNS_HERE;
}

static __attribute__((noinline)) void memory(void)
{
	char *block = omp_target_alloc(100, omp_get_initial_device());

	omp_target_memcpy(block, shared_value, sizeof(shared_value), 0, 0, omp_get_initial_device(),
	    omp_get_initial_device());
	omp_target_free(block, omp_get_initial_device());
	RETURNS_HERE;
}

/* The routine is newer than omp.h may be. */
static __attribute__((noinline)) void memory_set(void)
{
	void *(*set)(void *, int, size_t, int) = dlsym(RTLD_DEFAULT, "omp_target_memset");
	void *(*set_async)(void *, int, size_t, int, int, omp_depend_t *) =
	    dlsym(RTLD_DEFAULT, "omp_target_memset_async");
	char block[50];

	if (!CHECK(set != NULL && set_async != NULL))
		return;
	set(block, 1, sizeof(block), omp_get_initial_device());
	set_async(block, 2, 30, omp_get_initial_device(), 0, NULL);
	set(block, 3, 0, omp_get_initial_device()); /* nothing, which is no operation */
	RETURNS_HERE;
}

/* It waits for its dependences and has no event of its own, nor those of a taskwait. */
static __attribute__((noinline)) void interop(void)
{
	void (*construct)(int, int, uintptr_t **, const int *, const char **, int,
	    const uintptr_t *, int, uintptr_t **, unsigned, void **) =
	    dlsym(RTLD_DEFAULT, "GOMP_interop");
	uintptr_t object, *made[] = {&object};
	void *depend[] = {(void *)(uintptr_t)1, (void *)(uintptr_t)1, shared_value};

	if (!CHECK(construct != NULL))
		return;
#pragma omp task depend(inout : shared_value)
	shared_value[3]--;
	construct(0, 1, made, (const int[]){2}, NULL, 0, NULL, 0, NULL, 0, depend);
	RETURNS_HERE;
}

/* As many begin as end, all for the host, the end with the construct's own data word. */
static void check_kind(ompt_target_t kind, unsigned number)
{
	uint64_t open = 0;

	CHECK_EQUAL(record_number(ompt_callback_target_emi, kind, ompt_scope_begin), number);
	CHECK_EQUAL(record_number(ompt_callback_target_emi, kind, ompt_scope_end), number);
	for (unsigned i = 0; i < record_count(); i++) {
		const struct record *record = record_at(i);
		if (record->callback != ompt_callback_target_emi || record->kind != (int)kind)
			continue;
		CHECK_EQUAL(record->length, omp_get_initial_device());
		CHECK(record->task != 0);
		CHECK(record->parallel != 0);
		if (record->endpoint == ompt_scope_begin)
			open = record->parallel;
		else
			CHECK_EQUAL(record->parallel, open);
	}
}

/* Each submission begins and ends at once, with the data word of a construct that is open. */
static void check_submissions(unsigned number)
{
	uint64_t operation = 0, inside = 0;

	CHECK_EQUAL(record_number(ompt_callback_target_submit_emi, -1, ompt_scope_begin), number);
	CHECK_EQUAL(record_number(ompt_callback_target_submit_emi, -1, ompt_scope_end), number);
	for (unsigned i = 0; i < record_count(); i++) {
		const struct record *record = record_at(i);
		if (record->callback == ompt_callback_target_emi)
			inside = record->endpoint == ompt_scope_begin ? record->parallel : 0;
		if (record->callback != ompt_callback_target_submit_emi)
			continue;
		CHECK_EQUAL(record->parallel, inside);
		CHECK(record->wait != 0);
		if (record->endpoint == ompt_scope_begin)
			operation = record->wait;
		else
			CHECK_EQUAL(record->wait, operation);
	}
}

static void check_operation(ompt_target_data_op_t kind, size_t bytes)
{
	const struct record *begin =
	    record_find(0, ompt_callback_target_data_op_emi, kind, ompt_scope_begin);
	const struct record *end =
	    record_find(0, ompt_callback_target_data_op_emi, kind, ompt_scope_end);

	if (!CHECK(begin != NULL && end != NULL))
		return;
	CHECK(begin < end);
	CHECK_EQUAL(begin->wait, end->wait);
	CHECK_EQUAL(begin->length, omp_get_initial_device());
	CHECK_EQUAL(begin->count, bytes);
	CHECK_EQUAL(end->count, bytes);
}

int main(void)
{
	if (!record_is_on())
		return check_result();
	CHECK_EQUAL(record_answer[ompt_callback_target_emi], ompt_set_always);
	record_clear();
	region();
	check_kind(ompt_target, 2);
	check_submissions(2);
	CHECK_EQUAL(record_find(0, ompt_callback_target_submit_emi, -1, ompt_scope_end)[1].callback,
	    ompt_callback_implicit_task);
	record_check("region");
	record_clear();
	deferred();
	check_kind(ompt_target_nowait, 2);
	check_submissions(2);
	record_check("deferred");
	record_clear();
	data();
	check_kind(ompt_target_enter_data, 2);
	check_kind(ompt_target_exit_data, 2);
	check_kind(ompt_target_update, 1);
	check_kind(ompt_target_update_nowait, 1);
	check_submissions(0);
	record_check("data");
	record_clear();
	memory();
	check_operation(ompt_target_data_alloc, 100);
	check_operation(ompt_target_data_transfer_to_device, sizeof(shared_value));
	check_operation(ompt_target_data_delete, 0);
	record_check("memory");
	record_clear();
	memory_set();
	check_operation(ompt_target_data_memset, 50);
	check_operation(ompt_target_data_memset_async, 30);
	CHECK_EQUAL(record_number(ompt_callback_target_data_op_emi, -1, 0), 4);
	record_check("memory_set");
	record_clear();
	interop();
	CHECK_EQUAL(shared_value[3], 0);
	CHECK_EQUAL(record_number(ompt_callback_target_emi, -1, 0), 0);
	CHECK_EQUAL(record_number(ompt_callback_sync_region, -1, 0), 0);
	record_check("interop");
	shared_value[3]++;
	CHECK_EQUAL(shared_value[0] + shared_value[1] + shared_value[2] + shared_value[3], 5);
	return check_result();
}
