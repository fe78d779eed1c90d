/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Neighbouring lines of which different threads use one each: with longer lines, if the object
 * began elsewhere, or with other threads, they would share one.
 */
#ifndef SHARING_NEAR_LINES_H
#define SHARING_NEAR_LINES_H

#include <stdint.h>

enum {
	NEAR_OFTEN = 32,        /* samples in one epoch from which on a line is remembered */
	NEAR_LONGEST_LINE = 256 /* bytes, of any processor */
};

/* Two lines without a used one in between; the second of two values is of the second line. */
struct near_lines {
	uintptr_t first;
	unsigned second;   /* bytes from line to line */
	unsigned distance; /* from the last byte used of the one to the first of the other */
	unsigned lines[2]; /* how many in a row its thread uses alone */
	uint32_t thread[2];
	uint64_t accesses[2], read[2], written[2]; /* masks of bytes */
	uintptr_t used, place[2];                  /* the first byte used, instructions */
};

/* A line's epoch ends in which one thread used it often; its state, and its sample. */
void near_lines_remember(uintptr_t line, uint64_t state, uint64_t sample);

/*
 * Calls found() for pairs that two threads used often in one epoch, and at least one of them wrote.
 */
void near_lines_find(void (*found)(const struct near_lines *near));

#endif
