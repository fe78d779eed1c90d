/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every function with good input, on targets of either width and byte order, and with bad input.
 * What is expected is what fake-target.c put there.
 */
#include <stdio.h>
#include <string.h>

#include "calls.h"

static void test_library(void)
{
	ompd_callbacks_t missing;
	const char *first = NULL, *second = NULL;
	ompd_word_t version = 0;

	EXPECT(ompd_get_version_string(&first) == ompd_rc_ok && first[0] != '\0');
	EXPECT(ompd_get_version_string(&second) == ompd_rc_ok && first == second);
	EXPECT(strstr(first, "build ") != NULL);
	EXPECT(ompd_get_version_string(NULL) == ompd_rc_bad_input);
	EXPECT(ompd_get_api_version(&version) == ompd_rc_ok && version == 202111);
	EXPECT(ompd_get_api_version(NULL) == ompd_rc_bad_input);
	EXPECT(ompd_finalize() == ompd_rc_unsupported);
	EXPECT(ompd_initialize(202111, NULL) == ompd_rc_bad_input);
	EXPECT(ompd_initialize(7, &fake_callbacks) == ompd_rc_unsupported);
	missing = fake_callbacks;
	missing.read_memory = NULL;
	EXPECT(ompd_initialize(202111, &missing) == ompd_rc_bad_input);
	missing = fake_callbacks;
	missing.free_memory = NULL;
	EXPECT(ompd_initialize(202111, &missing) == ompd_rc_bad_input);
	for (ompd_word_t api = 201811; api <= 202111; api += api == 201811 ? 200 : 100) {
		EXPECT(ompd_initialize(api, &fake_callbacks) == ompd_rc_ok);
		EXPECT(ompd_initialize(api, &fake_callbacks) == ompd_rc_error);
		EXPECT(ompd_finalize() == ompd_rc_ok);
	}
}

static void test_process(struct scene *scene)
{
	ompd_address_space_context_t *context = (ompd_address_space_context_t *)scene->target;
	ompd_address_space_handle_t *again = NULL, *none = NULL;
	ompd_word_t version = 0;
	const char *text = NULL;
	uint64_t table = scene->target->table;

	EXPECT(ompd_process_initialize(NULL, &again) == ompd_rc_bad_input);
	EXPECT(ompd_process_initialize(context, NULL) == ompd_rc_bad_input);
	fake_reset();
	EXPECT(ompd_process_initialize(context, &again) == ompd_rc_ok && again != scene->space);
	EXPECT(fake.lookups == 1);
	EXPECT(ompd_rel_address_space_handle(again) == ompd_rc_ok);
	EXPECT(ompd_rel_address_space_handle(NULL) == ompd_rc_stale_handle);
	scene->target->memory[table - IMAGE_BASE] ^= 1;
	EXPECT(ompd_process_initialize(context, &none) == ompd_rc_incompatible && none == NULL);
	scene->target->memory[table - IMAGE_BASE] ^= 1;
	scene->target->table = 0;
	EXPECT(ompd_process_initialize(context, &none) == ompd_rc_incompatible && none == NULL);
	scene->target->table = table;
	EXPECT(ompd_device_initialize(scene->space, context, 9, 0, NULL, &none) ==
	       ompd_rc_unsupported);
	EXPECT(ompd_device_initialize(NULL, context, 9, 0, NULL, &none) == ompd_rc_stale_handle);
	EXPECT(ompd_get_omp_version(scene->space, &version) == ompd_rc_ok && version == 202011);
	EXPECT(ompd_get_omp_version(scene->space, NULL) == ompd_rc_bad_input);
	EXPECT(ompd_get_omp_version_string(scene->space, &text) == ompd_rc_ok);
	EXPECT(strstr(text, "202011") != NULL);
	fake_callbacks.free_memory((void *)(uintptr_t)text);
}

static void test_threads(const struct scene *scene)
{
	ompd_size_t wide = scene->target->shape.pointer_bytes;
	unsigned char id[8] = {0};
	uint32_t unknown = 1, lwp = 0;
	uint64_t wide_lwp = MAIN_ID + 102;
	ompd_thread_handle_t *thread = NULL;
	ompd_address_space_handle_t *space = NULL;
	int order = 7;

	EXPECT(ompd_get_thread_id(scene->worker, OMPD_THREAD_ID_LWP, 4, &lwp) == ompd_rc_ok);
	EXPECT(lwp == MAIN_ID + 101);
	EXPECT(ompd_get_thread_id(scene->worker, OMPD_THREAD_ID_PTHREAD, wide, id) == ompd_rc_ok);
	EXPECT(ompd_get_thread_handle(scene->space, OMPD_THREAD_ID_PTHREAD, wide, id, &thread) ==
	       ompd_rc_ok);
	EXPECT(
	    ompd_thread_handle_compare(thread, scene->worker, &order) == ompd_rc_ok && order == 0);
	EXPECT(ompd_thread_handle_compare(thread, scene->main_thread, &order) == ompd_rc_ok);
	EXPECT(order == (scene->target->worker > scene->target->main_thread ? 1 : -1));
	EXPECT(ompd_thread_handle_compare(thread, thread, NULL) == ompd_rc_bad_input);
	EXPECT(ompd_thread_handle_compare(NULL, thread, &order) == ompd_rc_stale_handle);
	EXPECT(ompd_get_device_from_thread(thread, &space) == ompd_rc_ok && space == scene->space);
	EXPECT(ompd_rel_thread_handle(thread) == ompd_rc_ok);
	EXPECT(ompd_rel_thread_handle(NULL) == ompd_rc_stale_handle);
	EXPECT(
	    ompd_rel_thread_handle((ompd_thread_handle_t *)scene->region) == ompd_rc_stale_handle);
	thread = NULL;
	EXPECT(ompd_get_thread_handle(scene->space, OMPD_THREAD_ID_LWP, 4, &unknown, &thread) ==
	       ompd_rc_unavailable);
	EXPECT(ompd_get_thread_handle(scene->space, OMPD_THREAD_ID_LWP, 5, &lwp, &thread) ==
	       ompd_rc_bad_input);
	EXPECT(ompd_get_thread_handle(scene->space, OMPD_THREAD_ID_PTHREAD, 12 - wide, id,
		   &thread) == ompd_rc_bad_input);
	EXPECT(ompd_get_thread_handle(scene->space, OMPD_THREAD_ID_LWP, 8, &wide_lwp, &thread) ==
	       ompd_rc_ok);
	EXPECT(ompd_rel_thread_handle(thread) == ompd_rc_ok);
	thread = NULL;
	EXPECT(ompd_get_thread_handle(scene->space, 77, 4, &lwp, &thread) == ompd_rc_unsupported);
	EXPECT(ompd_get_thread_handle(scene->space, OMPD_THREAD_ID_LWP, 4, NULL, &thread) ==
	       ompd_rc_bad_input);
	EXPECT(ompd_get_thread_handle(NULL, OMPD_THREAD_ID_LWP, 4, &lwp, &thread) ==
	       ompd_rc_stale_handle);
	EXPECT(ompd_get_thread_in_parallel(scene->region, 2, &thread) == ompd_rc_bad_input);
	EXPECT(ompd_get_thread_in_parallel(scene->region, -1, &thread) == ompd_rc_bad_input);
	EXPECT(thread == NULL);
	EXPECT(ompd_get_thread_in_parallel(scene->region, 1, &thread) == ompd_rc_ok);
	EXPECT(
	    ompd_thread_handle_compare(thread, scene->worker, &order) == ompd_rc_ok && order == 0);
	EXPECT(ompd_rel_thread_handle(thread) == ompd_rc_ok);
}

static void test_regions(const struct scene *scene)
{
	ompd_parallel_handle_t *region = NULL, *outer = NULL, *none = NULL;
	int order = 7;

	EXPECT(ompd_get_task_parallel_handle(scene->explicit_task, &region) == ompd_rc_ok);
	EXPECT(ompd_parallel_handle_compare(region, scene->region, &order) == ompd_rc_ok);
	EXPECT(order == 0);
	EXPECT(ompd_get_enclosing_parallel_handle(region, &outer) == ompd_rc_ok);
	EXPECT(ompd_get_enclosing_parallel_handle(outer, &none) == ompd_rc_unavailable);
	EXPECT(ompd_get_curr_parallel_handle(scene->idler, &none) == ompd_rc_unavailable);
	EXPECT(ompd_get_curr_parallel_handle(scene->worker, NULL) == ompd_rc_bad_input);
	EXPECT(ompd_get_curr_parallel_handle(NULL, &none) == ompd_rc_stale_handle && none == NULL);
	EXPECT(ompd_rel_parallel_handle(region) == ompd_rc_ok);
	EXPECT(ompd_rel_parallel_handle(outer) == ompd_rc_ok);
}

static void test_frames(const struct scene *scene, const ompd_task_handle_t *initial)
{
	ompd_frame_info_t leave, enter;
	ompd_task_handle_t *worker_task = NULL;
	ompd_word_t runtime = ompt_frame_runtime | ompt_frame_stackaddress;

	EXPECT(ompd_get_task_frame(scene->explicit_task, &leave, &enter) == ompd_rc_ok);
	EXPECT(leave.frame_address.address == TASK_FRAME && leave.frame_flag == runtime);
	EXPECT(enter.frame_address.address == 0);
	EXPECT(ompd_get_task_frame(scene->implicit, &leave, &enter) == ompd_rc_ok);
	EXPECT(leave.frame_address.address == scene->target->request);
	EXPECT(enter.frame_address.address == TASK_FRAME && enter.frame_flag == runtime);
	EXPECT(ompd_get_task_frame((ompd_task_handle_t *)(uintptr_t)initial, &leave, &enter) ==
	       ompd_rc_ok);
	EXPECT(leave.frame_address.address == 0 &&
	       enter.frame_address.address == scene->target->request);
	EXPECT(ompd_get_curr_task_handle(scene->worker, &worker_task) == ompd_rc_ok);
	EXPECT(ompd_get_task_frame(worker_task, &leave, &enter) == ompd_rc_ok);
	EXPECT(leave.frame_address.address == WORKER_FRAME && enter.frame_address.address == 0);
	EXPECT(ompd_get_task_frame(worker_task, NULL, &enter) == ompd_rc_bad_input);
	EXPECT(ompd_rel_task_handle(worker_task) == ompd_rc_ok);
}

static void test_tasks(const struct scene *scene)
{
	ompd_task_handle_t *generating = NULL, *scheduling = NULL, *initial = NULL, *none = NULL;
	ompd_address_t entry = {0, 0};
	int order = 7;

	EXPECT(ompd_get_generating_task_handle(scene->explicit_task, &generating) == ompd_rc_ok);
	EXPECT(ompd_task_handle_compare(generating, scene->implicit, &order) == ompd_rc_ok);
	EXPECT(order == 0);
	EXPECT(ompd_get_scheduling_task_handle(scene->explicit_task, &scheduling) == ompd_rc_ok);
	EXPECT(ompd_task_handle_compare(scheduling, scene->implicit, &order) == ompd_rc_ok);
	EXPECT(order == 0);
	EXPECT(ompd_get_scheduling_task_handle(scheduling, &initial) == ompd_rc_ok);
	EXPECT(ompd_get_scheduling_task_handle(initial, &none) == ompd_rc_unavailable);
	EXPECT(ompd_get_generating_task_handle(initial, &none) == ompd_rc_unavailable);
	EXPECT(ompd_get_curr_task_handle(scene->idler, &none) == ompd_rc_unavailable);
	EXPECT(ompd_get_task_in_parallel(scene->region, 2, &none) == ompd_rc_bad_input);
	EXPECT(ompd_get_task_in_parallel(NULL, 0, &none) == ompd_rc_stale_handle && none == NULL);
	EXPECT(ompd_get_task_function(scene->explicit_task, &entry) == ompd_rc_ok);
	EXPECT(entry.address == TASK_FUNCTION);
	EXPECT(ompd_get_task_function(scene->implicit, &entry) == ompd_rc_ok);
	EXPECT(entry.address == REGION_FUNCTION);
	fake_put(
	    scene->target, scene->target->team, "rt_team.request", 0); /* GOMP_parallel_start() */
	EXPECT(ompd_get_task_function(scene->implicit, &entry) == ompd_rc_ok);
	EXPECT(entry.address == REGION_FUNCTION + 1);
	fake_put(scene->target, scene->target->team, "rt_team.request", scene->target->request);
	EXPECT(ompd_get_task_function(initial, &entry) == ompd_rc_unavailable);
	EXPECT(ompd_get_task_function(initial, NULL) == ompd_rc_bad_input);
	test_frames(scene, initial);
	EXPECT(ompd_rel_task_handle(generating) == ompd_rc_ok);
	EXPECT(ompd_rel_task_handle(scheduling) == ompd_rc_ok);
	EXPECT(ompd_rel_task_handle(initial) == ompd_rc_ok);
}

static void test_states(const struct scene *scene)
{
	ompd_word_t state = -1, more = 1, next = -1;
	ompd_wait_id_t wait = 1;
	const char *name = NULL;

	EXPECT(ompd_get_state(scene->main_thread, &state, &wait) == ompd_rc_ok);
	EXPECT(state == ompt_state_work_parallel && wait == 0);
	EXPECT(ompd_get_state(scene->worker, &state, &wait) == ompd_rc_ok);
	EXPECT(state == ompt_state_wait_lock && wait == scene->target->lock);
	EXPECT(ompd_get_state(scene->idler, &state, &wait) == ompd_rc_ok);
	EXPECT(state == ompt_state_idle && wait == 0);
	EXPECT(ompd_get_state(scene->worker, NULL, &wait) == ompd_rc_bad_input);
	EXPECT(ompd_get_state(NULL, &state, &wait) == ompd_rc_stale_handle);
	EXPECT(
	    ompd_enumerate_states(scene->space, 12345, &next, &name, &more) == ompd_rc_bad_input);
	EXPECT(ompd_enumerate_states(scene->space, ompt_state_undefined, &next, NULL, &more) ==
	       ompd_rc_bad_input);
	EXPECT(next == -1 && name == NULL && more == 1);
}

static void test_control_variables(const struct scene *scene)
{
	static const char *const expected[] = {
	    "OMP_NUM_THREADS=2,3", "OMP_DYNAMIC=FALSE", "GOMP_SPINCOUNT=7"};
	const char *const *variables = NULL;

	EXPECT(ompd_get_display_control_vars(scene->space, NULL) == ompd_rc_bad_input);
	if (ompd_get_display_control_vars(scene->space, &variables) != ompd_rc_ok) {
		fail("no display control variables");
		return;
	}
	for (int i = 0; i < 3; i++)
		EXPECT(strcmp(variables[i], expected[i]) == 0);
	EXPECT(variables[3] == NULL);
	EXPECT(ompd_rel_display_control_vars(&variables) == ompd_rc_ok);
	EXPECT(ompd_rel_display_control_vars(&variables) == ompd_rc_bad_input);
	EXPECT(ompd_rel_display_control_vars(NULL) == ompd_rc_bad_input);
}

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
    {9, ompd_scope_address_space, ompd_rc_incomplete, -1, "thread %n"},
    {10, ompd_scope_thread, ompd_rc_ok, -1, "-1"},
    {12, ompd_scope_address_space, ompd_rc_incomplete, -1, ""},
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
    {33, ompd_scope_task, ompd_rc_incomplete, -1, "{0:2,3:2},{5}"},
    {35, ompd_scope_address_space, ompd_rc_ok, 0, "default"},
    {41, ompd_scope_thread, ompd_rc_ok, 1, "1"},
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

/* A list of threads that is a circle, a team that is its own parent: an error, and soon. */
static void test_circles(struct scene *scene)
{
	struct fake_target *target = scene->target;
	ompd_parallel_handle_t *region = NULL;
	ompd_thread_handle_t *thread = NULL;
	uint32_t unknown = 1;

	fake_put(target, target->idler, "rt_thread.listed_next", target->worker);
	fake_reset();
	EXPECT(ompd_get_thread_handle(scene->space, OMPD_THREAD_ID_LWP, 4, &unknown, &thread) ==
	       ompd_rc_error);
	EXPECT(fake.reads < 50 && thread == NULL);
	fake_put(target, target->idler, "rt_thread.listed_next", 0);
	fake_put(target, target->team, "rt_team.parent", target->team);
	EXPECT(ompd_get_enclosing_parallel_handle(scene->region, &region) == ompd_rc_error);
	fake_put(target, target->team, "rt_team.parent", target->initial_team);
}

int main(void)
{
	static const struct fake_shape shapes[] = {{"64-bit little-endian", 8, false},
	    {"64-bit big-endian", 8, true}, {"32-bit little-endian", 4, false},
	    {"32-bit big-endian", 4, true}};
	static struct fake_target targets[4];

	test_library();
	EXPECT(ompd_initialize(202111, &fake_callbacks) == ompd_rc_ok);
	for (int i = 0; i < 4; i++) {
		struct scene scene;
		fake_target_make(&targets[i], shapes[i]);
		if (!scene_open(&scene, &targets[i])) {
			fail("%s: the scene has no handles", shapes[i].name);
			return result();
		}
		test_process(&scene);
		test_threads(&scene);
		test_regions(&scene);
		test_tasks(&scene);
		test_states(&scene);
		test_control_variables(&scene);
		test_icv_values(&scene);
		test_icv_list(&scene);
		test_bad_icvs(&scene);
		test_circles(&scene);
		scene_close(&scene);
		if (result() != 0)
			fprintf(stderr, "... on the %s target\n", shapes[i].name);
	}
	EXPECT(fake.live_blocks == 0 && fake.fault == NULL);
	EXPECT(ompd_finalize() == ompd_rc_ok);
	return result();
}
