/* SPDX-License-Identifier: BSD-3-Clause */
/* Checks the files of one compiler command. */
#ifndef LINT_COMMAND_H
#define LINT_COMMAND_H

#include "child-process.h"
#include "compiler-command.h"
#include "compiler.h"
#include "findings.h"
#include "lint-options.h"
#include "scratch.h"

struct lint_run {
	const struct lint_options *options;
	struct process_watch watch;
	struct scratch scratch;
	struct findings findings;
	size_t number; /* number of files read */
	/*
	 * Not NULL: copies with these edits are compiled and checked in place of the user's files.
	 * They are in the folder `copies`, under the paths of the originals.
	 */
	const struct patch *patch;
	const char *copies;
	const char *problem;                  /* why one of the copies does not do; NULL: none */
	const struct lint_witness *witnesses; /* races that a run has shown, or NULL */
	size_t witness_count;
	bool trouble; /* something could not be read, which was reported */
	bool aside; /* the command is also compiled, and the compiler reports what cannot be read */
};

/*
 * Checks each C and C++ file of the arguments (without the compiler). `openmp`: directives count
 * even if the arguments lack -fopenmp. With run->aside, a file that cannot be checked is not
 * reported. Standard input is then left to the compiler, and a file whose own text cannot contain a
 * directive is read but not checked.
 */
void lint_check_command(struct lint_run *run, const struct compiler *compiler,
    const char *const *arguments, bool openmp);

#endif
