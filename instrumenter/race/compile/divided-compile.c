/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The text that is changed contains everything that the file includes, so that loops of headers are
 * changed, too, but its macros are not expanded: columns stay those of the user's files, and so do
 * the compiler's messages.
 *
 *   gcc     -E -fdirectives-only; the result is preprocessed text in which macros are expanded.
 * With -fopenmp it would lack the lines of #pragma omp, so only OpenMP's macro is defined clang -E
 * -frewrite-includes; the result is a source file Fortran a copy of the file, which begins with a
 * marker with its name. What it includes is found in the file's folder, but not changed
 *
 * Markers in the texts say to debug information and messages which files they come from.
 */
#include "divided-compile.h"

#include "child-process.h"
#include "compiler-question.h"
#include "construct-report.h"
#include "decision.h"
#include "divided-loops.h"
#include "scratch.h"
#include "text-file.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	DEPENDENCIES = ARGUMENT_DEPENDENCY | ARGUMENT_DEPENDENCY_FILE | ARGUMENT_DEPENDENCY_TARGET |
		       ARGUMENT_WP_DEPENDENCY,
	PREPROCESS_WORDS =
	    ARGUMENT_FLAG | ARGUMENT_PREPROCESS | ARGUMENT_WARNING_ERROR | DEPENDENCIES,
	/* Commands with these are left alone. */
	OTHER_STEPS = ARGUMENT_UNTOUCHED | ARGUMENT_UNREADABLE | ARGUMENT_RELOCATABLE |
		      ARGUMENT_PREPROCESSED | ARGUMENT_LLVM | ARGUMENT_HIDDEN_OPENMP |
		      ARGUMENT_TO_MODULE | ARGUMENT_MODULE_OUTPUT,
};

/* What the command's sources are. */
enum sources { NOT_DIVIDED, C_SOURCES, FORTRAN_SOURCES };

struct division_run {
	const struct compiler *compiler;
	const struct command *command;
	const struct race_additions *additions;
	enum sources sources;
	struct process_watch watch;
	struct scratch scratch;
	char **texts;       /* by part: the file to compile in place of an input, or NULL */
	const char *edited; /* the first input in which a loop has got the clause */
	int messages;       /* what the compiler says of the texts: a file in memory */
};

static bool has_word(const struct command *command, const char *begin)
{
	for (size_t i = 0; i < command->words.count; i++)
		if (strncmp(command->words.items[i], begin, strlen(begin)) == 0)
			return true;
	return false;
}

/* The language of all sources; NOT_DIVIDED if they differ, or come in a way that texts cannot. */
static enum sources sources_of(const struct compiler *compiler, const struct command *command)
{
	enum sources found = NOT_DIVIDED;

	for (size_t i = 0; i < command->part_count; i++) {
		const struct command_part *part = &command->parts[i];
		enum sources own;

		if (part->role != ARGUMENT_INPUT || part->language == LANGUAGE_LINKER)
			continue;
		own = part->language == LANGUAGE_C || part->language == LANGUAGE_CXX ? C_SOURCES
		      : part->language == LANGUAGE_FORTRAN ? FORTRAN_SOURCES
							   : NOT_DIVIDED;
		if (own == NOT_DIVIDED || strcmp(part->value, "-") == 0 ||
		    (found != NOT_DIVIDED && found != own))
			return NOT_DIVIDED;
		found = own;
	}
	/* clang would include the file a second time. */
	if (found == C_SOURCES && compiler->kind == COMPILER_CLANG &&
	    (has_word(command, "-include") || has_word(command, "-imacros")))
		return NOT_DIVIDED;
	if (found == C_SOURCES && compiler->kind == COMPILER_UNKNOWN)
		return NOT_DIVIDED;
	/* A dependency file would name the copy; the form would not be that of the name. */
	if (found == FORTRAN_SOURCES &&
	    ((command->roles & DEPENDENCIES) != 0 || has_word(command, "-ffree-form") ||
		has_word(command, "-ffixed-form")))
		return NOT_DIVIDED;
	return found;
}

/* Messages go to a file, but should look as on the terminal. */
static void add_compiler(const struct division_run *run, struct words *words)
{
	words_add_list(words, &run->compiler->words);
	if (isatty(STDERR_FILENO))
		words_add(words, "-fdiagnostics-color=always");
}

/* language: its -x, or NULL; *before: that of the input before it, at first NULL. */
static void add_input(
    const char *language, const char **before, const char *file, struct words *words)
{
	if (language != NULL || *before != NULL) {
		words_add(words, "-x");
		words_add(words, language != NULL ? language : "none");
	}
	words_add(words, file);
	*before = language;
}

/* Adds what -fopenmp means to the preprocessor. */
static void add_openmp(struct division_run *run, struct words *words)
{
	static const char macro[] = "#define _OPENMP ";
	char *macros;

	if (run->compiler->kind == COMPILER_CLANG) {
		words_add(words, "-fopenmp");
		return;
	}
	words_add(words, "-pthread");
	macros = compiler_ask(&run->watch, run->compiler,
	    (const char *const[]){"-fopenmp", "-E", "-dM", "-x", "c", "/dev/null", NULL});
	const char *found = macros != NULL ? strstr(macros, macro) : NULL;
	if (found != NULL) {
		found += strlen(macro);
		words_add_format(words, "-D_OPENMP=%.*s", (int)strcspn(found, "\n"), found);
	}
	free(macros);
}

/* Preprocesses an input into the file `text`, and writes the user's dependency file. */
static bool preprocess(struct division_run *run, const struct command_part *input, const char *text)
{
	const bool clang = run->compiler->kind == COMPILER_CLANG;
	char *output = command_output_of(run->command, input);
	const char *language = NULL;
	struct words words = {0};

	add_compiler(run, &words);
	add_openmp(run, &words);
	command_add(run->command, PREPROCESS_WORDS, &words);
	words_add_list(&words, &run->additions->behind);
	if (output != NULL)
		command_add_dependency_defaults(run->command, clang, input, output, &words);
	words_add(&words, "-E");
	words_add(&words, clang ? "-frewrite-includes" : "-fdirectives-only");
	add_input(input->forced, &language, input->value, &words);
	int file = open(text, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	int code = file < 0 || words_vector(&words) == NULL || output == NULL
		       ? -1
		       : process_run(&run->watch, run->compiler->program, words.items,
			     (struct process_streams){-1, file, run->messages});
	close(file);
	words_finish(&words);
	free(output);
	return code == 0;
}

/* Pragmas that gcc executes while it preprocesses, and leaves out of the text. */
static bool has_lost_pragmas(const char *path)
{
	struct text_file text;

	if (text_file_read(path, &text) != 0)
		return true;
	bool found = strstr(text.bytes, "push_macro") != NULL ||
		     strstr(text.bytes, "redefine_extname") != NULL;
	text_file_finish(&text);
	return found;
}

/* Makes the text of an input; false if it has none. */
static bool make_text(struct division_run *run, size_t index)
{
	const struct command_part *input = &run->command->parts[index];
	char *path = scratch_path(&run->scratch, index, path_base(input->value)), *edited = NULL;
	struct text_file text;
	size_t length;

	if (path == NULL)
		return false;
	run->texts[index] = path;
	if (run->sources == FORTRAN_SOURCES) {
		edited = divided_loops_in_fortran(input->value, &length);
	} else {
		if (has_lost_pragmas(input->value) || !preprocess(run, input, path) ||
		    text_file_read(path, &text) != 0)
			return false;
		edited = divided_loops_in_c(text.bytes, text.length, &length);
		text_file_finish(&text);
	}
	if (edited == NULL && run->sources == FORTRAN_SOURCES) {
		free(path);
		run->texts[index] = NULL;
	}
	if (edited == NULL)
		return true;
	run->edited = run->edited != NULL ? run->edited : input->value;
	bool written = text_file_write(path, edited, length) == 0;
	free(edited);
	return written;
}

/* Makes all texts; false if one cannot be made, or none is changed. */
static bool make_texts(struct division_run *run)
{
	for (size_t i = 0; i < run->command->part_count; i++)
		if (run->command->parts[i].role == ARGUMENT_INPUT &&
		    run->command->parts[i].language != LANGUAGE_LINKER && !make_text(run, i))
			return false;
	return run->edited != NULL;
}

/* The language of an input's text; NULL: its suffix says it. */
static const char *text_language(const struct division_run *run, const struct command_part *input)
{
	const bool cplusplus = input->language == LANGUAGE_CXX;

	if (run->sources == FORTRAN_SOURCES)
		return input->forced;
	if (run->compiler->kind == COMPILER_CLANG)
		return cplusplus ? "c++" : "c";
	return cplusplus ? "c++-cpp-output" : "cpp-output";
}

/* The texts are in folders of their own, which debug information should not name. */
static void add_folder(const struct division_run *run, const struct command_part *input,
    const char *text, struct words *words)
{
	const char *name = input->value;
	const int folder = (int)(path_base(name) - name);

	words_add_format(words, "-fdebug-prefix-map=%.*s=%.*s", (int)(path_base(text) - text), text,
	    folder, name);
	if (run->sources == FORTRAN_SOURCES)
		words_add_format(words, "-I%.*s", folder > 0 ? folder : 1, folder > 0 ? name : ".");
}

static int compile_texts(struct division_run *run)
{
	const struct command *command = run->command;
	const char *language = NULL;
	struct words words = {0};

	add_compiler(run, &words);
	words_add_list(&words, &run->additions->front);
	for (size_t i = 0; i < command->part_count; i++)
		if (run->texts[i] != NULL)
			add_folder(run, &command->parts[i], run->texts[i], &words);
	for (size_t i = 0; i < command->part_count; i++) {
		const struct command_part *part = &command->parts[i];

		if (part->role == ARGUMENT_INPUT && run->texts[i] != NULL)
			add_input(text_language(run, part), &language, run->texts[i], &words);
		else if (part->role == ARGUMENT_INPUT)
			add_input(part->forced, &language, part->value, &words);
		else if ((part->role & (DEPENDENCIES | ARGUMENT_LANGUAGE)) == 0)
			for (size_t j = 0; j < part->count; j++)
				words_add(&words, command->words.items[part->first + j]);
	}
	words_add_list(&words, &run->additions->behind);
	if (run->sources == C_SOURCES && run->compiler->kind == COMPILER_GCC)
		words_add(&words, "-fdirectives-only");
	int code = words_vector(&words) == NULL
		       ? -1
		       : process_run(&run->watch, run->compiler->program, words.items,
			     (struct process_streams){-1, -1, run->messages});
	words_finish(&words);
	return code;
}

static int compile_original(struct division_run *run)
{
	struct words words = {0};

	scratch_empty(&run->scratch);
	words_add_list(&words, &run->compiler->words);
	words_add_list(&words, &run->additions->front);
	words_add_list(&words, &run->command->words);
	words_add_list(&words, &run->additions->behind);
	int code = words_vector(&words) == NULL
		       ? -1
		       : process_run(&run->watch, run->compiler->program, words.items,
			     (struct process_streams){-1, -1, -1});
	words_finish(&words);
	if (code == 0)
		report_warning(run->edited,
		    "the compiler does not take its loops with another schedule; compiled as it "
		    "is: 'ompinst race run' divides their iterations in few ways, and may miss "
		    "races between neighbours");
	return code;
}

static void show_messages(const struct division_run *run)
{
	struct text_file text;

	if (text_file_read_descriptor(run->messages, &text) == 0) {
		fwrite(text.bytes, 1, text.length, stderr);
		text_file_finish(&text);
	}
}

static int run_steps(struct division_run *run)
{
	int code;

	if (run->texts == NULL || run->messages < 0 || scratch_init(&run->scratch) != 0 ||
	    !make_texts(run))
		return -1;
	code = compile_texts(run);
	if (code == 0)
		show_messages(run);
	else if (run->watch.interrupted == 0)
		code = compile_original(run);
	return code;
}

int divided_compile(const struct compiler *compiler, const struct command *command,
    const struct race_additions *additions)
{
	struct division_run run = {
	    .compiler = compiler, .command = command, .additions = additions};
	int code;

	run.sources = command->openmp && (command->roles & OTHER_STEPS) == 0
			  ? sources_of(compiler, command)
			  : NOT_DIVIDED;
	if (run.sources == NOT_DIVIDED || decision_is_configure_check(command))
		return -1;
	process_watch_open(&run.watch);
	run.texts = calloc(command->part_count, sizeof *run.texts);
	run.messages = text_file_memory();
	code = run_steps(&run);
	for (size_t i = 0; run.texts != NULL && i < command->part_count; i++)
		free(run.texts[i]);
	free(run.texts);
	close(run.messages);
	scratch_finish(&run.scratch);
	process_watch_close(&run.watch);
	return code;
}
