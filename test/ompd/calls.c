/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of calls, and the handles that they use. */
#include "calls.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "ompd-extensions.h"

static int failures;

void fail(const char *format, ...)
{
	va_list arguments;

	if (++failures > 20)
		return;
	va_start(arguments, format);
	vfprintf(stderr, format, arguments);
	va_end(arguments);
	fputc('\n', stderr);
}

int result(void)
{
	if (failures > 20)
		fprintf(stderr, "... %d failures in all\n", failures);
	return failures != 0;
}

/* What a result holds before the call; no function returns it. */
#define POISON ((void *)(uintptr_t)0x5e5e5e5e5e5e5e5e)

static ompd_rc_t check_pointer(const char *name, ompd_rc_t rc, const void *result_value)
{
	if (rc == ompd_rc_ok ? result_value == POISON || result_value == NULL
			     : result_value != POISON)
		fail("%s: returned %d and left %p", name, rc, result_value);
	return rc;
}

static ompd_rc_t check_word(const char *name, ompd_rc_t rc, ompd_word_t value)
{
	if (rc != ompd_rc_ok && rc != ompd_rc_incomplete && value != (ompd_word_t)(uintptr_t)POISON)
		fail("%s: returned %d and wrote %lld", name, rc, (long long)value);
	return rc;
}

/* A function that gives a handle or a text; the release is called with what it gave. */
#define GIVES(run_name, type, release, call)                                                       \
	static ompd_rc_t run_name(const struct scene *scene)                                       \
	{                                                                                          \
		type *out = POISON;                                                                \
		ompd_rc_t rc = call;                                                               \
		check_pointer(#run_name, rc, out);                                                 \
		(void)scene;                                                                       \
		if (rc == ompd_rc_ok)                                                              \
			(void)release;                                                             \
		return rc;                                                                         \
	}

/* A function that gives a number. */
#define TELLS(run_name, call)                                                                      \
	static ompd_rc_t run_name(const struct scene *scene)                                       \
	{                                                                                          \
		ompd_word_t out = (ompd_word_t)(uintptr_t)POISON;                                  \
		ompd_rc_t rc = call;                                                               \
		return check_word(#run_name, rc, out);                                             \
	}

#define FREE_TEXT fake_callbacks.free_memory((void *)(uintptr_t)out)

static ompd_address_space_context_t *context(const struct scene *scene)
{
	return (ompd_address_space_context_t *)scene->target;
}

GIVES(process_initialize, ompd_address_space_handle_t, ompd_rel_address_space_handle(out),
    ompd_process_initialize(context(scene), &out))
GIVES(omp_version_string, const char, FREE_TEXT, ompd_get_omp_version_string(scene->space, &out))
GIVES(thread_in_parallel, ompd_thread_handle_t, ompd_rel_thread_handle(out),
    ompd_get_thread_in_parallel(scene->region, 1, &out))
GIVES(curr_parallel, ompd_parallel_handle_t, ompd_rel_parallel_handle(out),
    ompd_get_curr_parallel_handle(scene->worker, &out))
GIVES(idle_parallel, ompd_parallel_handle_t, ompd_rel_parallel_handle(out),
    ompd_get_curr_parallel_handle(scene->idler, &out))
GIVES(enclosing_parallel, ompd_parallel_handle_t, ompd_rel_parallel_handle(out),
    ompd_get_enclosing_parallel_handle(scene->region, &out))
GIVES(task_parallel, ompd_parallel_handle_t, ompd_rel_parallel_handle(out),
    ompd_get_task_parallel_handle(scene->explicit_task, &out))
GIVES(curr_task, ompd_task_handle_t, ompd_rel_task_handle(out),
    ompd_get_curr_task_handle(scene->worker, &out))
GIVES(generating_task, ompd_task_handle_t, ompd_rel_task_handle(out),
    ompd_get_generating_task_handle(scene->explicit_task, &out))
GIVES(scheduling_task, ompd_task_handle_t, ompd_rel_task_handle(out),
    ompd_get_scheduling_task_handle(scene->explicit_task, &out))
GIVES(implicit_scheduling_task, ompd_task_handle_t, ompd_rel_task_handle(out),
    ompd_get_scheduling_task_handle(scene->implicit, &out))
GIVES(task_in_parallel, ompd_task_handle_t, ompd_rel_task_handle(out),
    ompd_get_task_in_parallel(scene->region, 1, &out))
GIVES(control_vars, const char *const, ompd_rel_display_control_vars(&out),
    ompd_get_display_control_vars(scene->space, &out))
GIVES(icv_text, const char, FREE_TEXT,
    ompd_get_icv_string_from_scope(scene->space, ompd_scope_address_space, 9, &out))
GIVES(icv_list, const char, FREE_TEXT,
    ompd_get_icv_string_from_scope(scene->explicit_task, ompd_scope_task, 7, &out))
GIVES(icv_schedule, const char, FREE_TEXT,
    ompd_get_icv_string_from_scope(scene->explicit_task, ompd_scope_task, 2, &out))
GIVES(icv_places, const char, FREE_TEXT,
    ompd_get_icv_string_from_scope(scene->implicit, ompd_scope_implicit_task, 33, &out))

TELLS(omp_version, ompd_get_omp_version(scene->space, &out))
TELLS(state, ompd_get_state(scene->worker, &out, NULL))
TELLS(idle_state, ompd_get_state(scene->idler, &out, NULL))
TELLS(icv_of_process, ompd_get_icv_from_scope(scene->space, ompd_scope_address_space, 19, &out))
TELLS(icv_of_thread, ompd_get_icv_from_scope(scene->main_thread, ompd_scope_thread, 1, &out))
TELLS(icv_of_region, ompd_get_icv_from_scope(scene->region, ompd_scope_parallel, 21, &out))
TELLS(icv_of_task, ompd_get_icv_from_scope(scene->explicit_task, ompd_scope_task, 23, &out))
TELLS(icv_of_list, ompd_get_icv_from_scope(scene->worker, ompd_scope_thread, 7, &out))

static ompd_rc_t thread_handle(const struct scene *scene)
{
	uint64_t id = MAIN_ID + 2;
	uint32_t narrow = (uint32_t)id;
	bool is_wide = scene->target->shape.pointer_bytes == 8;
	ompd_thread_handle_t *out = POISON;
	ompd_rc_t rc = ompd_get_thread_handle(scene->space, OMPD_THREAD_ID_PTHREAD, is_wide ? 8 : 4,
	    is_wide ? (void *)&id : (void *)&narrow, &out);

	check_pointer("thread_handle", rc, out);
	if (rc == ompd_rc_ok)
		ompd_rel_thread_handle(out);
	return rc;
}

static ompd_rc_t thread_id(const struct scene *scene)
{
	uint32_t id = 0x5e5e5e5e;
	ompd_rc_t rc = ompd_get_thread_id(scene->worker, OMPD_THREAD_ID_LWP, 4, &id);

	if (rc != ompd_rc_ok && id != 0x5e5e5e5e)
		fail("thread_id: returned %d and wrote %u", rc, id);
	return rc;
}

static ompd_rc_t id_kinds(const struct scene *scene)
{
	ompd_thread_id_t *kinds = POISON;
	ompd_size_t *sizes = POISON;
	int count = -7;
	ompd_rc_t rc = ompd_get_device_thread_id_kinds(scene->space, &kinds, &sizes, &count);

	check_pointer("id_kinds", rc, kinds);
	check_pointer("id_kinds", rc, sizes);
	if ((rc == ompd_rc_ok) != (count == 2))
		fail("id_kinds: returned %d with a count of %d", rc, count);
	if (rc == ompd_rc_ok) {
		fake_callbacks.free_memory(kinds);
		fake_callbacks.free_memory(sizes);
	}
	return rc;
}

static ompd_rc_t task_function(const struct scene *scene)
{
	ompd_address_t out = {7, 7};
	ompd_rc_t rc = ompd_get_task_function(scene->implicit, &out);

	if (rc != ompd_rc_ok && out.address != 7)
		fail("task_function: returned %d and wrote %llx", rc, (long long)out.address);
	return rc;
}

static ompd_rc_t task_frame(const struct scene *scene)
{
	ompd_frame_info_t leave = {{7, 7}, 7}, enter = {{7, 7}, 7};
	ompd_rc_t rc = ompd_get_task_frame(scene->implicit, &leave, &enter);

	if (rc != ompd_rc_ok &&
	    (leave.frame_address.address != 7 || enter.frame_address.address != 7))
		fail("task_frame: returned %d and wrote", rc);
	return rc;
}

static ompd_rc_t enumerate_icvs(const struct scene *scene)
{
	ompd_icv_id_t id = ompd_icv_undefined;
	int more = 1;
	ompd_rc_t rc = ompd_rc_ok;

	while (more && rc == ompd_rc_ok) {
		const char *name = POISON;
		ompd_icv_id_t before = id;
		ompd_scope_t scope;
		rc = ompd_enumerate_icvs(scene->space, id, &id, &name, &scope, &more);
		check_pointer("enumerate_icvs", rc, name);
		if (rc == ompd_rc_ok)
			fake_callbacks.free_memory((void *)(uintptr_t)name);
		else if (id != before)
			fail("enumerate_icvs: returned %d and wrote", rc);
	}
	return rc;
}

static ompd_rc_t enumerate_states(const struct scene *scene)
{
	ompd_word_t state = ompt_state_undefined, more = 1;
	ompd_rc_t rc = ompd_rc_ok;

	while (more && rc == ompd_rc_ok) {
		const char *name = POISON;
		rc = ompd_enumerate_states(scene->space, state, &state, &name, &more);
		check_pointer("enumerate_states", rc, name);
		if (rc == ompd_rc_ok)
			fake_callbacks.free_memory((void *)(uintptr_t)name);
	}
	return rc;
}

/* A function that fills arrays and returns their length. */
#define COUNTS(run_name, type, room, call)                                                         \
	static ompd_rc_t run_name(const struct scene *scene)                                       \
	{                                                                                          \
		type rows[room];                                                                   \
		ompd_size_t out = (uintptr_t)POISON;                                               \
		ompd_rc_t rc = call;                                                               \
		return check_word(#run_name, rc, (ompd_word_t)out);                                \
	}

COUNTS(tasks, ompdx_task_t, 8, ompdx_get_tasks(scene->space, ~0u, 1, rows, 8, &out))
COUNTS(task_groups, ompdx_task_group_t, 2, ompdx_get_task_groups(scene->space, rows, 2, &out))
COUNTS(dependences, ompdx_dependence_t, 2, ompdx_get_dependences(scene->space, rows, 2, &out))

/* What could not be read of one thread is that row's problem. */
static ompd_rc_t threads(const struct scene *scene)
{
	enum { ROOM = 4 };
	ompdx_thread_t rows[ROOM];
	ompd_size_t count = (uintptr_t)POISON;
	ompd_rc_t rc = ompdx_get_threads(scene->space, rows, ROOM, &count);

	check_word("threads", rc, (ompd_word_t)count);
	for (ompd_size_t i = 0; rc == ompd_rc_ok && i < count && i < ROOM; i++)
		rc = (ompd_rc_t)rows[i].problem;
	return rc;
}

static ompd_rc_t waits(const struct scene *scene)
{
	ompdx_wait_t rows[4];
	ompdx_need_t needs[4];
	ompd_size_t count = (uintptr_t)POISON, need_count = (uintptr_t)POISON;
	ompd_rc_t rc = ompdx_get_waits(
	    scene->space, OMPDX_ALL_THREADS_KNOWN, NULL, rows, 4, &count, needs, 4, &need_count);

	check_word("waits", rc, (ompd_word_t)count);
	return check_word("waits", rc, (ompd_word_t)need_count);
}

#define ROW(run_name)                                                                              \
	{                                                                                          \
#run_name, run_name                                                                \
	}

const struct call calls[] = {ROW(process_initialize), ROW(omp_version), ROW(omp_version_string),
    ROW(thread_handle), ROW(thread_id), ROW(id_kinds), ROW(thread_in_parallel), ROW(curr_parallel),
    ROW(idle_parallel), ROW(enclosing_parallel), ROW(task_parallel), ROW(curr_task),
    ROW(generating_task), ROW(scheduling_task), ROW(implicit_scheduling_task),
    ROW(task_in_parallel), ROW(task_function), ROW(task_frame), ROW(enumerate_states), ROW(state),
    ROW(idle_state), ROW(control_vars), ROW(enumerate_icvs), ROW(icv_of_process),
    ROW(icv_of_thread), ROW(icv_of_region), ROW(icv_of_task), ROW(icv_of_list), ROW(icv_text),
    ROW(icv_list), ROW(icv_schedule), ROW(icv_places), ROW(tasks), ROW(task_groups),
    ROW(dependences), ROW(waits), ROW(threads)};
const size_t call_count = sizeof(calls) / sizeof(calls[0]);

bool scene_open(struct scene *scene, struct fake_target *target)
{
	uint32_t id = MAIN_ID + 100;
	ompd_thread_handle_t **threads[] = {&scene->main_thread, &scene->worker, &scene->idler};

	*scene = (struct scene){.target = target};
	if (ompd_process_initialize(context(scene), &scene->space) != ompd_rc_ok)
		return false;
	for (int i = 0; i < 3; i++, id++)
		if (ompd_get_thread_handle(scene->space, OMPD_THREAD_ID_LWP, 4, &id, threads[i]) !=
		    ompd_rc_ok)
			return false;
	return ompd_get_curr_parallel_handle(scene->main_thread, &scene->region) == ompd_rc_ok &&
	       ompd_get_task_in_parallel(scene->region, 0, &scene->implicit) == ompd_rc_ok &&
	       ompd_get_curr_task_handle(scene->main_thread, &scene->explicit_task) == ompd_rc_ok;
}

void scene_close(struct scene *scene)
{
	ompd_thread_handle_t *threads[] = {scene->main_thread, scene->worker, scene->idler};

	for (int i = 0; i < 3; i++)
		if (threads[i])
			EXPECT(ompd_rel_thread_handle(threads[i]) == ompd_rc_ok);
	if (scene->region)
		EXPECT(ompd_rel_parallel_handle(scene->region) == ompd_rc_ok);
	if (scene->implicit)
		EXPECT(ompd_rel_task_handle(scene->implicit) == ompd_rc_ok);
	if (scene->explicit_task)
		EXPECT(ompd_rel_task_handle(scene->explicit_task) == ompd_rc_ok);
	if (scene->space)
		EXPECT(ompd_rel_address_space_handle(scene->space) == ompd_rc_ok);
}

int test_each_shape(void (*test)(struct scene *scene))
{
	static struct fake_target target;

	EXPECT(ompd_initialize(202111, &fake_callbacks) == ompd_rc_ok);
	for (int i = 0; i < FAKE_SHAPES; i++) {
		struct scene scene;
		fake_target_make(&target, fake_shapes[i]);
		if (!scene_open(&scene, &target)) {
			fail("%s: the scene has no handles", fake_shapes[i].name);
			return result();
		}
		test(&scene);
		scene_close(&scene);
		if (result() != 0)
			fprintf(stderr, "... on the %s target\n", fake_shapes[i].name);
	}
	EXPECT(fake.live_blocks == 0 && fake.fault == NULL);
	EXPECT(ompd_finalize() == ompd_rc_ok);
	return result();
}
