/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The internals of the checker, file by file. Everything runs on one thread of the system, so
 * nothing here is atomic; the threads of a harness are coroutines.
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
	SEARCH_REDUCED, /* every outcome, without equivalent orders */
	SEARCH_FULL,    /* every order; to check the reduction */
	SEARCH_RANDOM,
	SEARCH_REPLAY, /* one run, given by its list of choices */
};

/*
 * The effect of an operation on others, which determines whether two operations on one address
 * commute.
 */
enum {
	OP_READS = 1,   /* returns values that others wrote */
	OP_WRITES = 2,  /* others may return its value */
	OP_ORDERS = 4,  /* its position among operations of its kind matters: futex, mutex */
	OP_BARRIER = 8, /* of all threads: its position among all reads and writes matters */
};

struct operation {
	uint32_t kind; /* OP_ */
	uintptr_t address;
};

/* Chooses one of `count` alternatives; 0 is the default. */
uint32_t search_choose(uint32_t count);
/* Chooses the thread that runs its next operation; -1: the run need not continue. */
int search_thread(uint32_t enabled, int current);
/* Records that the thread chosen last has executed its operation. */
void search_note(const struct operation *operation);
/* Orders everything that the thread does from now on after that step of the run. */
void search_order_after(int thread, uint32_t step);
uint32_t search_step(void); /* of the current operation */

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
	bool ignores_bounds; /* the bounds of the harness */
};
struct search_result search_run(const struct check_harness *, const struct search_limits *);
void search_print_trail(FILE *);

/* ---------- threads.c: coroutines as threads */

enum thread_state {
	THREAD_UNUSED,
	THREAD_READY,   /* before its operation `next` */
	THREAD_BLOCKED, /* until thread_release() */
	THREAD_STALLED, /* it reads the same value again: until a thread writes */
	THREAD_ENDED,
};

struct thread {
	int number;
	enum thread_state state;
	const char *blocked_at; /* "futex", "join", ... */
	struct operation next;
	struct clock clock;    /* happens-before of C11 */
	struct clock acquired; /* what an acquire fence would add */
	struct clock released; /* what the last release fence ordered */
	struct clock order;    /* steps of the run on which its next one depends, by thread */
	int joining;           /* the thread whose end it awaits, or -1 */
	uintptr_t sleeps_at;   /* the address at which thread_wake_all() wakes it, or 0 */
	uint32_t alone_steps;  /* remaining steps within check_alone_begin(); 0: not within it */
	bool is_of_harness;
	int parent;
};

extern struct thread check_threads[CHECK_THREADS];
extern struct thread *check_self; /* NULL: outside a run, memory is accessed directly */

void threads_prepare(void); /* once, before the first run */
void threads_reset(void);   /* before each run */
void threads_run(void);     /* one run of the harness; returns after its end, failure or pruning */
/*
 * Waits for the thread's turn to execute this operation. A stalled thread waits until another
 * thread has written, or until no other thread can run.
 */
void thread_turn(uint32_t kind, uintptr_t address, bool is_stalled);
/* Records that the calling thread has executed the operation for which it had its turn. */
void thread_note(uint32_t kind, uintptr_t address);
void thread_wrote(void);
/* The caller sleeps until it is woken at that address; `where` names the reason in messages. */
void thread_sleep(uintptr_t at, const char *where);
/* Finds the threads that sleep at that address and returns how many there are. */
uint32_t thread_find_sleepers(uintptr_t at, struct thread *found[CHECK_THREADS]);
void thread_wake(struct thread *);
void thread_wake_all(uintptr_t at);
_Noreturn void threads_abandon(void);

/* ---------- memory.c: atomics according to C11 */

void memory_reset(void);
uint64_t memory_load(uintptr_t address, uint32_t size, memory_order, const void *place);
void memory_store(
    uintptr_t address, uint32_t size, uint64_t value, memory_order, const void *place);

enum rmw { RMW_EXCHANGE, RMW_ADD, RMW_SUB, RMW_AND, RMW_OR, RMW_XOR, RMW_NAND };
uint64_t memory_update(
    uintptr_t, uint32_t size, enum rmw, uint64_t operand, memory_order, const void *place);
/* Returns the value found, and replaces it if it equals `expected`. */
uint64_t memory_replace(uintptr_t, uint32_t size, uint64_t expected, uint64_t value, memory_order,
    memory_order failure, const void *place);
void memory_fence(memory_order);
/* All threads see everything that has been written so far (membarrier). */
void memory_barrier_of_all(void);
/* The calling thread sees everything that was known at that clock, but is not ordered by it. */
void memory_see(const struct clock *);
/*
 * The kernel reads a futex word under a lock that it also takes to wake threads. It therefore sees
 * at least what a thread knew that has woken others. Neither operation orders the program.
 */
uint32_t memory_kernel_load(uintptr_t address, const void *place);
void memory_kernel_wake(uintptr_t address, const void *place);
/* Plain memory was written there: forgets the atomic objects that were there. */
void memory_forget(uintptr_t address, size_t size);

/* ---------- sequential.c: the order S of seq_cst */

void sequential_reset(void);
/*
 * May an event come after those of `before` and before those of `after`? sequential_add() adds it
 * and returns its number.
 */
bool sequential_allows(
    const int *before, size_t before_count, const int *after, size_t after_count);
int sequential_add(const int *before, size_t before_count, const int *after, size_t after_count);

/* ---------- shadow.c, heap.c: plain accesses and allocation */

void shadow_reset(void);
void shadow_access(
    uintptr_t address, size_t size, bool is_write, bool is_atomic, const void *place);
/* The caller frees the memory: counts as a write to all of it that this run used. */
void shadow_give_back(uintptr_t address, size_t size, const void *place);

void heap_prepare(void);
void heap_reset(enum check_reuse);
void heap_access(uintptr_t address, size_t size, const void *place);

/* ---------- sites.c: places in the program */

/* The harnesses of the library under test, of which subject.c is a part. */
extern struct check_harness *const *const check_harnesses_begin;
extern struct check_harness *const *const check_harnesses_end;

struct site_orders {
	memory_order success, failure;
	bool is_lost; /* a store is not done, a CAS does not compare, a load is of an old value */
};
void sites_prepare(const char *mutants);
struct site_orders site_orders(const void *place, memory_order, memory_order failure);
void site_print(FILE *, const void *place);
void sites_print_all(FILE *); /* the operations that were executed */

/* ---------- kernel.c, report.c */

void kernel_reset(uint32_t spurious);
/* Chooses whether a thread that is about to sleep continues, as often as the harness allows. */
bool kernel_wakes_without_reason(void);
void kernel_lock(uintptr_t mutex);
void kernel_unlock(uintptr_t mutex);

void hand_over_reset(void);

/* ---------- files.c: the files and mappings of a run */

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
