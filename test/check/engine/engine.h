/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The inside of the checker, file by file. All of it runs on one thread of the system, so nothing
 * here is atomic; the threads of a harness are coroutines.
 */
#ifndef ENGINE_H
#define ENGINE_H
#include <setjmp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/types.h>

#include "clock.h"

/* ---------- search.c: what is tried next */

enum search_mode {
	SEARCH_REDUCED, /* every outcome, leaving out orders that come to the same */
	SEARCH_FULL,    /* every order; to check the reduction */
	SEARCH_RANDOM,
	SEARCH_REPLAY, /* one run, given by its choices */
};

/* What an operation is to others: two of them on one address commute or not. */
enum {
	OP_READS = 1,   /* returns what others wrote */
	OP_WRITES = 2,  /* others may return it */
	OP_ORDERS = 4,  /* its place among others of its kind matters: futex, mutex */
	OP_BARRIER = 8, /* of all threads: its place among reads and writes of any address does */
};

struct operation {
	uint32_t kind; /* OP_ */
	uintptr_t address;
};

/* Chooses one of `count`; 0 is the usual one. */
uint32_t search_choose(uint32_t count);
/* Chooses the next thread to run its next operation; -1: the run need not go on. */
int search_thread(uint32_t enabled, int current);
/* The thread chosen last has executed its operation. */
void search_note(const struct operation *operation);
/* What the calling thread does from now on happens after that step of the run. */
void search_order_after(int thread, uint32_t step);
uint32_t search_step(void); /* of the operation in execution */

struct search_result {
	uint64_t runs, pruned, steps;
	bool is_complete;
	bool has_failed;
};
struct search_limits {
	enum search_mode mode;
	uint64_t runs;  /* 0: no limit */
	uint64_t steps; /* 0: no limit; the run that reaches it ends */
	double seconds; /* 0: no limit */
	uint64_t seed;
	const char *trail;   /* of SEARCH_REPLAY */
	bool ignores_bounds; /* of the harness */
};
struct search_result search_run(const struct check_harness *, const struct search_limits *);
void search_print_trail(FILE *);

/* ---------- threads.c: coroutines as threads */

enum thread_state {
	THREAD_UNUSED,
	THREAD_READY,   /* stands before its operation `next` */
	THREAD_BLOCKED, /* until thread_release() */
	THREAD_STALLED, /* read the same again: until a thread writes */
	THREAD_ENDED,
};

struct thread {
	int number;
	enum thread_state state;
	const char *blocked_at; /* "futex", "join", ... */
	struct operation next;
	struct clock clock;    /* happens-before of C11 */
	struct clock acquired; /* what an acquire fence would order */
	struct clock released; /* what the last release fence ordered */
	struct clock order;    /* steps of the run that its next one depends on, by thread */
	int joining;           /* the thread whose end it waits for, or -1 */
	uintptr_t sleeps_at;   /* the address that thread_wake_all() wakes it by, or 0 */
	uint32_t alone_steps;  /* left within check_alone_begin(); 0: not within */
	bool is_of_harness;
	int parent;
};

extern struct thread check_threads[CHECK_THREADS];
extern struct thread *check_self; /* NULL: outside of a run, memory is as it is */

void threads_prepare(void); /* once, before the first run */
void threads_reset(void);   /* before each run */
void threads_run(void); /* one run of the harness; returns when it ended, failed or was pruned */
/*
 * A thread waits for its turn, with the operation that it is about to execute; a stalled one until
 * another thread has written, or no other one can run.
 */
void thread_turn(uint32_t kind, uintptr_t address, bool is_stalled);
/* The calling thread has executed the operation that it had its turn for. */
void thread_note(uint32_t kind, uintptr_t address);
void thread_wrote(void);
/* The caller waits until it is woken at the address; what it waits for, for messages. */
void thread_sleep(uintptr_t at, const char *where);
/* Who sleeps there: how many. */
uint32_t thread_find_sleepers(uintptr_t at, struct thread *found[CHECK_THREADS]);
void thread_wake(struct thread *);
void thread_wake_all(uintptr_t at);
_Noreturn void threads_abandon(void);

/* ---------- memory.c: atomics as C11 has them */

void memory_reset(void);
uint64_t memory_load(uintptr_t address, uint32_t size, memory_order, const void *place);
void memory_store(
    uintptr_t address, uint32_t size, uint64_t value, memory_order, const void *place);

enum rmw { RMW_EXCHANGE, RMW_ADD, RMW_SUB, RMW_AND, RMW_OR, RMW_XOR, RMW_NAND };
uint64_t memory_update(
    uintptr_t, uint32_t size, enum rmw, uint64_t operand, memory_order, const void *place);
/* The value found; it was replaced if it equals `expected`. */
uint64_t memory_replace(uintptr_t, uint32_t size, uint64_t expected, uint64_t value, memory_order,
    memory_order failure, const void *place);
void memory_fence(memory_order);
/* All threads see what was written so far (membarrier). */
void memory_barrier_of_all(void);
/* The calling thread sees what was known at that clock, without being ordered. */
void memory_see(const struct clock *);
/*
 * The kernel reads a futex word, under a lock that it also takes to wake threads: of a thread that
 * has woken others it sees at least what that one knew. The program is ordered by neither.
 */
uint32_t memory_kernel_load(uintptr_t address, const void *place);
void memory_kernel_wake(uintptr_t address, const void *place);
/* Plain memory was written there: what was atomic there before is forgotten. */
void memory_forget(uintptr_t address, size_t size);

/* ---------- sequential.c: the order S of seq_cst */

void sequential_reset(void);
/*
 * May an event follow those of `before` and precede those of `after`? Adding it returns its number.
 */
bool sequential_allows(
    const int *before, size_t before_count, const int *after, size_t after_count);
int sequential_add(const int *before, size_t before_count, const int *after, size_t after_count);

/* ---------- shadow.c, heap.c: plain accesses and allocation */

void shadow_reset(void);
void shadow_access(
    uintptr_t address, size_t size, bool is_write, bool is_atomic, const void *place);
/* The caller gives the memory back: a write to all of it that was used in this run. */
void shadow_give_back(uintptr_t address, size_t size, const void *place);

void heap_prepare(void);
void heap_reset(enum check_reuse);
void heap_access(uintptr_t address, size_t size, const void *place);

/* ---------- sites.c: places in the
 * program */

/* The harnesses of the library under test, which subject.c is part of. */
extern struct check_harness *const *const check_harnesses_begin;
extern struct check_harness *const *const check_harnesses_end;

struct site_orders {
	memory_order success, failure;
	bool is_lost; /* a store that is not done, a CAS that does not look, a load of what was */
};
void sites_prepare(const char *mutants);
struct site_orders site_orders(const void *place, memory_order, memory_order failure);
void site_print(FILE *, const void *place);
void sites_print_all(FILE *); /* the operations that were executed */

/* ---------- kernel.c, report.c */

void kernel_reset(uint32_t spurious);
/* A choice: a thread that is about to sleep goes on, as often as the harness allows. */
bool kernel_wakes_without_reason(void);
void kernel_lock(uintptr_t mutex);
void kernel_unlock(uintptr_t mutex);

void hand_over_reset(void);

/* ---------- files.c: what a run opens and maps */

void files_reset(void);
void files_access(uintptr_t address, size_t size, const void *place);

struct trace_line {
	int thread;
	const char *what;
	memory_order order;
	uintptr_t address;
	uint64_t value;
	const void *place;
};
void report_reset(void);
void report_step(const char *what, memory_order, uintptr_t, uint64_t value, const void *place);
/* Ends the run. */
_Noreturn void report_failure(const void *place, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
extern bool report_is_quiet;
bool report_has_failed(void);
void report_print_outcomes(FILE *);
extern const struct check_harness *check_current;

#endif
