/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every function with good input, on targets of either width and byte order, and with bad input.
 * What is expected is what fake_target_make() put there. Internal control variables have a test of
 * their own.
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
	EXPECT(ompd_get_api_version(&version) == ompd_rc_ok && version == 202011);
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

/*
 * What has ended is noticed: a thread, a region, its implicit tasks, a task; while it is there, or
 * where the memory serves another.
 */
static void test_stale(struct scene *scene)
{
	struct fake_target *target = scene->target;
	ompd_word_t state = -1;
	ompd_parallel_handle_t *region = NULL;
	ompd_task_handle_t *task = NULL, *worker_task = NULL;
	ompd_address_t entry = {7, 7};
	ompd_thread_handle_t *thread = NULL;

	fake_put(target, target->worker, "rt_thread.system_id", 0);
	EXPECT(ompd_get_state(scene->worker, &state, NULL) == ompd_rc_stale_handle && state == -1);
	EXPECT(ompd_get_curr_task_handle(scene->worker, &task) == ompd_rc_stale_handle && !task);
	fake_put(target, target->worker, "rt_thread.system_id", MAIN_ID + 101);
	EXPECT(ompd_get_curr_task_handle(scene->worker, &worker_task) == ompd_rc_ok);
	/* The next region of the team; then the region has ended and no other has begun. */
	for (int is_next = 1; is_next >= 0; is_next--) {
		uint64_t number = is_next ? target->team : target->main_thread;
		const char *field = is_next ? "rt_team.region" : "rt_thread.team";
		fake_put(target, number, field,
		    is_next ? (UINT64_C(2) << 32) + 1 : target->initial_team);
		EXPECT(ompd_get_enclosing_parallel_handle(scene->region, &region) ==
		       ompd_rc_stale_handle);
		EXPECT(
		    ompd_get_thread_in_parallel(scene->region, 0, &thread) == ompd_rc_stale_handle);
		EXPECT(ompd_get_generating_task_handle(worker_task, &task) == ompd_rc_stale_handle);
		EXPECT(ompd_get_task_function(scene->implicit, &entry) == ompd_rc_stale_handle);
		fake_put(target, number, field, is_next ? UINT64_C(2) << 32 : target->team);
	}
	EXPECT(ompd_get_task_function(scene->implicit, &entry) == ompd_rc_ok);
	fake_put(target, target->explicit_task, "rt_task.fn", QUEUED_FUNCTION); /* another task */
	EXPECT(
	    ompd_get_task_parallel_handle(scene->explicit_task, &region) == ompd_rc_stale_handle);
	fake_put(target, target->explicit_task, "rt_task.fn", TASK_FUNCTION);
	fake_put(
	    target, target->main_thread, "rt_thread.task", target->implicit[0]); /* it is done */
	EXPECT(
	    ompd_get_task_parallel_handle(scene->explicit_task, &region) == ompd_rc_stale_handle);
	fake_put(target, target->explicit_task, "rt_task.created", 1); /* but for its children */
	EXPECT(ompd_get_task_parallel_handle(scene->explicit_task, &region) == ompd_rc_ok);
	fake_put(target, target->explicit_task, "rt_task.created", 0);
	fake_put(target, target->main_thread, "rt_thread.task", target->explicit_task);
	EXPECT(thread == NULL && task == NULL && ompd_rel_parallel_handle(region) == ompd_rc_ok);
	EXPECT(ompd_rel_task_handle(worker_task) == ompd_rc_ok);
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

static void test_scene(struct scene *scene)
{
	test_process(scene);
	test_threads(scene);
	test_regions(scene);
	test_tasks(scene);
	test_states(scene);
	test_control_variables(scene);
	test_stale(scene);
	test_circles(scene);
}

int main(void)
{
	test_library();
	return test_each_shape(test_scene);
}
