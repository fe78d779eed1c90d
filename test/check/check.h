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
 *		EXPECT(sum == 3);
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

/* How freed memory is used again. */
enum check_reuse {
	CHECK_REUSE_NEVER, /* so each use after free() is detected */
	CHECK_REUSE_FIRST, /* the block freed last is the next of its size: addresses repeat */
};

struct check_harness {
	const char *name, *file, *what; /* set by HARNESS() */
	void (*run)(void);
	/*
	 * For a harness that is too large for every order: only random orders, this many in
	 * `tools/test check` (0: every order, which must terminate).
	 */
	uint32_t random_runs;
	/*
	 * Orders with more preemptions than this are left out (0: no limit). A preemption is a
	 * switch away from a thread that could have continued.
	 */
	uint32_t preemptions;
	/*
	 * How often a load at one place may return the same value while its thread writes nothing.
	 * After that, it counts as part of a loop that waits for a new value. 0: twice.
	 */
	uint32_t looks;
	/* The number of wake-ups without a reason, and of timed waits that time out, in a run. */
	uint32_t spurious;
	bool lacks_membarrier; /* the system refuses it; a sleep of 1 ms replaces it */
	enum check_reuse reuse;
	/*
	 * Called before each step, without switching threads; reads the newest values (for
	 * debuggers).
	 */
	void (*at_step)(void);
	/* Loads return only the newest value: for harnesses that only test orders of steps. */
	bool is_sequential;
};

/* The checker finds each harness through this section. */
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

/*
 * Starts a thread of the harness. At most CHECK_THREADS exist, including those that the code
 * starts.
 */
enum { CHECK_THREADS = 8 };
void check_start(void (*body)(void *), void *argument);
/* Waits until all threads that the caller started with check_start() have ended. */
void check_join(void);

/*
 * Order that another library makes, and not the code under test. check_take() waits for
 * check_give() with the same number (below 32, each given once) and sees everything that the giver
 * saw. But plain accesses that nothing else orders are data races.
 */
void check_give(uint32_t number);
void check_take(uint32_t number);

/* A failure ends the run; the checker prints the steps that led to it. */
void check_failed(const char *file, int line, const char *text);
#define EXPECT(condition)                                                                          \
	do {                                                                                       \
		if (!(condition))                                                                  \
			check_failed(__FILE__, __LINE__, #condition);                              \
	} while (0)

/*
 * The code between the two calls must finish without any other thread: at check_alone_begin() the
 * checker may stop all others, and check_alone_end() must follow within `steps` atomic operations.
 */
void check_alone_begin(uint32_t steps);
void check_alone_end(void);

/* False while the library under test is loaded, and when the process ends. */
bool check_is_running(void);

/* The caller's number, in the order in which threads were started: 0 is run(). */
uint32_t check_thread(void);

/* Reports a result of this run, of at most 63 characters; `check --outcomes` prints all results. */
void check_outcome(const char *text);

/* Returns one of 0 .. count - 1; the checker tries each. */
uint32_t check_choose(uint32_t count);

#endif
