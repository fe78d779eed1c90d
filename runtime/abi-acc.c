/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * OpenACC constructs as gcc calls them, on the host: the outlined function of a compute construct
 * is called, once, in the calling thread; data constructs have nothing to move; and what waits for
 * activity queues finds them empty (acc-api.h). The arguments are facts of gcc's binary interface,
 * as `gcc -fopenacc -fdump-tree-ompexp` shows them.
 *
 * All constructs take: flags, which say that an if clause chose the host, and that is where they
 * are in any case; count variables, their addresses, sizes and kinds. The outlined function reads
 * the variables through the addresses and makes its own copies of private and firstprivate ones; a
 * kind says what to do for a device that has its own memory. Launch dimensions, the async clause
 * and wait clauses follow as variable arguments, of which none makes a difference here.
 */
#include <stdint.h>

#include "abi.h"

typedef void acc_function(void *addresses);

ENTRY(void, GOACC_parallel_keyed, int flags, acc_function *fn, size_t count, void **addresses,
    size_t *sizes, unsigned short *kinds, ...)
{
	(void)flags;
	(void)count;
	(void)sizes;
	(void)kinds;
	fn(addresses);
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
	fn(addresses);
}

/* A data or host_data construct: host addresses stay what they are inside. */
ENTRY(void, GOACC_data_start, int flags, size_t count, void **addresses, size_t *sizes,
    unsigned short *kinds)
{
	(void)flags;
	(void)count;
	(void)addresses;
	(void)sizes;
	(void)kinds;
}

ENTRY(void, GOACC_data_end, void)
{
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

/* An executable directive for data: of queues, waits says how many to wait for, and they follow. */
#define DATA_DIRECTIVE(name)                                                                       \
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
	}

DATA_DIRECTIVE(GOACC_enter_exit_data)
DATA_DIRECTIVE(GOACC_enter_data)
DATA_DIRECTIVE(GOACC_exit_data)
DATA_DIRECTIVE(GOACC_update)

ENTRY(void, GOACC_wait, int queue, int waits, ...)
{
	(void)queue;
	(void)waits;
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
