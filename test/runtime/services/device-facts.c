/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Device numbers of OpenMP 5.2 and 6.0 that stand for a device or for none, in all routines that
 * take one, and what 6.0 and 6.1 let programs ask about a device: unique names, distances, the
 * ICVs of its own.
 */
#include <dlfcn.h>
#include <errno.h>
#include <omp.h>
#include <stdint.h>
#include <sys/wait.h>

#include "check.h"

enum { INITIAL = -1, INVALID = -4, DEFAULT = -5 };

static void *find(const char *name)
{
	void *routine = dlsym(RTLD_DEFAULT, name);

	if (!CHECK(routine != NULL)) {
		fprintf(stderr, "%s is missing\n", name);
		exit(1);
	}
	return routine;
}

static char bytes[16];

/* The default is what the program says, though it may be no device. */
static void test_default_device(void)
{
	static const int numbers[] = {3, INVALID, INITIAL, -77, 0};

	CHECK_EQUAL(omp_get_default_device(), 0);
	for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
		omp_set_default_device(numbers[i]);
		CHECK_EQUAL(omp_get_default_device(), numbers[i]);
		omp_set_default_device(DEFAULT);
		CHECK_EQUAL(omp_get_default_device(), numbers[i]);
	}
}

static int present(int device)
{
	return omp_target_is_present(bytes, device);
}

static void test_numbers(void)
{
	for (int device = -8; device <= 3; device++) {
		bool is_host = device == 0 || device == INITIAL || device == DEFAULT;
		void *block;
		if (device == INVALID)
			continue;
		CHECK_EQUAL(present(device), is_host);
		CHECK_EQUAL(
		    omp_target_memcpy(bytes, bytes + 8, 4, 0, 0, device, 0), is_host ? 0 : EINVAL);
		CHECK_EQUAL(omp_pause_resource(omp_pause_soft, device), is_host ? 0 : -1);
		block = omp_target_alloc(8, device);
		CHECK_EQUAL(block != NULL, is_host);
		omp_target_free(block, device);
		CHECK_EQUAL(omp_target_associate_ptr(bytes, bytes, 8, 0, device), EINVAL);
		CHECK_EQUAL(omp_target_disassociate_ptr(bytes, device), EINVAL);
	}
	omp_set_default_device(2);
	CHECK(!present(DEFAULT) && present(INITIAL));
	omp_set_default_device(INITIAL);
	CHECK(present(DEFAULT));
	omp_set_default_device(0);
}

static void alloc_it(int device)
{
	omp_target_free(omp_target_alloc(8, device), device);
}

static void ask_it(int device)
{
	present(device);
}

static void associate_it(int device)
{
	omp_target_associate_ptr(bytes, bytes, 8, 0, device);
}

static void disassociate_it(int device)
{
	omp_target_disassociate_ptr(bytes, device);
}

static void pause_it(int device)
{
	omp_pause_resource(omp_pause_hard, device);
}

static void use_it(int device)
{
#pragma omp target device(device) map(tofrom : bytes)
	bytes[0] = 1;
}

static void use_default(int device)
{
	omp_set_default_device(device);
#pragma omp target map(tofrom : bytes)
	bytes[0] = 1;
}

static void set_memory(int device)
{
	void *(*set)(void *, int, size_t, int) = find("omp_target_memset");

	set(bytes, 1, 2, device);
}

static void ask_dimension(int device)
{
	int (*most_teams)(int, int) = find("omp_get_supported_teams_dim");
	int (*most_threads)(int, int) = find("omp_get_supported_threads_dim");

	if (device == INVALID || most_teams(INITIAL, 1) == 1)
		most_threads(device, 0);
}

static void limit_teams(int device)
{
	void (*set)(int, int) = find("omp_set_device_num_teams");

	set(3, device);
}

static void limit_threads(int device)
{
	void (*set)(int, int) = find("omp_set_device_teams_thread_limit");

	set(3, device);
}

/* In a child process: does the program live on? */
static bool survives(void (*what)(int device), int device)
{
	int status = 0;
	pid_t child = fork();

	if (child == 0) {
		fclose(stderr);
		what(device);
		_exit(0);
	}
	CHECK(child > 0 && waitpid(child, &status, 0) == child);
	CHECK(WIFEXITED(status) && WEXITSTATUS(status) <= 1);
	return WEXITSTATUS(status) == 0;
}

static void test_invalid_device(void)
{
	static void (*const uses[])(int) = {alloc_it, ask_it, associate_it, disassociate_it,
	    pause_it, use_default, set_memory, ask_dimension, limit_teams, limit_threads};

	for (size_t i = 0; i < sizeof(uses) / sizeof(uses[0]); i++) {
		if (!CHECK(!survives(uses[i], INVALID)) || !CHECK(survives(uses[i], INITIAL)))
			fprintf(stderr, "(use %zu)\n", i);
	}
	CHECK(survives(use_it, 5)); /* the host stands in for it, ... */
	CHECK(!survives(limit_teams, 5) &&
	      !survives(limit_threads, 5)); /* ... which cannot do that */
}

static void test_uid(void)
{
	const char *(*uid)(int) = find("omp_get_uid_from_device");
	int (*device)(const char *) = find("omp_get_device_from_uid");
	void (*uid_)(const char **, size_t *, int32_t) = find("omp_get_uid_from_device_");
	void (*uid_8)(const char **, size_t *, int64_t) = find("omp_get_uid_from_device_8_");
	int (*device_)(const char *, size_t) = find("omp_get_device_from_uid_");

	for (int i = -8; i <= 3; i++) {
		bool is_host = i == 0 || i == INITIAL || i == DEFAULT;
		const char *found = uid(i), *fortran = "", *fortran_8 = "";
		size_t length = 99, length_8 = 99;
		CHECK_EQUAL(found != NULL, is_host);
		uid_(&fortran, &length, i);
		uid_8(&fortran_8, &length_8, i);
		CHECK(fortran == found && fortran_8 == found);
		CHECK_EQUAL(length, found ? strlen(found) : 0);
		CHECK_EQUAL(length_8, length);
		if (found) {
			CHECK_EQUAL(device(found), INITIAL);
			CHECK_EQUAL(device_(found, strlen(found)), INITIAL);
			CHECK_EQUAL(device_(found, strlen(found) - 1), INVALID);
		}
	}
	CHECK(strcmp(uid(INITIAL), "OMP_INITIAL_DEVICE") == 0);
	CHECK_EQUAL(device_("OMP_INITIAL_DEVICE   ???", 21), INITIAL);
	CHECK_EQUAL(device_("  ", 2), INVALID);
	CHECK_EQUAL(device("GPU-1234"), INVALID);
	CHECK_EQUAL(device(""), INVALID);
	CHECK_EQUAL(device(NULL), INVALID);
}

static void test_distances(void)
{
	void (*distances)(int, const int *, int *) = find("omp_get_device_distances");
	const int devices[] = {0, INITIAL, 1, INVALID, DEFAULT, -77};
	const int wanted[] = {0, 0, -1, -1, 0, -1, 99};
	int found[7] = {99, 99, 99, 99, 99, 99, 99};

	distances(0, devices, found);
	CHECK_ALL(found, 7, 99);
	distances(6, devices, found);
	for (int i = 0; i < 7; i++)
		CHECK_EQUAL(found[i], wanted[i]);
	omp_set_default_device(4);
	distances(1, devices + 4, found);
	CHECK_EQUAL(found[0], -1);
	omp_set_default_device(0);
}

/* The host's are those of the routines that name no device. */
static void check_device_limit(const char *setter, const char *getter, int (*plain)(void))
{
	char name[64];
	void (*set)(int, int) = find(setter);
	int (*get)(int) = find(getter);
	void (*set_)(const int32_t *, const int32_t *);
	void (*set_8)(const int64_t *, const int64_t *);
	int (*get_)(const int32_t *), (*get_8)(const int64_t *);

	snprintf(name, sizeof(name), "%s_", setter);
	set_ = find(name);
	snprintf(name, sizeof(name), "%s_8_", setter);
	set_8 = find(name);
	snprintf(name, sizeof(name), "%s_", getter);
	get_ = find(name);
	snprintf(name, sizeof(name), "%s_8_", getter);
	get_8 = find(name);
	CHECK_EQUAL(get(0), 0);
	set(5, 0);
	CHECK_EQUAL(plain(), 5);
	set_(&(int32_t){6}, &(int32_t){INITIAL});
	CHECK_EQUAL(plain(), 6);
	set_8(&(int64_t){7}, &(int64_t){DEFAULT});
	CHECK_EQUAL(plain(), 7);
	for (int i = -8; i <= 3; i++) {
		int wanted = i == 0 || i == INITIAL || i == DEFAULT ? 7 : 0;
		CHECK_EQUAL(get(i), wanted);
		CHECK_EQUAL(get_(&i), wanted);
		CHECK_EQUAL(get_8(&(int64_t){i}), wanted);
	}
	set(0, 0);
	CHECK_EQUAL(plain(), 0);
}

/* The names that are looked up above, for callers that ask which are tested. */
static const char *const looked_up[] = {"omp_set_device_num_teams_", "omp_set_device_num_teams_8_",
    "omp_get_device_num_teams_", "omp_get_device_num_teams_8_",
    "omp_set_device_teams_thread_limit_", "omp_set_device_teams_thread_limit_8_",
    "omp_get_device_teams_thread_limit_", "omp_get_device_teams_thread_limit_8_"};

int main(void)
{
	test_invalid_device();
	test_default_device();
	test_numbers();
	test_uid();
	test_distances();
	for (size_t i = 0; i < sizeof(looked_up) / sizeof(looked_up[0]); i++)
		find(looked_up[i]);
	check_device_limit(
	    "omp_set_device_num_teams", "omp_get_device_num_teams", omp_get_max_teams);
	check_device_limit("omp_set_device_teams_thread_limit", "omp_get_device_teams_thread_limit",
	    omp_get_teams_thread_limit);
	return check_result();
}
