/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs the program that CHECK_PROGRAM gives: threads separated by '|', operations by blanks. Each
 *is a letter, a location (x, y, z), an order (r, a, e, b, s: relaxed, acquire, release, acq_rel,
 *seq_cst) and values of one digit:
 *
 *	Lxa    load               Wxe1   store 1              Xxb1  exchange for 1
 *	Axr1   add 1              Cxs01  replace 0 by 1       p, q  a plain write, a plain read of d
 *
 * The outcome is what each thread read, and what the locations hold in the end.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"

enum { LOCATIONS = 3, THREADS = 4, OPERATIONS = 8, TEXT = 256, OUTCOME = 64 };

struct operation {
	char kind;
	int location, order;
	unsigned values[2];
};

static struct operation programs[THREADS][OPERATIONS];
static int lengths[THREADS], thread_count;
static unsigned locations[LOCATIONS];
static int data;
static char results[THREADS][OPERATIONS + 1];

static int order_of(char letter)
{
	switch (letter) {
	case 'r':
		return __ATOMIC_RELAXED;
	case 'a':
		return __ATOMIC_ACQUIRE;
	case 'e':
		return __ATOMIC_RELEASE;
	case 'b':
		return __ATOMIC_ACQ_REL;
	default:
		return __ATOMIC_SEQ_CST;
	}
}

static struct operation operation_of(const char *text)
{
	struct operation operation = {.kind = text[0]};
	size_t length = strlen(text);

	if (length >= 3) {
		operation.location = text[1] - 'x';
		operation.order = order_of(text[2]);
	}
	for (size_t i = 3; i < length && i < 5; i++)
		operation.values[i - 3] = (unsigned)(text[i] - '0');
	return operation;
}

__attribute__((constructor)) static void read_program(void)
{
	const char *text = getenv("CHECK_PROGRAM");
	char copy[TEXT], *threads_left = NULL, *left;

	strncpy(copy, text != NULL ? text : "", sizeof(copy) - 1);
	copy[sizeof(copy) - 1] = '\0';
	for (char *thread = strtok_r(copy, "|", &threads_left);
	     thread != NULL && thread_count < THREADS;
	     thread = strtok_r(NULL, "|", &threads_left)) {
		left = NULL;
		for (char *word = strtok_r(thread, " ", &left);
		     word != NULL && lengths[thread_count] < OPERATIONS;
		     word = strtok_r(NULL, " ", &left))
			programs[thread_count][lengths[thread_count]++] = operation_of(word);
		thread_count++;
	}
}

/* The value read; -1: nothing was. */
static int execute(const struct operation *operation)
{
	unsigned *location = &locations[operation->location], value = operation->values[0];

	switch (operation->kind) {
	/* What the compiler calls for atomic operations; here it does not know the order. */
	case 'L':
		return (int)__tsan_atomic32_load(location, operation->order);
	case 'W':
		__tsan_atomic32_store(location, value, operation->order);
		return -1;
	case 'X':
		return (int)__tsan_atomic32_exchange(location, value, operation->order);
	case 'A':
		return (int)__tsan_atomic32_fetch_add(location, value, operation->order);
	case 'C':
		__tsan_atomic32_compare_exchange_strong(
		    location, &value, operation->values[1], operation->order, __ATOMIC_RELAXED);
		return (int)value;
	case 'p':
		data = 1;
		return -1;
	default:
		EXPECT(data <= 1);
		return -1;
	}
}

static void run_thread(void *argument)
{
	int thread = (int)(intptr_t)argument;
	char *result = results[thread];

	for (int i = 0; i < lengths[thread]; i++) {
		int value = execute(&programs[thread][i]);

		if (value >= 0)
			*result++ = (char)('0' + value);
	}
	*result = '\0';
}

static void run(void)
{
	char outcome[OUTCOME] = "";

	for (int i = 0; i < thread_count; i++)
		check_start(run_thread, (void *)(intptr_t)i);
	check_join();
	for (int i = 0; i < thread_count; i++) {
		strcat(outcome, results[i]);
		strcat(outcome, "|");
	}
	for (int i = 0; i < LOCATIONS; i++) {
		char digit[2] = {
		    (char)('0' + __tsan_atomic32_load(&locations[i], __ATOMIC_RELAXED)), 0};
		strcat(outcome, digit);
	}
	check_outcome(outcome);
}
HARNESS(litmus, "the program of CHECK_PROGRAM") = {.run = run, .looks = OPERATIONS + 1};
