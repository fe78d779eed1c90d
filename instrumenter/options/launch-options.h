/* SPDX-License-Identifier: BSD-3-Clause */
/* The options of `ompinst run`; the option table documents each. */
#ifndef LAUNCH_OPTIONS_H
#define LAUNCH_OPTIONS_H

#include "common/option-table.h"

#include <stdbool.h>
#include <stdio.h>

enum launch_mpi {
	LAUNCH_MPI_AUTO, /* by the libraries that the program is linked to */
	LAUNCH_MPI_OPENMPI,
	LAUNCH_MPI_MPICH,
	LAUNCH_MPI_OFF,
};

enum launch_runtime {
	LAUNCH_RUNTIME_BUNDLED,
	LAUNCH_RUNTIME_SYSTEM,
};

struct launch_options {
	bool trace;
	const char *folder; /* for the trace, or NULL */
	const char *summary;
	const char *metrics;
	const char *filter;
	const char *tuned; /* a file of settings, or NULL */
	enum launch_mpi mpi;
	enum launch_runtime runtime;
	bool strict;
	bool quiet;
	bool dry_run;
	bool help;
};

/*
 * Reads the options at the front of the words (NULL-terminated). Returns how many words were read,
 * or -1 with *error (heap, or NULL if memory ran out).
 */
int launch_options_read(const char *const *words, struct launch_options *options, char **error);

void launch_options_print_help(FILE *out);

extern const struct option_table launch_options_table;

#endif
