/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenACC constructs as gcc calls them, on the host: the outlined function of a compute construct
 * is called, once, in the calling thread; data constructs have nothing to move; and what waits for
 * activity queues finds them empty. The arguments are facts of gcc's binary interface, as `gcc
 * -fopenacc -fdump-tree-ompexp` shows them.
 *
 * All constructs take: flags, which say that an if clause chose the host, and that is where they
 * are in any case; count variables, their addresses, sizes and kinds. The outlined function reads
 * the variables through the addresses and makes its own copies of private and firstprivate ones; a
 * kind says what to do for a device that has its own memory. Launch dimensions, the async clause
 * and wait clauses follow as variable arguments, of which none makes a difference here.
 */
#include <stdint.h>

#include "abi.h"
#include "profile.h"

typedef void acc_function(void *addresses);

enum { QUEUE_SYNC = -2 };

/* The low byte of the kind of a variable of a host_data construct. */
enum { MAP_KIND_MASK = 0xff, MAP_USE_DEVICE = 14 };

/* The interface does not show which compute construct it is: all count as parallel. */
static void compute(acc_function *fn, void **addresses)
{
	struct rt_acc_span span;

	rt_acc_begin(&span, RT_ACC_COMPUTE_START, RT_ACC_PARALLEL, QUEUE_SYNC);
	fn(addresses);
	rt_acc_end(&span);
}

/* Reports an event about something that has nothing to do to the tools. */
static void pass(enum rt_acc_event start, enum rt_acc_construct construct, int queue)
{
	struct rt_acc_span span;

	rt_acc_begin(&span, start, construct, queue);
	rt_acc_end(&span);
}

ENTRY(void, GOACC_parallel_keyed, int flags, acc_function *fn, size_t count, void **addresses,
    size_t *sizes, unsigned short *kinds, ...)
{
	(void)flags;
	(void)count;
	(void)sizes;
	(void)kinds;
	compute(fn, addresses);
}

/* Of gcc 5: the launch dimensions came as arguments of their own. */
ENTRY(void, GOACC_parallel, int flags, acc_function *fn, size_t count, void **addresses,
    size_t *sizes, unsigned short *kinds, int gangs, int workers, int vector_length, int queue,
    int waits, ...)
{
	(void)flags;
	(void)count;
	(void)sizes;
	(void)kinds;
	(void)gangs;
	(void)workers;
	(void)vector_length;
	(void)queue;
	(void)waits;
	compute(fn, addresses);
}

/* A data or host_data construct: host addresses stay what they are inside. */
ENTRY(void, GOACC_data_start, int flags, size_t count, void **addresses, size_t *sizes,
    unsigned short *kinds)
{
	bool host_data = count > 0 && (kinds[0] & MAP_KIND_MASK) == MAP_USE_DEVICE;

	(void)flags;
	(void)addresses;
	(void)sizes;
	pass(RT_ACC_ENTER_DATA_START, host_data ? RT_ACC_HOST_DATA : RT_ACC_DATA, QUEUE_SYNC);
}

ENTRY(void, GOACC_data_end, void)
{
	pass(RT_ACC_EXIT_DATA_START, RT_ACC_DATA, QUEUE_SYNC);
}

/* Enters or leaves the data region that a declare directive makes of a procedure. */
ENTRY(void, GOACC_declare, int flags, size_t count, void **addresses, size_t *sizes,
    unsigned short *kinds)
{
	(void)flags;
	(void)count;
	(void)addresses;
	(void)sizes;
	(void)kinds;
}

/*
 * An executable directive for data: waits says for how many queues it waits, and they follow. Of
 * gcc 5's directive it does not show whether data is entered or left, and tools get no event.
 */
#define DATA_DIRECTIVE(name, tell)                                                                 \
	ENTRY(void, name, int flags, size_t count, void **addresses, size_t *sizes,                \
	    unsigned short *kinds, int queue, int waits, ...)                                      \
	{                                                                                          \
		(void)flags;                                                                       \
		(void)count;                                                                       \
		(void)addresses;                                                                   \
		(void)sizes;                                                                       \
		(void)kinds;                                                                       \
		(void)queue;                                                                       \
		(void)waits;                                                                       \
		tell;                                                                              \
	}

DATA_DIRECTIVE(GOACC_enter_exit_data, (void)0)
DATA_DIRECTIVE(GOACC_enter_data, pass(RT_ACC_ENTER_DATA_START, RT_ACC_ENTER_DATA, queue))
DATA_DIRECTIVE(GOACC_exit_data, pass(RT_ACC_EXIT_DATA_START, RT_ACC_EXIT_DATA, queue))
DATA_DIRECTIVE(GOACC_update, pass(RT_ACC_UPDATE_START, RT_ACC_UPDATE, queue))

ENTRY(void, GOACC_wait, int queue, int waits, ...)
{
	(void)queue;
	(void)waits;
}

/* Directives about devices, which gcc 17 has: the device number and type, -1 and 0 without one. */
ENTRY(void, GOACC_init, int number, int type)
{
	rt_acc_directive_init(number, type);
}

ENTRY(void, GOACC_shutdown, int number, int type)
{
	rt_acc_directive_shutdown(number, type);
}

ENTRY(void, GOACC_set_device, int number, int type)
{
	rt_acc_directive_set(number, type);
}

/* Where a loop is shared among gangs, workers and lanes by calls (gcc 5): there is one of them. */
ENTRY(int, GOACC_get_num_threads, void)
{
	return 1;
}

ENTRY(int, GOACC_get_thread_num, void)
{
	return 0;
}
