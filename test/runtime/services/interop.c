/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The interop construct as gcc 15 and newer call for it, and the routines about its objects: on the
 * host each object is omp_interop_none, whose properties are unknown and have names all the same;
 * the construct waits for its dependences.
 */
#include <dlfcn.h>
#include <omp.h>
#include <stdint.h>
#include <sys/wait.h>

#include "check.h"

enum { TARGET = 1, TARGETSYNC = 2, NOWAIT = 1 };
enum { NONE = 0, OTHER = 4711 }; /* omp_interop_none, and an object that no construct made */
enum { FIRST = -9, LAST = -1 };  /* omp_ipr_first, omp_ipr_fr_id */
enum { NO_VALUE = 1, SUCCESS = 0, EMPTY = -1, OUT_OF_RANGE = -2, OTHER_ERROR = -6 };
enum { DEFAULT_DEVICE = -5, INVALID_DEVICE = -4, INITIAL_DEVICE = -1 };

typedef void construct_fn(int device, int made_count, uintptr_t **made, const int *kinds,
    const char **preferences, int used_count, const uintptr_t *used, int destroyed_count,
    uintptr_t **destroyed, unsigned flags, void **depend);
typedef int number_fn(uintptr_t interop);
typedef intptr_t integer_fn(uintptr_t interop, int property, int *result);
typedef void *pointer_fn(uintptr_t interop, int property, int *result);
typedef const char *string_fn(uintptr_t interop, int property, int *result);
typedef const char *name_fn(uintptr_t interop, int property);
typedef void fortran_fn(
    const char **text, size_t *length, uintptr_t interop, int property, int *result);

static void *find(const char *name)
{
	void *routine = dlsym(RTLD_DEFAULT, name);

	if (!CHECK(routine != NULL)) {
		fprintf(stderr, "%s is missing\n", name);
		exit(1);
	}
	return routine;
}

static void test_construct(void)
{
	static const int devices[] = {DEFAULT_DEVICE, INITIAL_DEVICE, 0, 1, 77, -2, -77};
	construct_fn *construct = find("GOMP_interop");
	uintptr_t first, second, third;
	uintptr_t *made[] = {&first, &second}, *destroyed[] = {&third};
	const int kinds[] = {TARGET, TARGET | TARGETSYNC};
	const char *preferences[] = {NULL, "\x80\x01\x80\x00"};

	for (size_t i = 0; i < sizeof(devices) / sizeof(devices[0]); i++) {
		first = second = third = OTHER;
		construct(devices[i], 2, made, kinds, preferences, 0, NULL, 0, NULL, 0, NULL);
		CHECK(first == NONE && second == NONE && third == OTHER);
		construct(devices[i], 0, NULL, NULL, NULL, 1, &first, 0, NULL, NOWAIT, NULL);
		construct(devices[i], 0, NULL, NULL, NULL, 0, NULL, 1, destroyed, 0, NULL);
		CHECK(third == NONE);
		third = OTHER;
		construct(devices[i], 1, made, kinds, NULL, 2, (uintptr_t[]){NONE, NONE}, 1,
		    destroyed, 0, NULL);
		CHECK(third == NONE);
	}
	third = OTHER; /* the device matters to what is made, and to nothing else */
	construct(INVALID_DEVICE, 0, NULL, NULL, NULL, 1, &first, 1, destroyed, 0, NULL);
	CHECK(third == NONE);
}

/* The construct is passed when the tasks are complete that it depends on, and no others need be. */
static void test_dependences(void)
{
	construct_fn *construct = find("GOMP_interop");
	int value = 0;
	uintptr_t object = OTHER, *made[] = {&object};
	const int kinds[] = {TARGETSYNC};

#pragma omp parallel num_threads(3)
#pragma omp single
	for (int i = 0; i < 100; i++) {
		void *depend[] = {(void *)(uintptr_t)1, (void *)(uintptr_t)1, &value};
#pragma omp task depend(inout : value) shared(value)
		{
			dawdle(500);
			value++;
		}
		object = OTHER;
		construct(INITIAL_DEVICE, 1, made, kinds, NULL, 0, NULL, 0, NULL,
		    i % 2 ? NOWAIT : 0, depend);
		CHECK_EQUAL(object, NONE);
		if (i % 2 == 0)
			CHECK_EQUAL(value, i + 1);
#pragma omp task depend(inout : value) shared(value)
		CHECK_EQUAL(value, i + 1);
	}
	CHECK_EQUAL(value, 100);
}

/* A child process makes an object; the status it ends with. */
static int status_with(int device, const char *default_device)
{
	construct_fn *construct = find("GOMP_interop");
	uintptr_t object, *made[] = {&object};
	int status = 0;

	fflush(stderr);
	pid_t child = fork();
	if (child == 0) {
		fclose(stderr);
		if (default_device)
			omp_set_default_device(atoi(default_device));
		construct(device, 1, made, (int[]){TARGET}, NULL, 0, NULL, 0, NULL, 0, NULL);
		_exit(0);
	}
	CHECK(child > 0 && waitpid(child, &status, 0) == child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

static void test_invalid_device(void)
{
	CHECK_EQUAL(status_with(INVALID_DEVICE, NULL), 1);
	CHECK_EQUAL(status_with(DEFAULT_DEVICE, "-4"), 1);
	CHECK_EQUAL(status_with(DEFAULT_DEVICE, "-1"), 0);
	CHECK_EQUAL(status_with(DEFAULT_DEVICE, "7"), 0);
}

static void test_properties(void)
{
	number_fn *number = find("omp_get_num_interop_properties");
	integer_fn *integer = find("omp_get_interop_int");
	pointer_fn *pointer = find("omp_get_interop_ptr");
	string_fn *string = find("omp_get_interop_str");

	CHECK_EQUAL(number(NONE), 0);
	for (int property = FIRST - 2; property <= LAST + 3; property++) {
		bool exists = property >= FIRST && property <= LAST;
		int wanted = exists ? EMPTY : OUT_OF_RANGE, result = 99;
		CHECK_EQUAL(integer(NONE, property, &result), 0);
		CHECK_EQUAL(result, wanted);
		result = 99;
		CHECK(pointer(NONE, property, &result) == NULL);
		CHECK_EQUAL(result, wanted);
		result = 99;
		CHECK(string(NONE, property, &result) == NULL);
		CHECK_EQUAL(result, wanted);
		CHECK_EQUAL(integer(NONE, property, NULL), 0);
		CHECK(!pointer(NONE, property, NULL) && !string(NONE, property, NULL));
		integer(OTHER, property, &result);
		CHECK_EQUAL(result, exists ? OTHER_ERROR : OUT_OF_RANGE);
	}
}

/* The same text as in Fortran, or NULL in both. */
static void check_fortran(fortran_fn *fortran, uintptr_t interop, int number, const char *c)
{
	const char *text = "not set";
	size_t length = 99;
	int result = 99;

	fortran(&text, &length, interop, number, &result);
	CHECK(text == c);
	CHECK_EQUAL(length, c ? strlen(c) : 0);
}

static void test_texts(void)
{
	static const char *const names[] = {"targetsync", "device_context", "device", "platform",
	    "device_num", "vendor_name", "vendor", "fr_name", "fr_id"};
	name_fn *name = find("omp_get_interop_name"), *type = find("omp_get_interop_type_desc");
	name_fn *reason = find("omp_get_interop_rc_desc");
	fortran_fn *fortran = find("omp_get_interop_str_");
	int result = 99;

	for (int i = FIRST - 2; i <= LAST + 3; i++) {
		const char *found = name(NONE, i);
		if (i < FIRST || i > LAST)
			CHECK(found == NULL);
		else if (!CHECK(found && strcmp(found, names[i - FIRST]) == 0))
			fprintf(stderr, "property %d is '%s'\n", i, found ? found : "(none)");
		CHECK(type(NONE, i) == NULL);
		check_fortran(find("omp_get_interop_name_"), NONE, i, found);
		check_fortran(find("omp_get_interop_type_desc_"), NONE, i, NULL);
		check_fortran(fortran, NONE, i, NULL);
	}
	for (int i = OTHER_ERROR - 3; i <= NO_VALUE + 3; i++) {
		const char *found = reason(NONE, i);
		CHECK_EQUAL(found != NULL, i > OTHER_ERROR && i <= NO_VALUE);
		CHECK(!found || *found != '\0');
		CHECK(i == OTHER_ERROR || reason(OTHER, i) == found);
		check_fortran(find("omp_get_interop_rc_desc_"), NONE, i, found);
	}
	CHECK(reason(OTHER, OTHER_ERROR) != NULL);
	fortran(&(const char *){0}, &(size_t){0}, NONE, FIRST, &result);
	CHECK_EQUAL(result, EMPTY);
	fortran(&(const char *){0}, &(size_t){0}, NONE, FIRST, NULL);
}

int main(void)
{
	test_invalid_device();
	test_construct();
	test_dependences();
	test_properties();
	test_texts();
	return check_result();
}
