/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A tool inside the test program: it records every callback of work-sharing, mutual exclusion,
 * cancellation, errors and target constructs in the order of arrival, with its thread. The program
 * executes constructs and then examines the record.
 *
 * The tool gives each parallel region and each implicit task a unique number in its data word, so
 * that an event with the wrong word is detected.
 */
#ifndef RECORDER_H
#define RECORDER_H
#include <stdbool.h>
#include <stdint.h>

#include "omp-tools.h"

/* One callback. Fields that a callback does not have are 0. */
struct record {
	ompt_callbacks_t callback;
	int kind; /* of work, dispatch, mutex, target, data operation; cancel: flags; severity */
	int endpoint;      /* ompt_scope_begin, ompt_scope_end, ompt_scope_beginend */
	unsigned thread;   /* counted by the recorder, from 1 */
	uint64_t parallel; /* the number that parallel_begin gave, 0: none */
	uint64_t task;     /* the number that implicit_task or task_create gave */
	uint64_t count;    /* work: its count; dispatch: iterations; mutex_acquire: hint */
	uint64_t start;    /* dispatch: the chunk's first iteration */
	uint64_t wait;     /* mutexes: wait id; mutex_acquire's impl is in `impl` */
	unsigned impl;
	int length;                /* dependences: how many; error: characters */
	ompt_dependence_t deps[4]; /* dependences: the first of them */
	char text[40];             /* error: the beginning of the message */
	const void *codeptr;
	ompt_state_t state; /* ompt_get_state()'s answer inside the callback */
	uint64_t state_wait;
};

/* The runtime's answer when the tool set the callback. */
extern ompt_set_result_t record_answer[64];
extern ompt_function_lookup_t record_lookup;
extern ompt_get_state_t record_get_state;

/* Was the tool started? Every program checks this first. */
bool record_is_on(void);

/* Forgets what was recorded; no thread may be in a callback. */
void record_clear(void);

/* The number of records, and one of them. */
unsigned record_count(void);
const struct record *record_at(unsigned index);

/* How many records have this callback, kind (-1: any) and endpoint (0: any). */
unsigned record_number(ompt_callbacks_t callback, int kind, int endpoint);
/* The first of them from `index` on, or NULL. */
const struct record *record_find(unsigned index, ompt_callbacks_t callback, int kind, int endpoint);

/*
 * Checks what must be true for every program: on each thread work regions begin and end in turn, a
 * dispatch is inside a work region, mutexes are acquired after their acquire and before their
 * release, and all of this is in one implicit task. Each code address must be in a function of the
 * program whose name starts with `function` (NULL: any).
 */
void record_check(const char *function);

/*
 * Use it after a function's last call, which the compiler could otherwise turn into a jump that
 * returns to the function's caller.
 */
#define RETURNS_HERE __asm__ volatile("" ::: "memory")

#endif
