/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Looks at a program whose memory cannot be trusted: `hostile-memory LIBOMPD PID ROUNDS`. What is
 * read of the process is now and then replaced by random bytes, by a few changed bits, by bytes of
 * another place, or fails. Each look has to end with bounded reads; once reads are sound again, the
 * threads are as they were.
 */
#include "module-symbols.h"
#include "sampled-program.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int (*sound_fetch)(
    const struct target_memory *memory, uint64_t address, void *buffer, size_t bytes);
static uint32_t random_state = 20;
static uint32_t odds; /* one read in so many is bad */
static uint64_t fetches;
static int failures;

static uint32_t next_random(void)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 17;
	return random_state ^= random_state << 5;
}

static void check(bool holds, const char *what, uint64_t value)
{
	if (!holds && failures++ < 20)
		fprintf(stderr, "%s: %llu\n", what, (unsigned long long)value);
}

static int bad_fetch(
    const struct target_memory *memory, uint64_t address, void *buffer, size_t bytes)
{
	unsigned char *to = buffer;
	int problem = sound_fetch(memory, address, buffer, bytes);

	fetches++;
	if (problem != 0 || next_random() % odds != 0)
		return problem;
	switch (next_random() % 4) {
	case 0:
		return EFAULT;
	case 1:
		for (size_t i = 0; i < bytes; i++)
			to[i] = (unsigned char)next_random();
		break;
	case 2:
		for (int i = 0; i < 8; i++)
			to[next_random() % bytes] ^= (unsigned char)(1u << next_random() % 8);
		break;
	default: /* every pointer leads to the same place */
		for (size_t i = 0; i + sizeof address <= bytes; i += sizeof address)
			memcpy(to + i, &address, sizeof address);
		break;
	}
	return 0;
}

static void check_symbols(struct program *program)
{
	struct target_memory *memory = &program->target.memory;

	for (size_t i = 0; i < program->modules.count; i++) {
		struct module_identity identity;
		target_memory_begin(memory);
		fetches = 0;
		module_symbol(memory, program->modules.items[i].begin, "rt_debug_table");
		module_identify(memory, program->modules.items[i].begin, &identity);
		check(fetches < 1 << 15, "reads for a symbol", fetches);
	}
}

static void look(struct program *program)
{
	fetches = 0;
	program_look(program);
	check(fetches < 1 << 20, "reads of one look", fetches);
	program_end_interval(program);
	check(program->thread_count < 1 << 16, "threads", program->thread_count);
	check(program->lock_count <= 1 << 12, "locks", program->lock_count);
	for (size_t i = 0; i < program->thread_count; i++)
		check(program->threads[i].thread > 0, "a thread's number", i);
}

int main(int count, char **words)
{
	static struct program_readers readers;
	static struct program program;
	char *error = NULL;

	if (count != 4 || !debugger_library_open(&readers.debugger, words[1], &error) ||
	    !program_open(&program, &readers, (pid_t)atol(words[2]))) {
		fprintf(stderr, "expected LIBOMPD PID ROUNDS: %s\n", error != NULL ? error : "");
		return 2;
	}
	check(program.kind == PROGRAM_READABLE, "kind", program.kind);
	program_look(&program);
	size_t threads = program.thread_count;
	sound_fetch = program.target.memory.fetch;
	program.target.memory.fetch = bad_fetch;
	for (int round = 0; round < atoi(words[3]); round++) {
		odds = 1u << next_random() % 7;
		look(&program);
		if (round % 16 == 0)
			check_symbols(&program);
	}
	program.target.memory.fetch = sound_fetch;
	program_check(&program);
	look(&program);
	check(program.kind == PROGRAM_READABLE, "kind afterwards", program.kind);
	check(program.thread_count == threads && threads > 1, "threads afterwards",
	    program.thread_count);
	program_close(&program);
	debugger_library_close(&readers.debugger);
	return failures != 0;
}
