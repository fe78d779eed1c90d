/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bad input to every function that takes a handle or gives a result: handles that are NULL, of
 * another kind or none at all, results that have nowhere to go, a library that is not initialised.
 * Nothing is read from the target then. And good input of several targets at once, in turns.
 */
#include <stdio.h>
#include <string.h>

#include "calls.h"

/* A result of any type, in which nothing may be written. */
static union result {
	unsigned char bytes[64];
	ompd_word_t word;
	int number;
	uint64_t wide;
	ompd_address_t address;
	ompd_frame_info_t frame;
	ompd_scope_t scope;
	ompd_icv_id_t icv;
	const char *text;
	const char *const *texts;
	ompd_thread_id_t *kinds;
	ompd_size_t *sizes;
	ompd_address_space_handle_t *space;
	ompd_thread_handle_t *thread;
	ompd_parallel_handle_t *region;
	ompd_task_handle_t *task;
} one, two, three, four;

static bool is_untouched(void)
{
	static const union result zero;
	const union result *all[] = {&one, &two, &three, &four};

	for (int i = 0; i < FAKE_SHAPES; i++)
		if (memcmp(all[i], &zero, sizeof(zero)) != 0)
			return false;
	return true;
}

enum kind { SPACE, THREAD, REGION, TASK, KINDS };

/* Takes the handle, whatever it is, with good arguments beside it. */
struct taker {
	const char *name;
	enum kind kind;
	ompd_rc_t (*call)(void *handle, const struct scene *scene);
};

#define TAKER(name, arguments)                                                                     \
	static ompd_rc_t take_##name(void *h, const struct scene *scene)                           \
	{                                                                                          \
		(void)scene;                                                                       \
		return ompd_##name arguments;                                                      \
	}

static uint32_t lwp = MAIN_ID + 101;

TAKER(device_initialize, (h, (ompd_address_space_context_t *)scene->target, 1, 0, NULL, &one.space))
TAKER(rel_address_space_handle, (h))
TAKER(get_device_thread_id_kinds, (h, &one.kinds, &two.sizes, &three.number))
TAKER(get_omp_version, (h, &one.word))
TAKER(get_omp_version_string, (h, &one.text))
TAKER(get_thread_handle, (h, OMPD_THREAD_ID_LWP, 4, &lwp, &one.thread))
TAKER(get_thread_in_parallel, (h, 0, &one.thread))
TAKER(rel_thread_handle, (h))
TAKER(thread_handle_compare, (scene->worker, h, &one.number))
TAKER(get_thread_id, (h, OMPD_THREAD_ID_LWP, 4, &one.number))
TAKER(get_device_from_thread, (h, &one.space))
TAKER(get_curr_parallel_handle, (h, &one.region))
TAKER(get_enclosing_parallel_handle, (h, &one.region))
TAKER(get_task_parallel_handle, (h, &one.region))
TAKER(rel_parallel_handle, (h))
TAKER(parallel_handle_compare, (scene->region, h, &one.number))
TAKER(get_curr_task_handle, (h, &one.task))
TAKER(get_generating_task_handle, (h, &one.task))
TAKER(get_scheduling_task_handle, (h, &one.task))
TAKER(get_task_in_parallel, (h, 0, &one.task))
TAKER(rel_task_handle, (h))
TAKER(task_handle_compare, (scene->implicit, h, &one.number))
TAKER(get_task_function, (h, &one.address))
TAKER(get_task_frame, (h, &one.frame, &two.frame))
TAKER(enumerate_states, (h, ompt_state_undefined, &one.word, &two.text, &three.word))
TAKER(get_state, (h, &one.word, &two.wide))
TAKER(get_display_control_vars, (h, &one.texts))
TAKER(enumerate_icvs, (h, ompd_icv_undefined, &one.icv, &two.text, &three.scope, &four.number))
TAKER(get_icv_from_scope, (h, ompd_scope_parallel, 21, &one.word))
TAKER(get_icv_string_from_scope, (h, ompd_scope_task, 16, &one.text))
TAKER(get_tool_data, (h, ompd_scope_thread, &one.word, &two.address))

#define ROW(name, kind)                                                                            \
	{                                                                                          \
#name, kind, take_##name                                                           \
	}
static const struct taker takers[] = {ROW(device_initialize, SPACE),
    ROW(rel_address_space_handle, SPACE), ROW(get_device_thread_id_kinds, SPACE),
    ROW(get_omp_version, SPACE), ROW(get_omp_version_string, SPACE), ROW(get_thread_handle, SPACE),
    ROW(get_thread_in_parallel, REGION), ROW(rel_thread_handle, THREAD),
    ROW(thread_handle_compare, THREAD), ROW(get_thread_id, THREAD),
    ROW(get_device_from_thread, THREAD), ROW(get_curr_parallel_handle, THREAD),
    ROW(get_enclosing_parallel_handle, REGION), ROW(get_task_parallel_handle, TASK),
    ROW(rel_parallel_handle, REGION), ROW(parallel_handle_compare, REGION),
    ROW(get_curr_task_handle, THREAD), ROW(get_generating_task_handle, TASK),
    ROW(get_scheduling_task_handle, TASK), ROW(get_task_in_parallel, REGION),
    ROW(rel_task_handle, TASK), ROW(task_handle_compare, TASK), ROW(get_task_function, TASK),
    ROW(get_task_frame, TASK), ROW(enumerate_states, SPACE), ROW(get_state, THREAD),
    ROW(get_display_control_vars, SPACE), ROW(enumerate_icvs, SPACE),
    ROW(get_icv_from_scope, REGION), ROW(get_icv_string_from_scope, TASK),
    ROW(get_tool_data, THREAD)};

enum { TAKERS = sizeof(takers) / sizeof(takers[0]) };

static void test_handles(const struct scene *scene)
{
	uint64_t none[512] = {0};
	void *handles[KINDS] = {scene->space, scene->worker, scene->region, scene->explicit_task};

	for (int i = 0; i < TAKERS; i++) {
		fake_reset();
		for (int kind = 0; kind < KINDS + 2; kind++) {
			void *handle = kind < KINDS ? handles[kind] : kind == KINDS ? NULL : none;
			ompd_rc_t rc;
			if (kind == (int)takers[i].kind)
				continue;
			rc = takers[i].call(handle, scene);
			if (rc != ompd_rc_stale_handle)
				fail("ompd_%s: handle %d: %d", takers[i].name, kind, rc);
		}
		if (fake.calls != 0 || !is_untouched())
			fail("ompd_%s: read or wrote for a bad handle", takers[i].name);
	}
}

#define NO(name, arguments)                                                                        \
	((void)(ompd_##name arguments == ompd_rc_bad_input                                         \
		    ? (void)0                                                                      \
		    : fail("line %d: ompd_%s took a NULL result", __LINE__, #name)))

static void test_results(const struct scene *scene)
{
	ompd_address_space_context_t *context = (ompd_address_space_context_t *)scene->target;

	fake_reset();
	NO(process_initialize, (context, NULL));
	NO(device_initialize, (scene->space, context, 1, 0, NULL, NULL));
	NO(device_initialize, (scene->space, NULL, 1, 0, NULL, &one.space));
	NO(device_initialize, (scene->space, context, 1, 8, NULL, &one.space));
	NO(get_device_thread_id_kinds, (scene->space, NULL, &two.sizes, &three.number));
	NO(get_device_thread_id_kinds, (scene->space, &one.kinds, NULL, &three.number));
	NO(get_device_thread_id_kinds, (scene->space, &one.kinds, &two.sizes, NULL));
	NO(get_omp_version, (scene->space, NULL));
	NO(get_omp_version_string, (scene->space, NULL));
	NO(get_thread_handle, (scene->space, OMPD_THREAD_ID_LWP, 4, NULL, &one.thread));
	NO(get_thread_handle, (scene->space, OMPD_THREAD_ID_LWP, 4, &lwp, NULL));
	NO(get_thread_handle, (scene->space, OMPD_THREAD_ID_LWP, 0, &lwp, &one.thread));
	NO(get_thread_in_parallel, (scene->region, 0, NULL));
	NO(thread_handle_compare, (scene->worker, scene->worker, NULL));
	NO(get_thread_id, (scene->worker, OMPD_THREAD_ID_LWP, 4, NULL));
	NO(get_device_from_thread, (scene->worker, NULL));
	NO(get_curr_parallel_handle, (scene->worker, NULL));
	NO(get_enclosing_parallel_handle, (scene->region, NULL));
	NO(get_task_parallel_handle, (scene->implicit, NULL));
	NO(parallel_handle_compare, (scene->region, scene->region, NULL));
	NO(get_curr_task_handle, (scene->worker, NULL));
	NO(get_generating_task_handle, (scene->implicit, NULL));
	NO(get_scheduling_task_handle, (scene->implicit, NULL));
	NO(get_task_in_parallel, (scene->region, 0, NULL));
	NO(task_handle_compare, (scene->implicit, scene->implicit, NULL));
	NO(get_task_function, (scene->implicit, NULL));
	NO(get_task_frame, (scene->implicit, NULL, &two.frame));
	NO(get_task_frame, (scene->implicit, &one.frame, NULL));
	NO(enumerate_states, (scene->space, ompt_state_undefined, NULL, &two.text, &three.word));
	NO(enumerate_states, (scene->space, ompt_state_undefined, &one.word, NULL, &three.word));
	NO(enumerate_states, (scene->space, ompt_state_undefined, &one.word, &two.text, NULL));
	NO(get_state, (scene->worker, NULL, &two.wide));
	NO(get_display_control_vars, (scene->space, NULL));
	NO(rel_display_control_vars, (NULL));
	NO(rel_display_control_vars, (&one.texts));
	NO(enumerate_icvs, (scene->space, 0, NULL, &two.text, &three.scope, &four.number));
	NO(enumerate_icvs, (scene->space, 0, &one.icv, NULL, &three.scope, &four.number));
	NO(enumerate_icvs, (scene->space, 0, &one.icv, &two.text, NULL, &four.number));
	NO(enumerate_icvs, (scene->space, 0, &one.icv, &two.text, &three.scope, NULL));
	NO(get_tool_data, (scene->worker, ompd_scope_thread, NULL, &two.address));
	NO(get_tool_data, (scene->worker, ompd_scope_thread, &one.word, NULL));
	EXPECT(fake.reads == 0 && is_untouched());
	/* The target defines which sizes there are, so its handle is looked at first. */
	NO(get_thread_id, (scene->worker, OMPD_THREAD_ID_LWP, 3, &one.number));
	EXPECT(is_untouched());
}

/* Nothing works between ompd_finalize() and ompd_initialize(), and nothing crashes. */
static void test_finalized(const struct scene *scene)
{
	EXPECT(ompd_finalize() == ompd_rc_ok);
	fake_reset();
	for (size_t i = 0; i < call_count; i++)
		if (calls[i].run(scene) == ompd_rc_ok)
			fail("%s: works after ompd_finalize()", calls[i].name);
	EXPECT(ompd_rel_thread_handle(scene->worker) == ompd_rc_error && fake.calls == 0);
	EXPECT(ompd_initialize(202111, &fake_callbacks) == ompd_rc_ok);
}

/* Each call in each target: what the library learnt of one says nothing of the others. */
static void test_together(struct scene scenes[4])
{
	ompd_thread_id_t kind = OMPD_THREAD_ID_PTHREAD;
	int order = 0, reverse = 0;

	for (size_t i = 0; i < call_count; i++) {
		ompd_rc_t first = calls[i].run(&scenes[0]);
		for (int j = 1; j < 4; j++)
			if (calls[i].run(&scenes[j]) != first)
				fail("%s: differs in target %d", calls[i].name, j);
	}
	for (int i = 0; i < FAKE_SHAPES; i++) {
		uint64_t id = 0;
		ompd_size_t bytes = scenes[i].target->shape.pointer_bytes;
		EXPECT(ompd_get_thread_id(scenes[i].worker, kind, 12 - bytes, &id) ==
		       ompd_rc_bad_input);
		EXPECT(ompd_get_thread_id(scenes[i].worker, kind, bytes, &id) == ompd_rc_ok);
	}
	EXPECT(
	    ompd_thread_handle_compare(scenes[0].worker, scenes[1].worker, &order) == ompd_rc_ok);
	EXPECT(
	    ompd_thread_handle_compare(scenes[1].worker, scenes[0].worker, &reverse) == ompd_rc_ok);
	EXPECT(order != 0 && order == -reverse);
}

int main(void)
{
	static struct fake_target targets[FAKE_SHAPES];
	struct scene scenes[FAKE_SHAPES];

	EXPECT(ompd_initialize(202111, &fake_callbacks) == ompd_rc_ok);
	for (int i = 0; i < FAKE_SHAPES; i++) {
		fake_target_make(&targets[i], fake_shapes[i]);
		if (!scene_open(&scenes[i], &targets[i])) {
			fail("%s: the scene has no handles", fake_shapes[i].name);
			return result();
		}
	}
	for (int i = 0; i < FAKE_SHAPES; i++) {
		test_handles(&scenes[i]);
		test_results(&scenes[i]);
	}
	test_together(scenes);
	test_finalized(&scenes[0]);
	for (int i = 0; i < FAKE_SHAPES; i++)
		scene_close(&scenes[i]);
	EXPECT(fake.live_blocks == 0 && fake.fault == NULL);
	EXPECT(ompd_finalize() == ompd_rc_ok);
	return result();
}
