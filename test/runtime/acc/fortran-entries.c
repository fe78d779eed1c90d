/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenACC's Fortran names, called as gfortran calls them: everything by reference, arrays by their
 * descriptor, the length of a character variable after all other arguments. fortran-program.f90
 * shows that gfortran agrees; this one also runs where there is none, and knows all the names.
 */
#include <dlfcn.h>
#include <openacc.h>
#include <stdint.h>

#include "check.h"

enum { SIZE = 50 };

/* What gfortran 12 passes for an array of any rank. */
struct descriptor {
	void *base;
	size_t offset;
	struct {
		size_t element_size;
		int version;
		signed char rank, type;
		signed short attribute;
	} type;
	ptrdiff_t span;
	struct {
		ptrdiff_t stride, lower, upper;
	} dimensions[1];
};

/* All the names of a family, for the strings to be in the program: NAME_32_h_, and so on. */
#define FAMILY(name)                                                                               \
	{                                                                                          \
		"acc_" #name "_32_h_", "acc_" #name "_64_h_", "acc_" #name "_array_h_"             \
	}

static const char *const data_routines[][3] = {FAMILY(copyin), FAMILY(create),
    FAMILY(present_or_copyin), FAMILY(present_or_create), FAMILY(copyout), FAMILY(copyout_finalize),
    FAMILY(delete), FAMILY(delete_finalize), FAMILY(update_device), FAMILY(update_self)};

static const char *const queue_routines[][3] = {FAMILY(copyin_async), FAMILY(create_async),
    FAMILY(copyout_async), FAMILY(copyout_finalize_async), FAMILY(delete_async),
    FAMILY(delete_finalize_async), FAMILY(update_device_async), FAMILY(update_self_async)};

static void *find(const char *name)
{
	void *routine = dlsym(RTLD_DEFAULT, name);

	if (!CHECK(routine != NULL)) {
		fprintf(stderr, "%s is missing\n", name);
		exit(1);
	}
	return routine;
}

/* The argument that a routine does not take is one more register that it does not read. */
static void call_data_routine(const char *const names[3], int *array)
{
	void (*with_32)(void *, const int32_t *, const int32_t *) = find(names[0]);
	void (*with_64)(void *, const int64_t *, const int32_t *) = find(names[1]);
	void (*with_array)(const struct descriptor *, const int32_t *) = find(names[2]);
	const int32_t size_32 = SIZE * (int)sizeof(*array), queue = 3;
	const int64_t size_64 = size_32;
	const struct descriptor descriptor = {.base = array,
	    .offset = (size_t)-1,
	    .type = {sizeof(*array), 0, 1, 1, 0},
	    .span = sizeof(*array),
	    .dimensions = {{1, 1, SIZE}}};

	with_32(array, &size_32, &queue);
	with_64(array, &size_64, &queue);
	with_array(&descriptor, &queue);
	if (!CHECK_ALL(array, SIZE, 17))
		fprintf(stderr, "after %s and those after it\n", names[0]);
}

static void check_data(void)
{
	int array[SIZE];

	for (int i = 0; i < SIZE; i++)
		array[i] = 17;
	for (size_t i = 0; i < sizeof(data_routines) / sizeof(data_routines[0]); i++)
		call_data_routine(data_routines[i], array);
	for (size_t i = 0; i < sizeof(queue_routines) / sizeof(queue_routines[0]); i++)
		call_data_routine(queue_routines[i], array);
}

int32_t acc_is_present_32_h_(void *data, const int32_t *size);
int32_t acc_is_present_64_h_(void *data, const int64_t *size);
int32_t acc_is_present_array_h_(const struct descriptor *array);

static void check_is_present(void)
{
	int array[SIZE];
	const int32_t size_32 = sizeof(array);
	const int64_t size_64 = sizeof(array);
	struct descriptor descriptor = {.base = array, .dimensions = {{1, 1, SIZE}}};

	CHECK_EQUAL(acc_is_present_32_h_(array, &size_32), 1);
	CHECK_EQUAL(acc_is_present_64_h_(array, &size_64), 1);
	CHECK_EQUAL(acc_is_present_array_h_(&descriptor), 1);
	descriptor.base = NULL;
	CHECK_EQUAL(acc_is_present_32_h_(NULL, &size_32), 0);
	CHECK_EQUAL(acc_is_present_64_h_(NULL, &size_64), 0);
	CHECK_EQUAL(acc_is_present_array_h_(&descriptor), 0);
}

int32_t acc_get_num_devices_h_(const int32_t *type);
int32_t acc_get_device_num_h_(const int32_t *type);
int32_t acc_get_device_type_h_(void);
int32_t acc_on_device_h_(const int32_t *type);
void acc_init_h_(const int32_t *type);
void acc_shutdown_h_(const int32_t *type);
void acc_set_device_type_h_(const int32_t *type);
void acc_set_device_num_h_(const int32_t *number, const int32_t *type);
size_t acc_get_property_h_(int32_t number, int32_t type, int32_t property);
void acc_get_property_string_h_(
    int32_t number, int32_t type, int32_t property, char *variable, size_t length);

static void check_devices(void)
{
	const int32_t host = acc_device_host, other = acc_device_nvidia, zero = 0;

	acc_init_h_(&host);
	acc_set_device_type_h_(&host);
	acc_set_device_num_h_(&zero, &host);
	CHECK_EQUAL(acc_get_num_devices_h_(&host), 1);
	CHECK_EQUAL(acc_get_num_devices_h_(&other), 0);
	CHECK_EQUAL(acc_get_device_num_h_(&host), 0);
	CHECK_EQUAL(acc_get_device_type_h_(), acc_device_host);
	CHECK_EQUAL(acc_on_device_h_(&host), 1);
	CHECK_EQUAL(acc_on_device_h_(&other), 0);
	acc_shutdown_h_(&host);
}

static void check_property(size_t length, int property, const char *expected)
{
	char variable[9] = "########";

	acc_get_property_string_h_(0, acc_device_host, property, variable, length);
	if (!CHECK(strcmp(variable, expected) == 0))
		fprintf(
		    stderr, "length %zu: expected '%s', found '%s'\n", length, expected, variable);
}

/* Cut at the variable's length or filled with blanks; no byte after it is changed. */
static void check_properties(void)
{
	check_property(7, acc_property_name, "GOMP   #");
	check_property(4, acc_property_name, "GOMP####");
	check_property(2, acc_property_name, "GO######");
	check_property(0, acc_property_name, "########");
	check_property(5, acc_property_memory, "     ###");
	CHECK_EQUAL(acc_get_property_h_(0, acc_device_host, acc_property_memory), 0);
}

int32_t acc_async_test_h_(const int32_t *queue);
int32_t acc_async_test_all_h_(void);
void acc_wait_h_(const int32_t *queue);
void acc_wait_async_h_(const int32_t *queue, const int32_t *waiting_queue);
void acc_wait_all_h_(void);
void acc_wait_all_async_h_(const int32_t *waiting_queue);

static void check_queues(void)
{
	const int32_t queue = 1, waiting_queue = 2;

	acc_wait_async_h_(&queue, &waiting_queue);
	acc_wait_all_async_h_(&waiting_queue);
	acc_wait_h_(&waiting_queue);
	acc_wait_all_h_();
	CHECK_EQUAL(acc_async_test_h_(&queue), 1);
	CHECK_EQUAL(acc_async_test_all_h_(), 1);
}

int main(void)
{
	check_data();
	check_is_present();
	check_devices();
	check_properties();
	check_queues();
	return check_result();
}
