// SPDX-License-Identifier: BSD-3-Clause
/*
 * Included before every source file of a coverage build (tools/coverage). gcc writes what a process
 * reached from exit(); a process that ends by itself in another way writes it first. A process that
 * a signal ends writes nothing. No header is included: each file sees only the names it asks for,
 * and the C library's own declarations become repeated ones of these functions.
 */
#ifndef COVERAGE_H
#define COVERAGE_H

void __gcov_dump(void);
_Noreturn void _exit(int status);
_Noreturn void abort(void);

static inline _Noreturn void coverage_leave(int status)
{
	__gcov_dump();
	_exit(status);
}

static inline _Noreturn void coverage_abort(void)
{
	__gcov_dump();
	abort();
}

#define _exit coverage_leave
#define abort coverage_abort

#endif
