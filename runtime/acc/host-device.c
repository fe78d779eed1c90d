/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The device routines of OpenACC 2.6, 3.2, with the host as the only device. A program that selects
 * another device ends with a message, as on GNU's runtime (the specification leaves this to the
 * implementation); queries whether there is another one, and for its properties, have a result.
 */
#include <stdlib.h>

#include "message.h"
#include "process.h"
#include "profile.h"

/* The types that mean the host: it is the default, and the device on which the program runs. */
static bool is_host(acc_device_t type)
{
	return type == acc_device_host || type == acc_device_default || type == acc_device_current;
}

static const char *type_name(acc_device_t type)
{
	static const struct {
		acc_device_t type;
		const char *name;
	} names[] = {{acc_device_none, "acc_device_none"},
	    {acc_device_not_host, "acc_device_not_host"}, {acc_device_nvidia, "acc_device_nvidia"},
	    {acc_device_radeon, "acc_device_radeon"}};

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (names[i].type == type)
			return names[i].name;
	return "no device type of openacc.h";
}

static void require_host(const char *routine, acc_device_t type)
{
	if (is_host(type))
		return;
	rt_message("%s: device type %d (%s): expected acc_device_host or acc_device_default, there "
		   "is only the host; ending the program",
	    routine, type, type_name(type));
	exit(EXIT_FAILURE);
}

/* A negative number means the default device. */
static void require_number(const char *routine, int number)
{
	if (number <= 0)
		return;
	rt_message("%s: device number %d: expected 0, there is only the host; ending the program",
	    routine, number);
	exit(EXIT_FAILURE);
}

int acc_get_num_devices(acc_device_t type)
{
	return is_host(type);
}

void acc_set_device_type(acc_device_t type)
{
	require_host("acc_set_device_type", type);
	rt_acc_device_use(RT_ACC_RUNTIME_API);
}

acc_device_t acc_get_device_type(void)
{
	if (rt_acc_device_is_initialising())
		return acc_device_none;
	return (acc_device_t)rt_process.acc_device_type;
}

/* Type 0 means all types (OpenACC 2.6, 3.2.4). */
static void select_device(
    const char *routine, int number, acc_device_t type, enum rt_acc_construct construct)
{
	if (type != acc_device_none)
		require_host(routine, type);
	require_number(routine, number);
	rt_acc_device_use(construct);
}

void acc_set_device_num(int number, acc_device_t type)
{
	select_device("acc_set_device_num", number, type, RT_ACC_RUNTIME_API);
}

void rt_acc_directive_set(int number, acc_device_t type)
{
	select_device("the set directive", number, type, RT_ACC_SET);
}

int acc_get_device_num(acc_device_t type)
{
	require_host("acc_get_device_num", type);
	return (int)rt_process.acc_device_num;
}

/* Memory sizes are 0, which means unknown: as a device the host has no memory of its own. */
size_t acc_get_property(int number, acc_device_t type, acc_device_property_t property)
{
	(void)number;
	(void)type;
	(void)property;
	return 0;
}

/*
 * The words by which programs recognise the host device of GNU's runtime, which this one replaces.
 */
const char *acc_get_property_string(int number, acc_device_t type, acc_device_property_t property)
{
	if (!is_host(type) || number > 0)
		return NULL;
	switch (property) {
	case acc_property_name:
		return "GOMP";
	case acc_property_vendor:
		return "GNU";
	case acc_property_driver:
		return "1.0";
	default:
		return NULL;
	}
}

/*
 * The host needs no preparation and is never disconnected: only profiling tools observe these
 * calls. A program with unbalanced calls ends, as on GNU's runtime.
 */
static void initialise(const char *routine, acc_device_t type, enum rt_acc_construct construct)
{
	require_host(routine, type);
	if (rt_acc_device_init(type, construct))
		return;
	rt_message("%s: device already active: expected no use of OpenACC before it, or "
		   "acc_shutdown in between; ending the program",
	    routine);
	exit(EXIT_FAILURE);
}

static void shut_down(const char *routine, acc_device_t type)
{
	require_host(routine, type);
	if (rt_acc_device_shutdown())
		return;
	rt_message("%s: no device initialized: expected acc_init or a use of OpenACC before it; "
		   "ending the program",
	    routine);
	exit(EXIT_FAILURE);
}

void acc_init(acc_device_t type)
{
	initialise("acc_init", type, RT_ACC_RUNTIME_API);
}

void acc_shutdown(acc_device_t type)
{
	shut_down("acc_shutdown", type);
}

/* Without a device_type clause all types are meant; there is only one. */
static acc_device_t directive_type(acc_device_t type)
{
	return type == acc_device_none ? acc_device_host : type;
}

void rt_acc_directive_init(int number, acc_device_t type)
{
	require_number("the init directive", number);
	initialise("the init directive", directive_type(type), RT_ACC_INIT);
}

void rt_acc_directive_shutdown(int number, acc_device_t type)
{
	require_number("the shutdown directive", number);
	shut_down("the shutdown directive", directive_type(type));
}

/* The compiler evaluates this itself if it can; these are its results for code on the host. */
int acc_on_device(acc_device_t type)
{
	return type == acc_device_host || type == acc_device_none;
}
