/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What a machine can do with some of its processors: `ompinst machine` measures it once and keeps
 * it in a file of this user, where reports find it.
 */
#ifndef COMMON_MACHINE_FIGURES_H
#define COMMON_MACHINE_FIGURES_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

enum { MACHINE_ROWS = 64 };

struct machine_row {
	unsigned threads; /* that worked at the same time, each on a processor of its own */
	double bandwidth; /* of a triad a[i] = b[i] + x * c[i]: 24 bytes for each i, in bytes/s */
	double
	    chain_time; /* of one step of dependent instructions, the mean of the threads, in ns */
	double peak;    /* floating-point operations in a second of all threads; 0: not measured */
};

struct machine_figures {
	char processor[128]; /* the model, as the kernel names it */
	unsigned processors; /* on which the measuring process could run */
	size_t count;
	struct machine_row rows[MACHINE_ROWS]; /* in the order of their threads */
};

/* The model's name; "unknown" if the kernel says none. */
void machine_find_processor(char *name, size_t size);

/*
 * Where the figures are kept: $XDG_CACHE_HOME/ompinst/machine.json, or in ~/.cache. Returns false
 * without a home folder, or if the path is too long.
 */
bool machine_figures_path(char path[PATH_MAX]);

/* Returns 0, or -1 if there is no such file, or one that is not of this format. */
int machine_figures_read(const char *path, struct machine_figures *figures);

/* The row of so many threads, or NULL. */
const struct machine_row *machine_row_of(const struct machine_figures *figures, unsigned threads);

#endif
