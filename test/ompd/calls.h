/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every function that reads a target, as one row of a table: the tests of failures and of damaged
 * targets call them all in the same way.
 */
#ifndef CALLS_H
#define CALLS_H

#include "fake-target.h"

/* Handles of the scene. NULL: could not be made. */
struct scene {
	struct fake_target *target;
	ompd_address_space_handle_t *space;
	ompd_thread_handle_t *main_thread, *worker, *idler;
	ompd_parallel_handle_t *region;
	ompd_task_handle_t *implicit, *explicit_task;
};

/*
 * Calls its function with good arguments. Sees for itself that results are untouched after a
 * failure, and frees them otherwise.
 */
struct call {
	const char *name;
	ompd_rc_t (*run)(const struct scene *scene);
};

extern const struct call calls[];
extern const size_t call_count;

/* Makes the handles; false: some could not be made. scene_close() frees those that were. */
bool scene_open(struct scene *scene, struct fake_target *target);
void scene_close(struct scene *scene);

/*
 * Opens the library and has the test look at the scene on targets of each shape, one after the
 * other; nothing may be left over. The test's result.
 */
int test_each_shape(void (*test)(struct scene *scene));

/* Counts and says what went wrong; the test's result. */
void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
int result(void);

#define EXPECT(condition) ((condition) ? (void)0 : fail("line %d: %s", __LINE__, #condition))

#endif
