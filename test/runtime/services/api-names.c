/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Every API routine under every name: C, Fortran, and Fortran with integers of eight bytes. Setters
 * are called under each name with another value and must be seen by the getters; getters must say
 * the same under all names. The values themselves are the subject of other tests.
 */
#include <dlfcn.h>
#include <omp.h>
#include <stddef.h>
#include <stdint.h>

#include "check.h"

static void *find(const char *name)
{
	void *routine = dlsym(RTLD_DEFAULT, name);

	if (!CHECK(routine != NULL)) {
		fprintf(stderr, "%s is missing\n", name);
		exit(1);
	}
	return routine;
}

/* Functions without arguments: the C routine and the Fortran name. */
#define SAME(name)                                                                                 \
	{                                                                                          \
		(int (*)(void)) name, #name "_"                                                    \
	}

static const struct {
	int (*c)(void);
	const char *fortran;
} queries[] = {SAME(omp_get_num_threads), SAME(omp_get_max_threads), SAME(omp_get_thread_num),
    SAME(omp_get_num_procs), SAME(omp_in_parallel), SAME(omp_in_final), SAME(omp_get_thread_limit),
    SAME(omp_get_level), SAME(omp_get_active_level), SAME(omp_get_num_teams),
    SAME(omp_get_team_num), SAME(omp_get_max_teams), SAME(omp_get_teams_thread_limit),
    SAME(omp_get_dynamic), SAME(omp_get_nested), SAME(omp_get_max_active_levels),
    SAME(omp_get_supported_active_levels), SAME(omp_get_cancellation),
    SAME(omp_get_max_task_priority), SAME(omp_get_proc_bind), SAME(omp_get_num_places),
    SAME(omp_get_place_num), SAME(omp_get_partition_num_places), SAME(omp_get_default_device),
    SAME(omp_get_num_devices), SAME(omp_get_device_num), SAME(omp_is_initial_device),
    SAME(omp_get_initial_device)};

static void test_queries(void)
{
	for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++) {
		int (*fortran)(void) = find(queries[i].fortran);
		int from_c = queries[i].c(), from_fortran = fortran();
		if (!CHECK_EQUAL(from_fortran, from_c))
			fprintf(stderr, "(%s)\n", queries[i].fortran);
	}
	double (*wtime)(void) = find("omp_get_wtime_");
	double (*wtick)(void) = find("omp_get_wtick_");
	double before = omp_get_wtime(), between = wtime(), after = omp_get_wtime();
	CHECK(before > 0 && before <= between && between <= after && after < before + 10);
	CHECK(omp_get_wtick() > 0 && omp_get_wtick() < 0.01 && omp_get_wtick() == wtick());
}

/* Setters of one value; a logical value is set to 0 and 1, a count to other values. */
#define SETTER(set, get, ...)                                                                      \
	{                                                                                          \
		set, get, #set "_", #set "_8_",                                                    \
		{                                                                                  \
			__VA_ARGS__                                                                \
		}                                                                                  \
	}

static void test_setters(void)
{
	static const struct {
		void (*set)(int);
		int (*get)(void);
		const char *name, *name_8;
		int values[3];
	} setters[] = {SETTER(omp_set_num_threads, omp_get_max_threads, 3, 5, 7),
	    SETTER(omp_set_dynamic, omp_get_dynamic, 1, 0, 1),
	    SETTER(omp_set_nested, omp_get_nested, 1, 0, 1),
	    SETTER(omp_set_max_active_levels, omp_get_max_active_levels, 2, 4, 6),
	    SETTER(omp_set_num_teams, omp_get_max_teams, 2, 3, 4),
	    SETTER(omp_set_teams_thread_limit, omp_get_teams_thread_limit, 5, 6, 7),
	    SETTER(omp_set_default_device, omp_get_default_device, 2, 1, 0)};

	for (size_t i = 0; i < sizeof(setters) / sizeof(setters[0]); i++) {
		void (*by_four)(const int32_t *) = find(setters[i].name);
		void (*by_eight)(const int64_t *) = find(setters[i].name_8);
		const int *values = setters[i].values;
		int64_t wide = values[2];
		setters[i].set(values[0]);
		CHECK_EQUAL(setters[i].get(), values[0]);
		by_four(&values[1]);
		CHECK_EQUAL(setters[i].get(), values[1]);
		by_eight(&wide);
		CHECK_EQUAL(setters[i].get(), values[2]);
	}
	omp_set_dynamic(0);
	omp_set_num_threads(2);
	omp_set_num_teams(0);
	omp_set_teams_thread_limit(0);
	omp_set_num_threads(-1);
	CHECK_EQUAL(omp_get_max_threads(), 1);
	omp_set_max_active_levels(3);
	omp_set_max_active_levels(-1);
	CHECK_EQUAL(omp_get_max_active_levels(), 3);
	omp_set_max_active_levels(100000);
	CHECK_EQUAL(omp_get_max_active_levels(), omp_get_supported_active_levels());
}

static void test_schedule(void)
{
	void (*set)(const unsigned *, const int32_t *) = find("omp_set_schedule_");
	void (*set_8)(const unsigned *, const int64_t *) = find("omp_set_schedule_8_");
	void (*get)(unsigned *, int32_t *) = find("omp_get_schedule_");
	void (*get_8)(unsigned *, int64_t *) = find("omp_get_schedule_8_");
	unsigned kind = omp_sched_guided;
	int32_t chunk = 17;
	int64_t wide = 19;
	omp_sched_t c_kind;

	set(&kind, &chunk);
	omp_get_schedule(&c_kind, &chunk);
	CHECK(c_kind == omp_sched_guided && chunk == 17);
	kind = omp_sched_static | omp_sched_monotonic;
	set_8(&kind, &wide);
	omp_get_schedule(&c_kind, &chunk);
	CHECK(c_kind == (omp_sched_static | omp_sched_monotonic) && chunk == 19);
	get(&kind, &chunk);
	CHECK(kind == omp_sched_static && chunk == 19); /* Fortran knows no modifier */
	omp_set_schedule(omp_sched_dynamic, -4);
	get_8(&kind, &wide);
	CHECK(kind == omp_sched_dynamic && wide == 1);
	omp_set_schedule((omp_sched_t)99, 5); /* no such schedule */
	get(&kind, &chunk);
	CHECK(kind == omp_sched_dynamic && chunk == 1);
}

static void test_levels(void)
{
	int (*number)(const int32_t *) = find("omp_get_ancestor_thread_num_");
	int (*number_8)(const int64_t *) = find("omp_get_ancestor_thread_num_8_");
	int (*size)(const int32_t *) = find("omp_get_team_size_");
	int (*size_8)(const int64_t *) = find("omp_get_team_size_8_");

	omp_set_max_active_levels(4);
#pragma omp parallel num_threads(2)
	{
		int outer = omp_get_thread_num();
#pragma omp parallel num_threads(3)
		for (int level = -1; level <= 3; level++) {
			int64_t wide = level;
			int wanted_size = level == 0 ? 1 : level == 1 ? 2 : level == 2 ? 3 : -1;
			int wanted = level == 0   ? 0
				     : level == 1 ? outer
				     : level == 2 ? omp_get_thread_num()
						  : -1;
			CHECK_EQUAL(omp_get_ancestor_thread_num(level), wanted);
			CHECK_EQUAL(number(&level), wanted);
			CHECK_EQUAL(number_8(&wide), wanted);
			CHECK_EQUAL(omp_get_team_size(level), wanted_size);
			CHECK_EQUAL(size(&level), wanted_size);
			CHECK_EQUAL(size_8(&wide), wanted_size);
			CHECK(omp_get_level() == 2 && omp_get_active_level() == 2 &&
			      omp_in_parallel());
		}
	}
}

static void test_places(void)
{
	int (*procs)(const int32_t *) = find("omp_get_place_num_procs_");
	int (*procs_8)(const int64_t *) = find("omp_get_place_num_procs_8_");
	void (*ids)(const int32_t *, int32_t *) = find("omp_get_place_proc_ids_");
	void (*ids_8)(const int64_t *, int64_t *) = find("omp_get_place_proc_ids_8_");
	void (*nums)(int32_t *) = find("omp_get_partition_place_nums_");
	void (*nums_8)(int64_t *) = find("omp_get_partition_place_nums_8_");
	int32_t first = 0, plain[2] = {-1, -1}, c_ids[2] = {-1, -1};
	int64_t first_8 = 0, wide[2] = {-1, -1};

	CHECK_EQUAL(omp_get_num_places(), 1);
	CHECK_EQUAL(omp_get_place_num_procs(0), 1);
	CHECK(procs(&first) == 1 && procs_8(&first_8) == 1);
	omp_get_place_proc_ids(0, c_ids);
	ids(&first, plain);
	ids_8(&first_8, wide);
	CHECK(c_ids[0] >= 0 && plain[0] == c_ids[0] && wide[0] == c_ids[0]);
	CHECK(c_ids[1] == -1 && plain[1] == -1 && wide[1] == -1);
	plain[0] = c_ids[0] = -1;
	wide[0] = -1;
	omp_get_partition_place_nums(c_ids);
	nums(plain);
	nums_8(wide);
	CHECK(c_ids[0] == 0 && plain[0] == 0 && wide[0] == 0);
	CHECK(c_ids[1] == -1 && plain[1] == -1 && wide[1] == -1);
}

static void test_formats(void)
{
	void (*set)(const char *, size_t) = find("omp_set_affinity_format_");
	int32_t (*get)(char *, size_t) = find("omp_get_affinity_format_");
	int32_t (*capture)(char *, const char *, size_t, size_t) = find("omp_capture_affinity_");
	void (*display)(const char *, size_t) = find("omp_display_affinity_");
	char buffer[12];

	omp_set_affinity_format("<%n>");
	memset(buffer, '#', sizeof(buffer));
	CHECK_EQUAL(get(buffer, 8), 4);
	CHECK(memcmp(buffer, "<%n>    ####", 12) == 0);
	memset(buffer, '#', sizeof(buffer));
	CHECK_EQUAL(get(buffer, 3), 4);
	CHECK(memcmp(buffer, "<%n#########", 12) == 0);
	set("[%N]???", 4);
	CHECK_EQUAL(omp_get_affinity_format(buffer, sizeof(buffer)), 4);
	CHECK(strcmp(buffer, "[%N]") == 0);
	memset(buffer, '#', sizeof(buffer));
	CHECK_EQUAL(capture(buffer, "", 6, 0), 3);
	CHECK(memcmp(buffer, "[1]   ######", 12) == 0);
	CHECK_EQUAL(capture(buffer, "%L??", 6, 2), 1);
	CHECK(memcmp(buffer, "0     ######", 12) == 0);
	display("", 0);
	display("thread %n of one", 16);
	omp_display_affinity("%{thread_num}");
}

static void test_locks(void)
{
	void (*hint)(omp_lock_t *, omp_sync_hint_t) =
	    dlsym(RTLD_DEFAULT, "omp_init_lock_with_hint");
	void (*hint_)(int32_t *, const int32_t *) = dlsym(RTLD_DEFAULT, "omp_init_lock_with_hint_");
	void (*nest_hint)(omp_nest_lock_t *, omp_sync_hint_t) =
	    dlsym(RTLD_DEFAULT, "omp_init_nest_lock_with_hint");
	void (*nest_hint_)(int64_t *, const int32_t *) =
	    dlsym(RTLD_DEFAULT, "omp_init_nest_lock_with_hint_");
	void (*init)(int32_t *) = find("omp_init_lock_");
	void (*set)(int32_t *) = find("omp_set_lock_");
	void (*unset)(int32_t *) = find("omp_unset_lock_");
	int (*test)(int32_t *) = find("omp_test_lock_");
	void (*destroy)(int32_t *) = find("omp_destroy_lock_");
	void (*init_nest)(int64_t *) = find("omp_init_nest_lock_");
	void (*set_nest)(int64_t *) = find("omp_set_nest_lock_");
	void (*unset_nest)(int64_t *) = find("omp_unset_nest_lock_");
	int (*test_nest)(int64_t *) = find("omp_test_nest_lock_");
	void (*destroy_nest)(int64_t *) = find("omp_destroy_nest_lock_");
	int32_t lock[2] = {-1, 12345}, contended = omp_sync_hint_contended;
	int64_t nest[2] = {-1, 12345}; /* omp_nest_lock_kind is 8: too small for the lock itself */
	omp_nest_lock_t c_nest;
	omp_lock_t c_lock;

	for (int turn = 0; turn < 2; turn++) {
		if (turn == 1 && hint_)
			hint_(lock, &contended); /* libgomp declares, but does not have it */
		else
			init(lock);
		set(lock);
		CHECK_EQUAL(test(lock), 0);
		unset(lock);
		CHECK_EQUAL(test(lock), 1);
		unset(lock);
		destroy(lock);
		if (turn == 1 && nest_hint_)
			nest_hint_(nest, &contended);
		else
			init_nest(nest);
		set_nest(nest);
		CHECK_EQUAL(test_nest(nest), 2);
		unset_nest(nest);
		unset_nest(nest);
		CHECK_EQUAL(test_nest(nest), 1);
		unset_nest(nest);
		destroy_nest(nest);
	}
	CHECK(lock[1] == 12345 && nest[1] == 12345);
	if (hint && nest_hint) {
		hint(&c_lock, omp_sync_hint_uncontended);
		CHECK(omp_test_lock(&c_lock) == 1 && omp_test_lock(&c_lock) == 0);
		omp_unset_lock(&c_lock);
		omp_destroy_lock(&c_lock);
		nest_hint(&c_nest, omp_sync_hint_uncontended);
		CHECK(omp_test_nest_lock(&c_nest) == 1 && omp_test_nest_lock(&c_nest) == 2);
		omp_destroy_nest_lock(&c_nest);
	}
}

static void test_memory(void)
{
	omp_allocator_handle_t (*init)(const uintptr_t *, const int32_t *,
	    const omp_alloctrait_t *) = find("omp_init_allocator_");
	omp_allocator_handle_t (*init_8)(const uintptr_t *, const int64_t *,
	    const omp_alloctrait_t *) = find("omp_init_allocator_8_");
	void (*destroy)(const omp_allocator_handle_t *) = find("omp_destroy_allocator_");
	void (*set)(const omp_allocator_handle_t *) = find("omp_set_default_allocator_");
	omp_allocator_handle_t (*get)(void) = find("omp_get_default_allocator_");
	omp_alloctrait_t trait = {omp_atk_alignment, 512};
	uintptr_t space = omp_default_mem_space;
	int32_t one = 1;
	int64_t one_8 = 1;

	for (int turn = 0; turn < 2; turn++) {
		omp_allocator_handle_t allocator =
		    turn == 0 ? init(&space, &one, &trait) : init_8(&space, &one_8, &trait);
		CHECK(allocator != omp_null_allocator);
		set(&allocator);
		CHECK(get() == allocator && omp_get_default_allocator() == allocator);
		void *memory = omp_alloc(8, omp_null_allocator);
		CHECK(memory && (uintptr_t)memory % 512 == 0);
		omp_free(memory, allocator);
		omp_set_default_allocator(omp_default_mem_alloc);
		destroy(&allocator);
	}
}

static void test_rest(void)
{
	int (*pause)(const int32_t *, const int32_t *) = find("omp_pause_resource_");
	int (*pause_all)(const int32_t *) = find("omp_pause_resource_all_");
	void (*display)(const int32_t *) = find("omp_display_env_");
	void (*display_8)(const int64_t *) = find("omp_display_env_8_");
	int (*in_task)(void) = dlsym(RTLD_DEFAULT, "omp_in_explicit_task");
	int (*in_task_)(void) = dlsym(RTLD_DEFAULT, "omp_in_explicit_task_");
	int32_t kind = omp_pause_soft, device = omp_get_initial_device(), none = 0;
	int64_t verbose = 1;

	CHECK(omp_pause_resource(omp_pause_hard, device) == 0 && pause(&kind, &device) == 0);
	CHECK(omp_pause_resource_all(omp_pause_soft) == 0 && pause_all(&kind) == 0);
	device = 1234;
	CHECK(omp_pause_resource(omp_pause_soft, device) != 0 && pause(&kind, &device) != 0);
	omp_display_env(0);
	display(&none);
	display_8(&verbose);
	if (in_task && in_task_) { /* since GCC 13 */
		CHECK(in_task() == 0 && in_task_() == 0);
#pragma omp task
		CHECK(in_task() == 1 && in_task_() == 1);
#pragma omp taskwait
	}
}

static void test_event(void)
{
	void (*fulfill)(omp_event_handle_t) = find("omp_fulfill_event_");
	int done = 0;

#pragma omp parallel num_threads(2)
#pragma omp single
	for (int i = 0; i < 2; i++) {
		omp_event_handle_t event;
#pragma omp task detach(event)
		count(&done);
		if (i == 0)
			omp_fulfill_event(event);
		else
			fulfill(event);
#pragma omp taskwait
		CHECK_EQUAL(done, i + 1);
	}
}

/* Without a tool there is nothing to control. */
static void test_control(void)
{
	int (*control)(int, int, void *) = find("omp_control_tool");
	int (*control_)(const int32_t *, const int32_t *) = find("omp_control_tool_");
	int (*control_8)(const int32_t *, const int64_t *) = find("omp_control_tool_8_");

	CHECK_EQUAL(control(1, 0, NULL), -2);
	CHECK_EQUAL(control_(&(int32_t){1}, &(int32_t){0}), -2);
	CHECK_EQUAL(control_8(&(int32_t){1}, &(int64_t){0}), -2);
}

int main(int count, char **arguments)
{
	char list[32];
	cpu_set_t mask;
	int first = 0;

	(void)count;
	if (sched_getaffinity(0, sizeof(mask), &mask) != 0)
		return 77;
	if (!getenv("OMP_PLACES")) {
		while (!CPU_ISSET(first, &mask))
			first++;
		snprintf(list, sizeof(list), "{%d}", first);
		check_needs_environment(arguments, "OMP_PLACES", list);
	}
	freopen("/dev/null", "w", stdout);
	test_places();
	test_queries();
	test_setters();
	test_schedule();
	test_levels();
	test_formats();
	test_locks();
	test_memory();
	test_event();
	test_rest();
	test_control();
	return check_result();
}
