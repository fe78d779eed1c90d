/* SPDX-License-Identifier: BSD-3-Clause */
/* What `ompinst sharing run --format=json` has written: where threads share cache lines. */
#ifndef SHARING_FILE_H
#define SHARING_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The part of a finding that is in one construct. */
struct shared_place {
	char *construct; /* "file.c:15 ", as the names of its regions begin */
	char *variable;
	double cost; /* estimated: ns of processor time, all threads */
};

struct sharing_file {
	bool is_given;
	struct shared_place *places; /* those that cost something here */
	size_t count, room;
	uint64_t threads; /* of that run */
};

/*
 * Reads the file; path NULL: there is none. Returns 0, or -1 after a message: it cannot be read,
 * or is something else.
 */
int sharing_file_read(struct sharing_file *file, const char *path);

/*
 * The cost in the construct with that name, "file.c:15 parallel"; *place becomes the costliest
 * one there, NULL without one.
 */
double sharing_file_cost(
    const struct sharing_file *file, const char *region, const struct shared_place **place);

void sharing_file_free(struct sharing_file *file);

#endif
