/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a harness of the checker may use. A harness is a small program for two or three threads that
 * calls the project's own functions; the checker runs it in every order, with every value that C11
 * allows a load to return, or in many random ones (doc/memory-model.md).
 *
 *	static void sender(void *argument) { ... }
 *	static void run(void)
 *	{
 *		check_start(sender, NULL);
 *		...
 *		check_join();
 *		CHECK(sum == 3);
 *	}
 *	HARNESS(mutex_two, "two threads take one mutex") = {.run = run};
 *
 * run() is the first thread. All memory starts each time as it was before the first one. A harness
 * must do the same whenever it sees the same: no clocks, no random numbers.
 */
#ifndef CHECK_H
#define CHECK_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How the memory of free() comes back. */
enum check_reuse {
	CHECK_REUSE_NEVER, /* so each use after free() is seen */
	CHECK_REUSE_FIRST, /* the block freed last is the next of its size: addresses come back */
};

struct check_harness {
	const char *name, *file, *what; /* set by HARNESS() */
	void (*run)(void);
	/*
	 * Too large to be run in every order: random ones alone, in `tools/test check` so many
	 * (0: every order, which has to end).
	 */
	uint32_t random_runs;
	/*
	 * Orders with more preemptions than this are left out (0: none is). A preemption is a
	 * switch from a thread that could have gone on.
	 */
	uint32_t preemptions;
	/*
	 * How often a load may return the same at one place of the program while its thread writes
	 * nothing: then it is that of a loop, which goes on when there is something new. 0: twice.
	 */
	uint32_t looks;
	/* Wake-ups without a reason, and ends of waits with a limit, that a run may have. */
	uint32_t spurious;
	bool lacks_membarrier; /* the system refuses it; a sleep of 1 ms comes in its place */
	enum check_reuse reuse;
	/* Without threads in motion, before each step: reads the newest values (for debuggers). */
	void (*at_step)(void);
	/* Skips the choice to read old values: only for what looks at orders of steps alone. */
	bool is_sequential;
};

/* Each harness is listed by standing in this section. */
#define HARNESS(harness, sentence)                                                                 \
	static struct check_harness harness;                                                       \
	__attribute__((used,                                                                       \
	    section("check_harnesses"))) static struct check_harness *const harness##_listed =     \
	    &harness;                                                                              \
	__attribute__((constructor)) static void name_##harness(void)                              \
	{                                                                                          \
		harness.name = #harness;                                                           \
		harness.file = __FILE__;                                                           \
		harness.what = sentence;                                                           \
	}                                                                                          \
	static struct check_harness harness

/* Starts a thread of the harness; at most CHECK_THREADS run, with those that the code starts. */
enum { CHECK_THREADS = 8 };
void check_start(void (*body)(void *), void *argument);
/* Waits until the threads that the caller started with check_start() have ended. */
void check_join(void);

/*
 * Order that another library makes, not the code under test: check_take() waits for check_give() of
 * the same number (below 32, each given once) and sees all that the giver saw; but what is plain
 * and ordered by nothing else is a data race.
 */
void check_give(uint32_t number);
void check_take(uint32_t number);

/* A failure ends the run; the checker prints how it came to it. */
void check_failed(const char *file, int line, const char *text);
#define CHECK(condition)                                                                           \
	do {                                                                                       \
		if (!(condition))                                                                  \
			check_failed(__FILE__, __LINE__, #condition);                              \
	} while (0)

/*
 * What stands between the two has to end without any other thread: at a begin the checker may stop
 * all others, and `steps` atomic operations later the end must have come.
 */
void check_alone_begin(uint32_t steps);
void check_alone_end(void);

/* False while the library under test is loaded and when the process ends. */
bool check_is_running(void);

/* The caller's number, in the order of starting: 0 is run(). */
uint32_t check_thread(void);

/* A result of this run; `check --outcomes` prints all that there were. At most 63 characters. */
void check_outcome(const char *text);

/* One of 0 .. count - 1; each is tried. */
uint32_t check_choose(uint32_t count);

#endif
