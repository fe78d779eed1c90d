/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies the rings of a running program into another folder, from which a trace can be made. */
#ifndef RING_COPY_FILES_H
#define RING_COPY_FILES_H

#include <stdbool.h>
#include <stdint.h>

/* What was copied. */
struct ring_copy {
	unsigned seconds; /* set by the caller: how far back; 0: everything */
	unsigned long threads;
	/*
	 * ns from the first event of the copy to the time from which on it has the events of all
	 * threads; 0 if it has them from the first one on.
	 */
	uint64_t gap;
};

/*
 * Copies from one folder (a descriptor) to another, which is empty. False with *error (heap, or
 * NULL if memory ran out).
 */
bool ring_copy_files(int from, int to, struct ring_copy *copy, char **error);

#endif
