/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The first step of compiling an input: the user's preprocessor with the user's flags. Dependency
 * files belong to this step, because only here the compiler sees which headers there are.
 */
#include "installation.h"
#include "compile-job.h"
#include "compiler-messages.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void job_add_input(struct words *words, const struct command_part *input)
{
	if (input->forced != NULL) {
		words_add(words, "-x");
		words_add(words, input->forced);
	}
	words_add(words, input->value);
}

void job_add_header(struct words *words)
{
	char *header = locate_header();

	if (header != NULL) {
		words_add(words, "-idirafter");
		words_add(words, header);
	}
	free(header);
}

/*
 * Where the dependency file goes and what its target is called when the user left that to the
 * compiler, which would decide by an -o that this step does not have. In a compile and link in one
 * gcc and clang go by the program's name; without one, gcc prefixes the file with "a-".
 */
static void add_dependency_defaults(const struct job *job, struct words *words)
{
	const struct command *command = &job->wrapper->command;
	bool clang = job->wrapper->compiler.kind == COMPILER_CLANG;
	bool unnamed = command->mode == COMMAND_LINK && command->output == NULL;
	const char *named = command->output != NULL ? command->output
			    : unnamed               ? path_base(job->input->value)
						    : job->output;
	const char *dot = strrchr(path_base(named), '.');
	int stem = dot != NULL ? (int)(dot - named) : (int)strlen(named);
	/* clang, unlike gcc, gives -Wp,-MD the target that it gives -MD. */
	bool target = (command->roles & ARGUMENT_DEPENDENCY) != 0 ||
		      (clang && (command->roles & ARGUMENT_WP_DEPENDENCY) != 0);

	if ((command->roles & ARGUMENT_DEPENDENCY) != 0 &&
	    (command->roles & ARGUMENT_DEPENDENCY_FILE) == 0) {
		words_add(words, "-MF");
		words_add_format(words, "%s%.*s.d", unnamed && !clang ? "a-" : "", stem, named);
	}
	if (target && (command->roles & ARGUMENT_DEPENDENCY_TARGET) == 0) {
		words_add(words, "-MQ");
		words_add_format(words, "%.*s%s", unnamed ? stem : (int)strlen(named), named,
		    unnamed ? ".o" : "");
	}
}

int job_preprocess(struct job *job)
{
	const struct command *command = &job->wrapper->command;
	struct words words = {0};

	wrapper_add_compiler(job->wrapper, &words);
	/* Where nothing is linked, clang warns of a -lm; it may as well do that here. */
	unsigned unused = command->mode == COMMAND_LINK ? 0 : ARGUMENT_LINK | ARGUMENT_LIBRARY;
	command_add(command, PREPROCESS_STEP | unused, &words);
	if ((command->roles & ARGUMENT_HIDDEN_OPENMP) != 0)
		words_add(&words, "-fopenmp");
	if ((command->roles & ARGUMENT_MACRO_DEBUG) != 0)
		words_add(&words, "-g");
	if (messages_depend_on_comments(job))
		words_add(&words, "-C");
	add_dependency_defaults(job, &words);
	job_add_header(&words);
	words_add(&words, "-E");
	job_add_input(&words, job->input);
	int output = open(job->preprocessed, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	int code = output < 0 ? -1 : wrapper_run(job->wrapper, &words, output, job->messages[0]);
	int reason = errno;
	close(output);
	words_finish(&words);
	errno = reason;
	return code;
}
