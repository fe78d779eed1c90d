/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * For tests that call the entry points of clang's code themselves: in ways that compilers may use
 * but clang does not, or because the test needs a check between two calls.
 */
#ifndef KMP_CALLS_H
#define KMP_CALLS_H
#include <omp.h>
#include <stdint.h>

#include "check.h"

struct ident {
	int32_t reserved_1, flags, reserved_2, reserved_3;
	const char *source;
};

static struct ident here = {0, 2, 0, 0, ";test;function;1;1;;"};

typedef void microtask(int32_t *gtid, int32_t *number, ...);

void __kmpc_fork_call(struct ident *, int32_t count, microtask *fn, ...);
void __kmpc_push_num_threads(struct ident *, int32_t gtid, int32_t count);
int32_t __kmpc_global_thread_num(struct ident *);
void __kmpc_barrier(struct ident *, int32_t gtid);

/* A parallel region with this number of threads (0: the default), whose code gets one address. */
static inline void fork_threads(int threads, void (*fn)(int32_t *, int32_t *, void *), void *data)
{
	if (threads != 0)
		__kmpc_push_num_threads(&here, __kmpc_global_thread_num(&here), threads);
	__kmpc_fork_call(&here, 1, (microtask *)(uintptr_t)fn, data);
}

#endif
