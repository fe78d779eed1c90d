/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenACC constructs as gcc calls them, on the host: the outlined function of a compute construct
 * is called once, in the calling thread; data constructs have nothing to move; and waits for
 * activity queues find these empty. The arguments are gcc's binary interface, as `gcc -fopenacc
 * -fdump-tree-ompexp` shows it.
 *
 * All constructs take flags and `count` variables with their addresses, sizes and kinds. The flags
 * tell that an if clause chose the host, which makes no difference here. The outlined function
 * reads the variables through the addresses and makes its own copies of private and firstprivate
 * ones; a kind tells what to do for a device that has its own memory. Launch dimensions, the async
 * clause and wait clauses follow as variable arguments, none of which makes a difference here.
 */
#include <stdint.h>

#include "abi.h"
#include "profile.h"

typedef void acc_function(void *addresses);

enum { QUEUE_SYNC = -2 };

/* The low byte of the kind of a variable of a host_data construct. */
enum { MAP_KIND_MASK = 0xff, MAP_USE_DEVICE = 14 };

/* The interface does not show which compute construct it is, so all count as parallel. */
static void compute(acc_function *fn, void **addresses)
{
	struct rt_acc_span span;

	rt_acc_begin(&span, RT_ACC_COMPUTE_START, RT_ACC_PARALLEL, QUEUE_SYNC);
	fn(addresses);
	rt_acc_end(&span);
}

/* Reports to the tools an event of a construct that has nothing to do. */
static void pass(enum rt_acc_event start, enum rt_acc_construct construct, int queue)
{
	struct rt_acc_span span;

	rt_acc_begin(&span, start, construct, queue);
	rt_acc_end(&span);
}

LONE_ENTRY(void, GOACC_parallel_keyed, int flags, acc_function *fn, size_t count, void **addresses,
    size_t *sizes, unsigned short *kinds, ...)
{
	(void)flags;
	(void)count;
	(void)sizes;
	(void)kinds;
	compute(fn, addresses);
}

/* For gcc 5, which passes the launch dimensions as separate arguments. */
LONE_ENTRY(void, GOACC_parallel, int flags, acc_function *fn, size_t count, void **addresses,
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

/* A data or host_data construct: host addresses remain valid inside. */
LONE_ENTRY(void, GOACC_data_start, int flags, size_t count, void **addresses, size_t *sizes,
    unsigned short *kinds)
{
	bool host_data = count > 0 && (kinds[0] & MAP_KIND_MASK) == MAP_USE_DEVICE;

	(void)flags;
	(void)addresses;
	(void)sizes;
	pass(RT_ACC_ENTER_DATA_START, host_data ? RT_ACC_HOST_DATA : RT_ACC_DATA, QUEUE_SYNC);
}

LONE_ENTRY(void, GOACC_data_end, void)
{
	pass(RT_ACC_EXIT_DATA_START, RT_ACC_DATA, QUEUE_SYNC);
}

/* Enters or leaves the data region of a procedure with a declare directive. */
LONE_ENTRY(void, GOACC_declare, int flags, size_t count, void **addresses, size_t *sizes,
    unsigned short *kinds)
{
	(void)flags;
	(void)count;
	(void)addresses;
	(void)sizes;
	(void)kinds;
}

/*
 * An executable directive for data. `waits` is the number of queues that it waits for, which
 * follow. gcc 5's directive does not show whether data is entered or left, so tools get no event.
 */
#define DATA_DIRECTIVE(name, tell)                                                                 \
	LONE_ENTRY(void, name, int flags, size_t count, void **addresses, size_t *sizes,           \
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

LONE_ENTRY(void, GOACC_wait, int queue, int waits, ...)
{
	(void)queue;
	(void)waits;
}

/* Directives about devices, which gcc 17 has, with device number and type; -1 and 0 mean none. */
LONE_ENTRY(void, GOACC_init, int number, int type)
{
	rt_acc_directive_init(number, type);
}

LONE_ENTRY(void, GOACC_shutdown, int number, int type)
{
	rt_acc_directive_shutdown(number, type);
}

LONE_ENTRY(void, GOACC_set_device, int number, int type)
{
	rt_acc_directive_set(number, type);
}

/* gcc 5 divides a loop among gangs, workers and lanes by these calls: there is one of each. */
LONE_ENTRY(int, GOACC_get_num_threads, void)
{
	return 1;
}

LONE_ENTRY(int, GOACC_get_thread_num, void)
{
	return 0;
}
