/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the callers of a thread that does not run, from its stack pointer, its program counter and
 * a copy of the top of its stack.
 */
#ifndef STACK_WALK_H
#define STACK_WALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The words at `stack_pointer` and above. */
struct pomp_stack_top {
	uint64_t program_counter; /* of the next instruction */
	uint64_t stack_pointer;
	const uint64_t *word;
	size_t count;
};

/* Prepares walking, in a usual thread; false: the C library or the processor has no support. */
bool pomp_stack_walk_prepare(void);

/*
 * Writes the program counter and the return addresses of its callers, innermost first, up to the
 * first that is in none of the system's libraries: the program's own call. It ends earlier where
 * the tables, the copied words or the known registers do not suffice. Takes no lock, allocates
 * nothing, and uses no thread-local variable. Returns how many there are, at least 1 if room > 0.
 * *used: of the copied words, those on which the result depends are the first ones.
 */
size_t pomp_stack_walk(
    const struct pomp_stack_top *top, uint64_t *address, size_t room, size_t *used);

#endif
