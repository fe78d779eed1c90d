/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The calling thread's number in the kernel, which costs a system call by gettid(). C libraries
 * know it; the clock of a thread's processor time contains it (clock_getcpuclockid(3)).
 */
#ifndef THREAD_NUMBER_H
#define THREAD_NUMBER_H

#include <pthread.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

/* The kernel's form of the clock of a thread's processor time. */
#define POMP_THREAD_CLOCK 6
#define POMP_CLOCK_KIND   7

static inline clockid_t pomp_thread_clock(int32_t thread)
{
	return (clockid_t)((~(uint32_t)thread) << 3 | POMP_THREAD_CLOCK);
}

static inline int32_t pomp_thread_number(void)
{
	clockid_t clock;

	if (pthread_getcpuclockid(pthread_self(), &clock) == 0 &&
	    (clock & POMP_CLOCK_KIND) == POMP_THREAD_CLOCK)
		return ~(clock >> 3);
	return (int32_t)gettid();
}

#endif
