/* SPDX-License-Identifier: BSD-3-Clause */
/* Keeps the standard input, so that each of several runs can read it from the beginning. */
#ifndef RACE_KEPT_INPUT_H
#define RACE_KEPT_INPUT_H

#include <stdbool.h>
#include <sys/types.h>

struct race_input {
	int kept;   /* a file in memory with the data read so far, or -1 if none is needed */
	int first;  /* the first run's input, -1: this process's own */
	pid_t pump; /* the process that copies the input to both, or -1 */
};

/*
 * A file is read again from its current offset. Data from a pipe is passed on to the first run and
 * kept. A terminal belongs to the first run, and later runs read nothing. Returns 0 or an errno.
 */
int race_input_open(struct race_input *input);

/* Call it after the first run. */
void race_input_end_first(struct race_input *input);

/* The input for a later run: a descriptor at the beginning, or -1 with errno. */
int race_input_again(const struct race_input *input);

void race_input_close(struct race_input *input);

#endif
