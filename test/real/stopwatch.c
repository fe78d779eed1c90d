/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How long a program's parallel regions take while nothing measures them: a library to preload
 * before the runtime. At the end of the program it prints, for each outlined function in the
 * program itself, a line "stopwatch OFFSET VISITS NANOSECONDS" on standard error; the offset is
 * that in the file. For programs whose regions one thread begins.
 */
#include <dlfcn.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

typedef void body_fn(void *data);

enum { MOST = 256 };

static struct region {
	body_fn *body;
	uint64_t visits, nanoseconds;
} regions[MOST];

static uint64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static void note(body_fn *body, uint64_t nanoseconds)
{
	for (int i = 0; i < MOST; i++)
		if (regions[i].body == NULL || regions[i].body == body) {
			regions[i].body = body;
			regions[i].visits++;
			regions[i].nanoseconds += nanoseconds;
			return;
		}
}

/* An entry of the runtime with these parameters. */
#define TIMED(name, parameters, arguments)                                                         \
	void name parameters;                                                                      \
	void name parameters                                                                       \
	{                                                                                          \
		static void(*next) parameters;                                                     \
		if (next == NULL)                                                                  \
			*(void **)&next = dlsym(RTLD_NEXT, #name);                                 \
		uint64_t begin = now();                                                            \
		next arguments;                                                                    \
		note(body, now() - begin);                                                         \
	}
#define TIMED_LOOP(name)                                                                           \
	TIMED(name,                                                                                \
	    (body_fn * body, void *data, unsigned threads, long start, long end, long step,        \
		long chunk, unsigned flags),                                                       \
	    (body, data, threads, start, end, step, chunk, flags))
#define TIMED_RUNTIME_LOOP(name)                                                                   \
	TIMED(name,                                                                                \
	    (body_fn * body, void *data, unsigned threads, long start, long end, long step,        \
		unsigned flags),                                                                   \
	    (body, data, threads, start, end, step, flags))

TIMED(GOMP_parallel, (body_fn * body, void *data, unsigned threads, unsigned flags),
    (body, data, threads, flags))
TIMED(GOMP_parallel_sections,
    (body_fn * body, void *data, unsigned threads, unsigned count, unsigned flags),
    (body, data, threads, count, flags))
TIMED_LOOP(GOMP_parallel_loop_dynamic)
TIMED_LOOP(GOMP_parallel_loop_guided)
TIMED_LOOP(GOMP_parallel_loop_nonmonotonic_dynamic)
TIMED_LOOP(GOMP_parallel_loop_nonmonotonic_guided)
TIMED_RUNTIME_LOOP(GOMP_parallel_loop_runtime)
TIMED_RUNTIME_LOOP(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

__attribute__((destructor)) static void print(void)
{
	for (int i = 0; i < MOST && regions[i].body != NULL; i++) {
		struct link_map *module = NULL;
		Dl_info info;
		if (dladdr1((void *)regions[i].body, &info, (void **)&module, RTLD_DL_LINKMAP) !=
			0 &&
		    module != NULL && module->l_name[0] == '\0')
			fprintf(stderr, "stopwatch %llx %llu %llu\n",
			    (unsigned long long)((uintptr_t)regions[i].body - module->l_addr),
			    (unsigned long long)regions[i].visits,
			    (unsigned long long)regions[i].nanoseconds);
	}
}
