/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether the C library reports that the process has only one thread. glibc does since 2.32. musl
 * does not; there every lock is taken as if other threads could want it.
 */
#ifndef RT_SINGLE_THREAD_H
#define RT_SINGLE_THREAD_H
#include <stdbool.h>

#if __has_include(<sys/single_threaded.h>)
#include <sys/single_threaded.h>

static inline bool rt_single_threaded(void)
{
	return __libc_single_threaded;
}
#else
static inline bool rt_single_threaded(void)
{
	return false;
}
#endif
#endif
