/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The routines by which programs of clang and of Intel's compilers set what libomp's variables set:
 * block time, stack size, library mode. Settings without a counterpart here are accepted and have
 * no effect: the number of dispatch buffers, and warnings, of which there are none while the
 * program runs.
 */
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "initial-thread.h"
#include "kmp-api.h"
#include "kmp-cancel.h"
#include "omp-api.h"
#include "process.h"
#include "versions.h"
#include "waiting.h"

enum { SMALLEST_STACK = 16384 };

void kmp_set_blocktime(int milliseconds)
{
	rt_waiting_set_block_time(milliseconds > 0 ? milliseconds : 0);
}

int kmp_get_blocktime(void)
{
	return load_relaxed(&rt_process.block_time);
}

/* For the threads that the runtime makes from now on. */
void kmp_set_stacksize_s(size_t bytes)
{
	store_relaxed(&rt_process.stack_bytes, bytes > SMALLEST_STACK ? bytes : SMALLEST_STACK);
}

void kmp_set_stacksize(int bytes)
{
	kmp_set_stacksize_s(bytes > 0 ? (size_t)bytes : 0);
}

size_t kmp_get_stacksize_s(void)
{
	size_t bytes = load_relaxed(&rt_process.stack_bytes);
	pthread_attr_t attributes;

	if (bytes != 0 || pthread_attr_init(&attributes) != 0)
		return bytes;
	pthread_attr_getstacksize(&attributes, &bytes);
	pthread_attr_destroy(&attributes);
	return bytes;
}

int kmp_get_stacksize(void)
{
	size_t bytes = kmp_get_stacksize_s();

	return bytes < INT_MAX ? (int)bytes : INT_MAX;
}

/*
 * serial: the calling task's regions have one thread. turnaround: waiting threads keep their
 * processors. throughput: they release them after the block time. Other numbers are ignored.
 */
void kmp_set_library(int library)
{
	if (library < KMP_SERIAL || library > KMP_THROUGHPUT)
		return;
	if (library == KMP_SERIAL)
		rt_icvs_write()->thread_limit = 1;
	else if (load_relaxed(&rt_process.library) == KMP_SERIAL)
		rt_icvs_write()->thread_limit = rt_process.initial.thread_limit;
	if (library == KMP_TURNAROUND)
		rt_waiting_set_block_time(RT_BLOCK_TIME_INFINITE);
	else if (load_relaxed(&rt_process.library) == KMP_TURNAROUND)
		rt_waiting_set_block_time(RT_BLOCK_TIME_DEFAULT);
	store_relaxed(&rt_process.library, library);
}

int kmp_get_library(void)
{
	return load_relaxed(&rt_process.library);
}

void kmp_set_library_serial(void)
{
	kmp_set_library(KMP_SERIAL);
}

void kmp_set_library_turnaround(void)
{
	kmp_set_library(KMP_TURNAROUND);
}

void kmp_set_library_throughput(void)
{
	kmp_set_library(KMP_THROUGHPUT);
}

static void set_block_time_text(const char *text)
{
	kmp_set_blocktime(
	    strncasecmp(text, "infinite", 8) == 0 ? RT_BLOCK_TIME_INFINITE : atoi(text));
}

static void set_library_text(const char *text)
{
	kmp_set_library(strncasecmp(text, "serial", 6) == 0        ? KMP_SERIAL
			: strncasecmp(text, "turnaround", 10) == 0 ? KMP_TURNAROUND
								   : KMP_THROUGHPUT);
}

static void set_threads_text(const char *text)
{
	omp_set_num_threads(atoi(text));
}

static void set_dynamic_text(const char *text)
{
	omp_set_dynamic(strncasecmp(text, "true", 4) == 0 || atoi(text) != 0);
}

/* What kmp_set_defaults() can set; only the environment can set the rest. */
static const struct {
	const char *assignment;
	void (*set)(const char *text);
} defaults[] = {
    {"KMP_BLOCKTIME=", set_block_time_text},
    {"KMP_LIBRARY=", set_library_text},
    {"OMP_NUM_THREADS=", set_threads_text},
    {"OMP_DYNAMIC=", set_dynamic_text},
};

/* Assignments as in the environment, separated by bars. */
void kmp_set_defaults(const char *text)
{
	while (text) {
		for (size_t i = 0; i < sizeof(defaults) / sizeof(defaults[0]); i++) {
			size_t length = strlen(defaults[i].assignment);

			if (strncmp(text, defaults[i].assignment, length) == 0)
				defaults[i].set(text + length);
		}
		text = strchr(text, '|');
		if (text)
			text++;
	}
}

void kmp_set_disp_num_buffers(int count)
{
	(void)count;
}

void kmp_set_warnings_on(void)
{
}

void kmp_set_warnings_off(void)
{
}

int kmp_get_num_known_threads(void)
{
	return (int)rt_threads_known();
}

/* kind: the number in clang's code, 0 for none. */
int kmp_get_cancellation_status(int kind)
{
	return rt_process.cancellation && kmp_cancel_kind(kind) != 0 &&
	       rt_is_cancelled(rt_self(), kmp_cancel_kind(kind));
}

void kmp_set_blocktime_(const int *milliseconds)
{
	kmp_set_blocktime(*milliseconds);
}

void kmp_set_stacksize_(const int *bytes)
{
	kmp_set_stacksize(*bytes);
}

void kmp_set_stacksize_s_(const size_t *bytes)
{
	kmp_set_stacksize_s(*bytes);
}

void kmp_set_library_(const int *library)
{
	kmp_set_library(*library);
}

void kmp_set_defaults_(const char *text, size_t length)
{
	char *copy = strndup(text, length);

	if (copy)
		kmp_set_defaults(copy);
	free(copy);
}

void kmp_set_disp_num_buffers_(const int *count)
{
	kmp_set_disp_num_buffers(*count);
}

int kmp_get_cancellation_status_(const int *kind)
{
	return kmp_get_cancellation_status(*kind);
}

/* Fortran's names of routines without arguments, and the names that ifort calls. */
#define ALIAS(of) __attribute__((alias(#of)))
int kmp_get_blocktime_(void) ALIAS(kmp_get_blocktime);
int kmp_get_stacksize_(void) ALIAS(kmp_get_stacksize);
size_t kmp_get_stacksize_s_(void) ALIAS(kmp_get_stacksize_s);
void kmp_set_library_serial_(void) ALIAS(kmp_set_library_serial);
void kmp_set_library_turnaround_(void) ALIAS(kmp_set_library_turnaround);
void kmp_set_library_throughput_(void) ALIAS(kmp_set_library_throughput);
int kmp_get_library_(void) ALIAS(kmp_get_library);
void kmp_set_warnings_on_(void) ALIAS(kmp_set_warnings_on);
void kmp_set_warnings_off_(void) ALIAS(kmp_set_warnings_off);
int kmp_get_num_known_threads_(void) ALIAS(kmp_get_num_known_threads);

ONLY_IN_LIBOMP(kmpc_set_blocktime, kmp_set_blocktime);
ONLY_IN_LIBOMP(kmpc_set_stacksize, kmp_set_stacksize);
ONLY_IN_LIBOMP(kmpc_set_stacksize_s, kmp_set_stacksize_s);
ONLY_IN_LIBOMP(kmpc_set_library, kmp_set_library);
ONLY_IN_LIBOMP(kmpc_set_defaults, kmp_set_defaults);
ONLY_IN_LIBOMP(kmpc_set_disp_num_buffers, kmp_set_disp_num_buffers);
