/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The events of threads, regions, implicit tasks and barriers, in every kind of region: begin and
 * end of each, in this order, with the same data words, on the right threads. What a region's
 * members emit lies between its begin and its end.
 */
#include <omp.h>

#include "check.h"
#include "omp-tools.h"

struct record {
	int callback, endpoint, kind, thread;
	uint64_t parallel, task;
	unsigned size, index;
	int flags;
	const void *codeptr;
};

enum { MOST = 200000, MOST_REGIONS = 20000, NO_DATA = 0xffff };

static struct record records[MOST];
static int used, threads, threads_open, finalized;
static uint64_t regions;
static _Thread_local int thread;
static ompt_get_state_t get_state;
static ompt_get_unique_id_t get_id;

static uint64_t value(ompt_data_t *data)
{
	return data != NULL ? data->value : NO_DATA;
}

static struct record *add(int callback, int endpoint, ompt_data_t *parallel, ompt_data_t *task)
{
	int index = __atomic_fetch_add(&used, 1, __ATOMIC_SEQ_CST);
	struct record *record = &records[index < MOST ? index : MOST - 1];

	*record = (struct record){.callback = callback, .endpoint = endpoint, .thread = thread};
	record->parallel = value(parallel);
	record->task = value(task);
	return record;
}

static void on_thread_begin(ompt_thread_t type, ompt_data_t *data)
{
	thread = __atomic_add_fetch(&threads, 1, __ATOMIC_SEQ_CST);
	__atomic_add_fetch(&threads_open, 1, __ATOMIC_SEQ_CST);
	CHECK_EQUAL(data->value, 0);
	data->value = (uint64_t)thread;
	add(ompt_callback_thread_begin, 0, NULL, NULL)->kind = (int)type;
}

static void on_thread_end(ompt_data_t *data)
{
	CHECK_EQUAL(data->value, thread);
	__atomic_sub_fetch(&threads_open, 1, __ATOMIC_SEQ_CST);
	add(ompt_callback_thread_end, 0, NULL, NULL);
	thread = -1;
}

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel,
    unsigned requested, int flags, const void *codeptr)
{
	struct record *record;

	CHECK_EQUAL(parallel->value, 0);
	parallel->value = __atomic_add_fetch(&regions, 1, __ATOMIC_SEQ_CST);
	CHECK(frame->enter_frame.ptr != NULL);
	record = add(ompt_callback_parallel_begin, 0, parallel, task);
	record->size = requested;
	record->flags = flags;
	record->codeptr = codeptr;
}

static void on_parallel_end(
    ompt_data_t *parallel, ompt_data_t *task, int flags, const void *codeptr)
{
	struct record *record = add(ompt_callback_parallel_end, 0, parallel, task);

	record->flags = flags;
	record->codeptr = codeptr;
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
    ompt_data_t *task, unsigned size, unsigned index, int flags)
{
	struct record *record;

	if (endpoint == ompt_scope_begin) {
		CHECK_EQUAL(task->value, 0);
		task->value = get_id();
	}
	record = add(ompt_callback_implicit_task, endpoint, parallel, task);
	record->size = size;
	record->index = index;
	record->flags = flags;
}

static void sync_record(int callback, ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
    ompt_data_t *parallel, ompt_data_t *task, const void *codeptr)
{
	struct record *record = add(callback, endpoint, parallel, task);

	record->kind = (int)kind;
	record->codeptr = codeptr;
}

static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
    ompt_data_t *parallel, ompt_data_t *task, const void *codeptr)
{
	sync_record(ompt_callback_sync_region, kind, endpoint, parallel, task, codeptr);
}

static void on_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
    ompt_data_t *task, const void *codeptr)
{
	sync_record(ompt_callback_sync_region_wait, kind, endpoint, parallel, task, codeptr);
}

/* After it no event comes any more; the threads that the runtime made have ended before. */
static void finalize(ompt_data_t *data)
{
	int open = __atomic_load_n(&threads_open, __ATOMIC_SEQ_CST);

	(void)data;
	if (open != 0) {
		fprintf(stderr, "finalize: expected that all threads have ended, found %d\n", open);
		_exit(1);
	}
	finalized++;
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
	ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");

	(void)device;
	(void)data;
	get_state = (ompt_get_state_t)lookup("ompt_get_state");
	get_id = (ompt_get_unique_id_t)lookup("ompt_get_unique_id");
	set(ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin);
	set(ompt_callback_thread_end, (ompt_callback_t)on_thread_end);
	set(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin);
	set(ompt_callback_parallel_end, (ompt_callback_t)on_parallel_end);
	set(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task);
	set(ompt_callback_sync_region, (ompt_callback_t)on_sync_region);
	set(ompt_callback_sync_region_wait, (ompt_callback_t)on_wait);
	return 1;
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
	static ompt_start_tool_result_t result = {initialize, finalize, {0}};

	(void)version;
	(void)runtime;
	return &result;
}

/* What is known of one region while the records are read. */
struct region {
	bool begun, ended;
	int flags;
	const void *codeptr;
	uint64_t task; /* that encountered it */
	unsigned size, members, left;
};

static struct region states[MOST_REGIONS];

/* The place where a wrong record is. */
static void show(int index)
{
	const struct record *record = &records[index];

	fprintf(stderr,
	    "  record %d: callback %d endpoint %d kind %d thread %d parallel %d task %d size %u "
	    "index %u flags %x\n",
	    index, record->callback, record->endpoint, record->kind, record->thread,
	    (int)record->parallel, (int)record->task, record->size, record->index,
	    (unsigned)record->flags);
}

#define HOLDS(condition)                                                                           \
	do {                                                                                       \
		if (!CHECK(condition))                                                             \
			show(i);                                                                   \
	} while (0)

static void check_region_event(int i)
{
	const struct record *record = &records[i];
	struct region *region = &states[record->parallel];

	if (record->callback == ompt_callback_parallel_begin) {
		HOLDS(!region->begun);
		HOLDS(record->codeptr != NULL);
		region->begun = true;
		region->flags = record->flags;
		region->codeptr = record->codeptr;
		region->task = record->task;
	} else {
		HOLDS(region->begun && !region->ended);
		HOLDS(record->flags == region->flags && record->codeptr == region->codeptr);
		HOLDS(record->task == region->task);
		HOLDS(region->members == region->size && region->left == region->size);
		region->ended = true;
	}
}

enum { MOST_TASKS = MOST };
static uint64_t region_of[MOST_TASKS]; /* by task */

static void check_task_begin(int i)
{
	const struct record *record = &records[i];
	struct region *region = &states[record->parallel];
	bool is_league = (region->flags & (int)ompt_parallel_league) != 0;

	region_of[record->task] = record->parallel;
	if (record->parallel == 0) {
		HOLDS(record->size == 1 && record->flags == ompt_task_initial);
		return;
	}
	HOLDS(region->begun && !region->ended);
	HOLDS(record->flags == (int)(is_league ? ompt_task_initial : ompt_task_implicit));
	if (region->members == 0)
		region->size = record->size;
	HOLDS(record->size == region->size && record->index < record->size);
	region->members++;
}

/* What one thread is in: barriers and the waits within. */
struct place {
	int barriers, waits, kind;
};

static void check_sync(int i, struct place *place)
{
	const struct record *record = &records[i];
	bool begins = record->endpoint == ompt_scope_begin;
	bool is_last = record->kind == ompt_sync_region_barrier_implicit_parallel;

	HOLDS(record->codeptr != NULL);
	HOLDS(record->task != 0 && record->task != NO_DATA);
	if (record->callback == ompt_callback_sync_region) {
		HOLDS(place->waits == 0);
		HOLDS(place->barriers == (begins ? 0 : 1));
		HOLDS(begins || record->kind == place->kind);
		HOLDS(begins || !is_last || record->parallel == NO_DATA);
		place->barriers += begins ? 1 : -1;
		place->kind = record->kind;
	} else {
		HOLDS(place->barriers == 1 && place->waits == (begins ? 0 : 1));
		HOLDS(record->kind == place->kind);
		place->waits += begins ? 1 : -1;
	}
	HOLDS(record->parallel == NO_DATA || record->parallel == region_of[record->task]);
	HOLDS(!states[region_of[record->task]].ended);
}

static void check_records(int count)
{
	struct place *places = calloc((size_t)threads + 1, sizeof(*places));

	for (int i = 0; i < count; i++) {
		const struct record *record = &records[i];

		HOLDS(record->thread > 0);
		switch (record->callback) {
		case ompt_callback_parallel_begin:
		case ompt_callback_parallel_end:
			check_region_event(i);
			break;
		case ompt_callback_implicit_task:
			if (record->endpoint == ompt_scope_begin) {
				check_task_begin(i);
				break;
			}
			HOLDS(record->parallel == NO_DATA && record->size == 0);
			states[region_of[record->task]].left++;
			break;
		case ompt_callback_sync_region:
		case ompt_callback_sync_region_wait:
			check_sync(i, &places[record->thread]);
			break;
		default:
			break;
		}
	}
	for (uint64_t i = 1; i <= regions; i++)
		CHECK(states[i].begun && states[i].ended);
	free(places);
}

static int count_of(int callback, int endpoint, int kind)
{
	int found = 0;

	for (int i = 0; i < used; i++)
		found += records[i].callback == callback &&
			 (endpoint == 0 || records[i].endpoint == endpoint) &&
			 (kind == 0 || records[i].kind == kind);
	return found;
}

static int members; /* of parallel regions, as they count themselves */

#define MEMBER __atomic_add_fetch(&members, 1, __ATOMIC_RELAXED)

static void nested(void)
{
	omp_set_max_active_levels(3);
#pragma omp parallel num_threads(2)
	{
		MEMBER;
#pragma omp parallel num_threads(3)
		{
			MEMBER;
#pragma omp barrier
#pragma omp parallel if (0)
			MEMBER;
		}
#pragma omp barrier
	}
	omp_set_max_active_levels(1);
#pragma omp parallel
	{
		MEMBER;
#pragma omp parallel num_threads(4)
		MEMBER;
	}
}

static void serialized(void)
{
#pragma omp parallel num_threads(1)
	{
		MEMBER;
#pragma omp barrier
	}
#pragma omp parallel if (0)
	MEMBER;
}

static void sizes(void)
{
	for (int size = 1; size <= 20; size++) {
#pragma omp parallel num_threads(size)
		MEMBER;
#pragma omp parallel num_threads(21 - size)
		{
			MEMBER;
#pragma omp barrier
		}
	}
}

static void many(void)
{
	for (int i = 0; i < 500; i++) {
#pragma omp parallel
		{
			MEMBER;
#pragma omp barrier
		}
	}
}

static void with_tasks(void)
{
#pragma omp parallel
	{
		MEMBER;
#pragma omp single nowait
		for (int i = 0; i < 50; i++) {
#pragma omp task
			count(&(int){0});
		}
	}
}

static void cancelled(void)
{
	for (int i = 0; i < 20; i++) {
#pragma omp parallel
		{
			MEMBER;
#pragma omp cancel parallel if (omp_get_thread_num() == i % omp_get_num_threads())
#pragma omp barrier
#pragma omp cancellation point parallel
		}
	}
}

/* A league has an initial task for each team, a target region one. */
static void league(void)
{
	int before = count_of(ompt_callback_implicit_task, ompt_scope_begin, 0), inside = 0;
	int members_before = members;

#pragma omp teams num_teams(3) reduction(+ : inside)
	{
		inside += omp_get_team_num() + 1;
#pragma omp parallel num_threads(2)
		MEMBER;
	}
	CHECK_EQUAL(inside, 1 + 2 + 3);
#pragma omp target map(tofrom : inside)
	inside++;
	CHECK_EQUAL(inside, 7);
	CHECK_EQUAL(count_of(ompt_callback_implicit_task, ompt_scope_begin, 0) - before,
	    3 + 1 + members - members_before);
}

int main(void)
{
	nested();
	serialized();
	sizes();
	many();
	with_tasks();
	cancelled();
	league();
	CHECK(used < MOST && regions < MOST_REGIONS);
	CHECK_EQUAL(get_state(NULL), ompt_state_work_serial);
	check_records(used);
	/* Each member of a parallel region has one implicit task; 3 + 1 and the program's are
	 * initial. */
	CHECK_EQUAL(count_of(ompt_callback_implicit_task, ompt_scope_begin, 0), members + 5);
	CHECK_EQUAL(count_of(ompt_callback_implicit_task, ompt_scope_end, 0), members + 4);
	CHECK_EQUAL(count_of(ompt_callback_sync_region, ompt_scope_end,
			ompt_sync_region_barrier_implicit_parallel),
	    members);
	CHECK_EQUAL(count_of(ompt_callback_thread_begin, 0, ompt_thread_initial), 1);
	CHECK_EQUAL(count_of(ompt_callback_sync_region, 0, 0),
	    count_of(ompt_callback_sync_region_wait, 0, 0));
	CHECK_EQUAL(finalized, 0);
	return check_result();
}
