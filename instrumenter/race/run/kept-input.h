/* SPDX-License-Identifier: BSD-3-Clause */
/* The standard input, which each of several runs is to read from its beginning. */
#ifndef RACE_KEPT_INPUT_H
#define RACE_KEPT_INPUT_H

#include <stdbool.h>
#include <sys/types.h>

struct race_input {
	int kept;   /* a file in memory with what was read, or -1: none is needed */
	int first;  /* what the first run reads, -1: this process' own input */
	pid_t pump; /* copies the input to both, or -1 */
};

/*
 * A file is read again from where it is now; of a pipe, what comes is passed on to the first run
 * and kept. The terminal is the first run's, and later ones read nothing. Returns 0 or an errno.
 */
int race_input_open(struct race_input *input);

/* After the first run. */
void race_input_end_first(struct race_input *input);

/* What a later run reads: a descriptor at the beginning, or -1 with errno. */
int race_input_again(const struct race_input *input);

void race_input_close(struct race_input *input);

#endif
