/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A thread that the runtime did not make ends, and its records are freed: whatever a signal's
 * handler asks between two of these frees is answered from memory that is still there. The
 * program's own free() is such a handler at the worst moments: it spoils the memory, frees it and
 * asks.
 */
#include <dlfcn.h>
#include <malloc.h>
#include <omp.h>
#include <pthread.h>

#include "record.h"

enum { SPOILT = 0xe0 };

static _Thread_local bool is_watched;
static int frees;

static void ask(void)
{
	ompt_wait_id_t wait_id;
	ompt_frame_t *frame = NULL;
	ompt_data_t *task = NULL, *parallel = NULL;
	int flags = 0, number = -1, size = 0, places[8], level = 0;
	void *address;
	size_t bytes;

	CHECK_EQUAL(record_state(&wait_id) & ~0x1ff, 0);
	while (record_task_info(level, &flags, &task, &frame, &parallel, &number) == 2) {
		CHECK(flags >= 0 && (flags & 0x1f) != 0 && number >= 0);
		CHECK(level++ < 100);
	}
	level = 0;
	while (record_parallel_info(level, &parallel, &size) == 2) {
		CHECK(size > 0 && size < 100);
		CHECK(level++ < 100);
	}
	CHECK(record_partition(8, places) >= 0);
	CHECK_EQUAL(record_task_memory(&address, &bytes, 0), 0);
	CHECK_EQUAL(address, NULL);
}

__attribute__((visibility("default"))) void free(void *memory)
{
	static void (*next)(void *);

	if (next == NULL)
		next = (void (*)(void *))dlsym(RTLD_NEXT, "free");
	if (!is_watched || memory == NULL) {
		next(memory);
		return;
	}
	is_watched = false;
	memset(memory, SPOILT, malloc_usable_size(memory));
	next(memory);
	__atomic_add_fetch(&frees, 1, __ATOMIC_RELAXED);
	ask();
	is_watched = true;
}

static void *root(void *argument)
{
	int order = 0;

	(void)argument;
	omp_set_num_threads(3); /* its own copy of the ICVs */
#pragma omp parallel
#pragma omp single
	{
#pragma omp task shared(order) depend(out : order)
		order = 1;
#pragma omp task shared(order) depend(in : order)
		CHECK_EQUAL(order, 1);
	}
	is_watched = true;
	return NULL;
}

int main(void)
{
	for (int i = 0; i < 20; i++) {
		pthread_t thread;

		CHECK_EQUAL(pthread_create(&thread, NULL, root, NULL), 0);
		CHECK_EQUAL(pthread_join(thread, NULL), 0);
	}
	CHECK(__atomic_load_n(&frees, __ATOMIC_RELAXED) > 20 * 5);
	return check_result();
}
