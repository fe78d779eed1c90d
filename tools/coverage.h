// SPDX-License-Identifier: BSD-3-Clause
/*
 * Included before every source file of a coverage build (tools/coverage). gcc writes the lines that
 * a process reached in exit(), each module its own part. A process that ends itself in another way
 * writes them first, including the part of a module that it opened. A process that a signal ends
 * writes nothing. This file includes no header, so that each file sees only the names it asks for;
 * the C library's own declarations of these functions then repeat those here.
 */
#ifndef COVERAGE_H
#define COVERAGE_H

void __gcov_dump(void);
_Noreturn void _exit(int status);
_Noreturn void abort(void);
void *dlopen(const char *path, int mode);
void *dlsym(void *module, const char *name);

/* Each module has its own, for the program that opened it. */
void coverage_write(void) __attribute__((weak, visibility("default")));

void coverage_write(void)
{
	__gcov_dump();
}

static void *coverage_module __attribute__((unused));

static inline void *coverage_open(const char *path, int mode)
{
	return coverage_module = dlopen(path, mode);
}

static inline _Noreturn void coverage_leave(int status)
{
	void (*write)(void) =
	    coverage_module ? dlsym(coverage_module, "coverage_write") : (void *)0;

	if (write)
		write();
	__gcov_dump();
	_exit(status);
}

static inline _Noreturn void coverage_abort(void)
{
	__gcov_dump();
	abort();
}

#define _exit  coverage_leave
#define abort  coverage_abort
#define dlopen coverage_open

#endif
