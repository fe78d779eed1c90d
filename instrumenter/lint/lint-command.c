/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Takes files and flags from a compiler's command as the wrapper does, lets the compiler preprocess
 * each file, and lets the engine check the text. Nothing is compiled.
 */
#include "lint-command.h"

#include "compiler-question.h"
#include "construct-report.h"
#include "patched-copy.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The command's words that preprocessing gets. */
enum {
	PREPROCESS_WORDS = ARGUMENT_FLAG | ARGUMENT_PREPROCESS | ARGUMENT_OPENMP |
			   ARGUMENT_NO_OPENMP | ARGUMENT_PREPROCESSED
};

/* The state while one file is checked. */
struct lint_file {
	struct lint_run *run;
	const struct compiler *compiler;
	const struct command *command;
	const struct command_part *input;
	bool openmp, cplusplus;
	char *preprocessed, *records;
	char *copy; /* with run->patch, the file's copy */
};

/* Reports a problem; `format` contains one %s. */
static void complain(struct lint_run *run, const char *file, const char *format, const char *detail)
{
	char *text = NULL;

	run->trouble = true;
	if (run->patch != NULL && file != NULL && run->problem == NULL)
		run->problem = "cannot be checked";
	if (!run->aside && asprintf(&text, format, detail) >= 0)
		report_error(file, "%s", text);
	free(text);
}

static bool is_preprocessed(const struct command_part *input)
{
	return input->language == LANGUAGE_C_PREPROCESSED ||
	       input->language == LANGUAGE_CXX_PREPROCESSED;
}

/* Runs the compiler on the file, or its copy, with one more word that says what to do. */
static int run_compiler(const struct lint_file *file, const char *what, const char *target)
{
	struct words words = {0};

	words_add_list(&words, &file->compiler->words);
	if (file->openmp)
		words_add(&words, "-fopenmp");
	command_add(file->command, PREPROCESS_WORDS, &words);
	words_add(&words, what);
	if (file->copy != NULL) {
		const char *name = file->input->value;
		const size_t folder = (size_t)(path_base(name) - name);

		words_add(&words, "-iquote");
		words_add_bytes(&words, folder > 0 ? name : ".", folder > 0 ? folder : 1);
	}
	if (file->input->forced != NULL) {
		words_add(&words, "-x");
		words_add(&words, file->input->forced);
	}
	words_add(&words, file->copy != NULL ? file->copy : file->input->value);
	if (target != NULL) {
		words_add(&words, "-o");
		words_add(&words, target);
	}
	int output = open(file->preprocessed, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	int messages = file->run->aside ? open("/dev/null", O_WRONLY | O_CLOEXEC) : -1;
	int code = output < 0 || words_vector(&words) == NULL
		       ? -1
		       : process_run(&file->run->watch, file->compiler->program, words.items,
			     (struct process_streams){-1, output, messages});
	close(output);
	close(messages);
	words_finish(&words);
	return code;
}

/* Adds the flags that change the language, for a text whose macros are already expanded. */
static void add_clang_arguments(const struct lint_file *file, struct words *words)
{
	struct words flags = {0};
	bool standard = command_add_language(file->command, words);

	command_add(file->command, ARGUMENT_FLAG, &flags);
	if (!standard)
		words_add(words, compiler_standard(&file->run->watch, file->compiler,
				     (const char *const *)words_vector(&flags), file->cplusplus));
	words_finish(&flags);
}

/* Compiles the file's copy; notes in the run why that does not do. */
static void check_copy(struct lint_file *file, const struct text_file *text)
{
	char *object = scratch_path(&file->run->scratch, file->run->number, "object");

	if (object == NULL || run_compiler(file, "-c", object) != 0)
		file->run->problem = "does not compile";
	else if (!patched_copy_is_complete(file->run->patch, file->run->copies, text))
		file->run->problem = "includes a header from a folder that a copy cannot replace";
	free(object);
}

static void check_text(const struct lint_file *file, const struct text_file *text)
{
	struct lint_run *run = file->run;
	struct lint_report report = {0};
	struct words arguments = {0};
	char *error = NULL;

	if (run->options->fix)
		findings_begin_unit(&run->findings, text);
	add_clang_arguments(file, &arguments);
	const struct inst_input input = {
	    .form = INST_PREPROCESSED,
	    .text = text->bytes,
	    .length = text->length,
	    .file_name = file->input->value,
	    .cplusplus = file->cplusplus,
	    .clang_arguments = (const char *const *)words_vector(&arguments),
	    .clang_argument_count = arguments.count,
	    .witnesses = run->witnesses,
	    .witness_count = run->witness_count,
	};
	if (lint_process_run(
		&run->watch, &input, run->options->checks, file->records, &report, &error) != 0) {
		complain(run, file->input->value, "cannot check it: %s",
		    error != NULL ? error : "out of memory");
	} else {
		findings_add(&run->findings, &report);
		lint_report_finish(&report);
	}
	free(error);
	words_finish(&arguments);
}

/* Does the file contain the word omp, which each directive has, as a pragma or as an attribute? */
static bool may_have_directives(const char *name)
{
	struct text_file text;

	if (strcmp(name, "-") == 0 || text_file_read(name, &text) != 0)
		return false;
	bool found = memmem(text.bytes, text.length, "omp", strlen("omp")) != NULL;
	text_file_finish(&text);
	return found;
}

static void check_file(struct lint_file *file)
{
	struct lint_run *run = file->run;
	const char *name = file->input->value;
	bool ready = is_preprocessed(file->input);
	struct text_file text;

	file->preprocessed = scratch_path(&run->scratch, run->number, "preprocessed");
	file->records = scratch_path(&run->scratch, run->number, "records");
	run->number++;
	if (run->patch != NULL)
		file->copy = patched_copy_make(run->patch, run->copies, name);
	if (file->preprocessed == NULL || file->records == NULL) {
		complain(run, name, "cannot make temporary files: %s", strerror(errno));
	} else if (!ready && run_compiler(file, "-E", NULL) != 0) {
		complain(run, name, "cannot be preprocessed; it is not checked%s", "");
	} else if (text_file_read(ready ? name : file->preprocessed, &text) != 0) {
		complain(run, name, "cannot read: %s", strerror(errno));
	} else {
		if (file->copy != NULL)
			check_copy(file, &text);
		check_text(file, &text);
		text_file_finish(&text);
	}
	free(file->copy);
	free(file->preprocessed);
	free(file->records);
	scratch_empty(&run->scratch);
}

/* Reports why an input is not checked, if it could contain OpenMP. */
static void explain_input(struct lint_run *run, const struct command_part *part)
{
	if (run->patch != NULL ||
	    (part->language != LANGUAGE_FORTRAN && part->language != LANGUAGE_FOREIGN))
		return;
	complain(run, part->value, "only C and C++ are checked%s",
	    part->language == LANGUAGE_FORTRAN
		? "; this is Fortran, in whose runs 'ompinst race' finds data races"
		: "");
}

void lint_check_command(struct lint_run *run, const struct compiler *compiler,
    const char *const *arguments, bool openmp)
{
	struct command command = {0};
	size_t checked = 0;

	if (command_read(arguments, compiler->cxx_driver, &command) != 0) {
		complain(run, NULL, "the compiler's command cannot be understood%s", "");
		return;
	}
	for (size_t i = 0; i < command.part_count && run->watch.interrupted == 0; i++) {
		const struct command_part *part = &command.parts[i];
		struct lint_file file = {.run = run,
		    .compiler = compiler,
		    .command = &command,
		    .input = part,
		    .openmp = openmp,
		    .cplusplus = part->language == LANGUAGE_CXX ||
				 part->language == LANGUAGE_MODULE ||
				 part->language == LANGUAGE_CXX_PREPROCESSED};
		if (part->role != ARGUMENT_INPUT)
			continue;
		checked++;
		if (run->aside && run->patch == NULL && !may_have_directives(part->value))
			continue;
		if (command_part_is_instrumentable(part))
			check_file(&file);
		else
			explain_input(run, part);
	}
	if (checked == 0) {
		complain(run, NULL, "the compiler's command names no file to check%s", "");
	}
	command_finish(&command);
}
