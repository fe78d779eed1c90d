/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Device routines of OpenACC 2.6, 3.2: the host is the only device, the default and the current
 * one. Selecting another prints a message and ends the program; what an unknown device is like has
 * an answer.
 */
#include <fcntl.h>
#include <openacc.h>
#include <sys/wait.h>

#include "check.h"

/* The types that openacc.h names and that are not here, and two that it does not name. */
static const int others[] = {
    acc_device_none, 3, acc_device_not_host, acc_device_nvidia, acc_device_radeon, 4711};

static void select_type(int type)
{
	acc_set_device_type((acc_device_t)type);
}

static void select_first(int type)
{
	acc_set_device_num(0, (acc_device_t)type);
}

static void ask_number(int type)
{
	acc_get_device_num((acc_device_t)type);
}

static void initialise(int type)
{
	acc_init((acc_device_t)type);
}

static void shut_down(int type)
{
	acc_shutdown((acc_device_t)type);
}

enum { USE_INIT, USE_DATA, USE_CONSTRUCT };

static void initialise_after(int use)
{
	static int data;

	switch (use) {
	case USE_INIT:
		acc_init(acc_device_host);
		break;
	case USE_DATA:
		acc_copyin(&data, sizeof(data));
		break;
	default:
#pragma acc parallel copy(data)
		data++;
	}
	acc_init(acc_device_default);
}

/* Of so many bytes; -1: at no address. */
static void create(int size)
{
	static char data[16];

	acc_create(size < 0 ? NULL : data, size < 0 ? sizeof(data) : (size_t)size);
}

static void select_number(int number)
{
	acc_set_device_num(number, acc_device_host);
}

static void map_elsewhere(int offset)
{
	static char data[16];

	acc_map_data(data, data + offset, 8);
}

/* A child that calls the routine must exit with a failure and one line that holds both words. */
static void check_ends(void (*routine)(int), int value, const char *name, const char *words)
{
	int ends[2], status = 0;
	char text[512];

	if (!CHECK(pipe(ends) == 0))
		return;
	pid_t child = fork();
	if (child == 0) {
		dup2(ends[1], STDERR_FILENO);
		routine(value);
		_exit(0);
	}
	close(ends[1]);
	ssize_t length = read(ends[0], text, sizeof(text) - 1);
	text[length > 0 ? length : 0] = '\0';
	close(ends[0]);
	CHECK(child > 0 && waitpid(child, &status, 0) == child);
	bool reported = strncmp(text, "runtime: ", 9) == 0 && strstr(text, name) &&
			strstr(text, words) && strchr(text, '\n') == text + strlen(text) - 1;
	if (!CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 1) || !CHECK(reported))
		fprintf(stderr, "%s(%d): status %#x, message '%s'\n", name, value, status, text);
}

static void check_host(void)
{
	static const acc_device_t types[] = {
	    acc_device_host, acc_device_default, acc_device_current};

	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++) {
		CHECK_EQUAL(acc_get_num_devices(types[i]), 1);
		acc_init(types[i]);
		acc_set_device_type(types[i]);
		CHECK_EQUAL(acc_get_device_type(), acc_device_host);
		acc_set_device_num(0, types[i]);
		acc_set_device_num(-1, types[i]);
		CHECK_EQUAL(acc_get_device_num(types[i]), 0);
		CHECK(strcmp(acc_get_property_string(0, types[i], acc_property_name), "GOMP") == 0);
		CHECK(
		    strcmp(acc_get_property_string(0, types[i], acc_property_vendor), "GNU") == 0);
		CHECK(
		    strcmp(acc_get_property_string(0, types[i], acc_property_driver), "1.0") == 0);
		CHECK(acc_get_property_string(0, types[i], acc_property_memory) == NULL);
		CHECK(acc_get_property_string(1, types[i], acc_property_name) == NULL);
		CHECK_EQUAL(acc_get_property(0, types[i], acc_property_memory), 0);
		CHECK_EQUAL(acc_get_property(0, types[i], acc_property_free_memory), 0);
		acc_shutdown(types[i]);
	}
	acc_set_device_num(0, acc_device_none);
	CHECK_EQUAL(acc_get_device_type(), acc_device_host);
	acc_shutdown(acc_device_default);
}

static void check_on_device(void)
{
	/* Not the compiler's own answers. */
	int (*volatile on_device)(acc_device_t) = acc_on_device;

	CHECK_EQUAL(on_device(acc_device_host), 1);
	CHECK_EQUAL(on_device(acc_device_none), 1);
	CHECK_EQUAL(on_device(acc_device_not_host), 0);
	CHECK_EQUAL(on_device(acc_device_nvidia), 0);
	CHECK_EQUAL(on_device(acc_device_default), 0);
}

static void check_others(void)
{
	for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
		acc_device_t type = (acc_device_t)others[i];
		CHECK_EQUAL(acc_get_num_devices(type), 0);
		CHECK(acc_get_property_string(0, type, acc_property_name) == NULL);
		CHECK_EQUAL(acc_get_property(0, type, acc_property_memory), 0);
		check_ends(select_type, others[i], "acc_set_device_type", "there is only the host");
		check_ends(ask_number, others[i], "acc_get_device_num", "there is only the host");
		check_ends(initialise, others[i], "acc_init", "there is only the host");
		check_ends(shut_down, others[i], "acc_shutdown", "there is only the host");
		if (type != acc_device_none)
			check_ends(select_first, others[i], "acc_set_device_num", "device type");
	}
	check_ends(select_type, acc_device_nvidia, "acc_set_device_type", "(acc_device_nvidia)");
	check_ends(select_number, 1, "acc_set_device_num", "device number 1");
	check_ends(initialise_after, USE_INIT, "acc_init", "device already active");
	check_ends(initialise_after, USE_DATA, "acc_init", "device already active");
	check_ends(initialise_after, USE_CONSTRUCT, "acc_init", "device already active");
	check_ends(shut_down, acc_device_host, "acc_shutdown", "no device initialized");
	check_ends(create, 0, "acc_create", "+0] is a bad range");
	check_ends(create, -1, "acc_create", "is a bad range");
	check_ends(map_elsewhere, 4, "acc_map_data", "expected the same address");
}

int main(void)
{
	check_host();
	check_on_device();
	check_others();
	return check_result();
}
