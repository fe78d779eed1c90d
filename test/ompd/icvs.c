/* SPDX-License-Identifier: BSD-3-Clause */
/* The internal control variables: all of the list, those of the scene by value, and bad input. */
#include <stdio.h>
#include <string.h>

#include "calls.h"

/* A variable of the scene: as a number (when rc is 0 or incomplete) and in words. */
struct expected_icv {
	ompd_icv_id_t id;
	ompd_scope_t scope;
	ompd_rc_t rc;
	ompd_word_t number;
	const char *words;
};

static const struct expected_icv expected_icvs[] = {
    {1, ompd_scope_thread, ompd_rc_ok, 0, "false"},
    {2, ompd_scope_task, ompd_rc_incomplete, 0x80000002, "monotonic:dynamic,4"},
    {3, ompd_scope_address_space, ompd_rc_ok, 65536, "65536"},
    {4, ompd_scope_address_space, ompd_rc_ok, 1, "true"},
    {7, ompd_scope_thread, ompd_rc_incomplete, 2, "2,3"},
    {9, ompd_scope_address_space, ompd_rc_incompatible, -1, "thread %n"},
    {10, ompd_scope_thread, ompd_rc_ok, -1, "-1"},
    {12, ompd_scope_address_space, ompd_rc_incompatible, -1, ""},
    {14, ompd_scope_parallel, ompd_rc_ok, 1, "1"},
    {16, ompd_scope_task, ompd_rc_ok, 64, "64"},
    {17, ompd_scope_task, ompd_rc_ok, 255, "255"},
    {18, ompd_scope_task, ompd_rc_ok, 4, "spread"},
    {19, ompd_scope_address_space, ompd_rc_ok, 12, "12"},
    {20, ompd_scope_address_space, ompd_rc_ok, 2, "passive"},
    {21, ompd_scope_parallel, ompd_rc_ok, 2, "2"},
    {22, ompd_scope_thread, ompd_rc_ok, 0, "0"},
    {23, ompd_scope_task, ompd_rc_ok, 1, "true"},
    {24, ompd_scope_task, ompd_rc_ok, 0, "false"},
    {31, ompd_scope_task, ompd_rc_ok, 1, "true"},
    {32, ompd_scope_address_space, ompd_rc_ok, 1, "static"},
    {33, ompd_scope_task, ompd_rc_incompatible, -1, "{0:2,3:2},{5}"},
    {35, ompd_scope_address_space, ompd_rc_ok, 0, "default"},
    {41, ompd_scope_thread, ompd_rc_ok, 1, "1"},
    {42, ompd_scope_address_space, ompd_rc_ok, 12, "12"},
    {43, ompd_scope_task, ompd_rc_ok, 0, "0"},
    {44, ompd_scope_task, ompd_rc_ok, 1, "true"},
    {45, ompd_scope_task, ompd_rc_ok, 0, "false"},
    {46, ompd_scope_parallel, ompd_rc_ok, 2, "2"},
};

static void *handle_of(const struct scene *scene, ompd_scope_t scope)
{
	switch (scope) {
	case ompd_scope_address_space:
		return scene->space;
	case ompd_scope_thread:
		return scene->main_thread;
	case ompd_scope_parallel:
		return scene->region;
	default:
		return scene->explicit_task;
	}
}

static void test_icv_values(const struct scene *scene)
{
	for (size_t i = 0; i < sizeof(expected_icvs) / sizeof(expected_icvs[0]); i++) {
		const struct expected_icv *icv = &expected_icvs[i];
		void *handle = handle_of(scene, icv->scope);
		ompd_word_t number = -1;
		const char *words = NULL;
		ompd_rc_t rc = ompd_get_icv_from_scope(handle, icv->scope, icv->id, &number);
		if (rc != icv->rc || number != icv->number)
			fail("ICV %d: %d, %lld; expected %d, %lld", (int)icv->id, rc,
			    (long long)number, icv->rc, (long long)icv->number);
		rc = ompd_get_icv_string_from_scope(handle, icv->scope, icv->id, &words);
		if (rc != ompd_rc_ok || strcmp(words, icv->words) != 0)
			fail("ICV %d: %d, \"%s\"; expected \"%s\"", (int)icv->id, rc, words,
			    icv->words);
		if (rc == ompd_rc_ok)
			fake_callbacks.free_memory((void *)(uintptr_t)words);
	}
}

/* The names of OpenMP 5.1 for what 5.2 made variables. */
static void test_names(const struct scene *scene)
{
	static const char *const names[] = {"ompd-num-procs-var", "ompd-thread-num-var",
	    "ompd-final-task-var", "ompd-implicit-task-var", "ompd-team-size-var", "num-procs-var",
	    "thread-num-var", "final-task-var", "implicit-task-var", "team-size-var"};
	enum { NAMES = sizeof(names) / sizeof(names[0]) };
	ompd_icv_id_t id = ompd_icv_undefined;
	int more = 1, found = 0;

	while (more) {
		const char *name = NULL;
		ompd_scope_t scope = 0;
		if (ompd_enumerate_icvs(scene->space, id, &id, &name, &scope, &more) != ompd_rc_ok)
			break;
		for (int i = 0; i < NAMES; i++)
			found += strcmp(name, names[i]) == 0;
		fake_callbacks.free_memory((void *)(uintptr_t)name);
	}
	EXPECT(found == NAMES);
}

/* Of the member that it belongs to; a task that its thread has left is there no more. */
static void test_thread_number(const struct scene *scene)
{
	ompd_task_handle_t *task = NULL;
	ompd_word_t number = -1;

	EXPECT(ompd_get_task_in_parallel(scene->region, 1, &task) == ompd_rc_ok);
	EXPECT(ompd_get_icv_from_scope(task, ompd_scope_task, 43, &number) == ompd_rc_ok);
	EXPECT(number == 1);
	EXPECT(ompd_rel_task_handle(task) == ompd_rc_ok);
	/* Its thread executes number 0's implicit task now. */
	fake_put(scene->target, scene->target->main_thread, "rt_thread.task",
	    scene->target->implicit[0]);
	number = -1;
	EXPECT(ompd_get_icv_from_scope(scene->explicit_task, ompd_scope_task, 43, &number) ==
	       ompd_rc_stale_handle);
	EXPECT(number == -1);
	fake_put(scene->target, scene->target->main_thread, "rt_thread.task",
	    scene->target->explicit_task);
}

/* Every enumerated variable is there in its scope, and in words; its names differ. */
static void test_icv_list(const struct scene *scene)
{
	ompd_icv_id_t id = ompd_icv_undefined;
	int more = 1, count = 0;

	while (more) {
		const char *name = NULL, *words = NULL;
		ompd_scope_t scope = 0;
		ompd_rc_t rc = ompd_enumerate_icvs(scene->space, id, &id, &name, &scope, &more);
		if (rc != ompd_rc_ok) {
			fail("enumeration ended with %d after ICV %d", rc, (int)id);
			return;
		}
		rc = ompd_get_icv_string_from_scope(handle_of(scene, scope), scope, id, &words);
		if (rc != ompd_rc_ok || strlen(name) < 5 ||
		    strcmp(name + strlen(name) - 4, "-var") != 0)
			fail("ICV %d '%s': %d", (int)id, name, rc);
		fake_callbacks.free_memory((void *)(uintptr_t)name);
		fake_callbacks.free_memory((void *)(uintptr_t)words);
		count++;
	}
	EXPECT(count >= 29);
}

static void test_bad_icvs(const struct scene *scene)
{
	ompd_word_t number = 0;
	const char *words = NULL, *name = NULL;
	ompd_icv_id_t next = 0;
	ompd_scope_t scope = 0;
	ompd_address_t pointer;
	int more = 0;

	EXPECT(ompd_get_icv_from_scope(scene->space, ompd_scope_address_space, 99, &number) ==
	       ompd_rc_bad_input);
	EXPECT(ompd_get_icv_from_scope(scene->space, ompd_scope_address_space, 21, &number) ==
	       ompd_rc_incompatible);
	EXPECT(ompd_get_icv_from_scope(scene->region, ompd_scope_parallel, 7, &number) ==
	       ompd_rc_incompatible);
	EXPECT(ompd_get_icv_from_scope(scene->region, ompd_scope_thread, 22, &number) ==
	       ompd_rc_stale_handle);
	EXPECT(ompd_get_icv_from_scope(scene->region, 7, 21, &number) == ompd_rc_bad_input);
	EXPECT(ompd_get_icv_from_scope(NULL, ompd_scope_task, 16, &number) == ompd_rc_stale_handle);
	EXPECT(ompd_get_icv_from_scope(scene->region, ompd_scope_parallel, 21, NULL) ==
	       ompd_rc_bad_input);
	EXPECT(ompd_get_icv_string_from_scope(scene->region, ompd_scope_parallel, 21, NULL) ==
	       ompd_rc_bad_input);
	EXPECT(ompd_get_icv_string_from_scope(scene->space, ompd_scope_task, 21, &words) ==
	       ompd_rc_stale_handle);
	EXPECT(ompd_enumerate_icvs(scene->space, 99, &next, &name, &scope, &more) ==
	       ompd_rc_bad_input);
	EXPECT(ompd_enumerate_icvs(NULL, 0, &next, &name, &scope, &more) == ompd_rc_stale_handle);
	EXPECT(ompd_get_tool_data(scene->worker, ompd_scope_thread, &number, &pointer) ==
	       ompd_rc_unsupported);
	EXPECT(ompd_get_tool_data(scene->worker, ompd_scope_thread, NULL, &pointer) ==
	       ompd_rc_bad_input);
	EXPECT(ompd_get_tool_data(scene->worker, 9, &number, &pointer) == ompd_rc_bad_input);
	EXPECT(number == 0 && words == NULL && name == NULL);
}

static void test_scene(struct scene *scene)
{
	test_icv_values(scene);
	test_icv_list(scene);
	test_names(scene);
	test_thread_number(scene);
	test_bad_icvs(scene);
}

int main(void)
{
	return test_each_shape(test_scene);
}
