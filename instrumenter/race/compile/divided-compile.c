/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The text that is changed contains everything that the file includes, so that loops of headers are
 * changed, too, but its macros are not expanded: columns stay those of the user's files, and so do
 * the compiler's messages.
 *
 * gcc: -E -fdirectives-only. The result is preprocessed text in which macros are expanded later.
 * With -fopenmp it would lack the lines of #pragma omp, so only OpenMP's macro is defined.
 *
 * clang: -E -frewrite-includes. The result is a source file.
 *
 * Fortran: a copy of the file, which begins with a marker with its name. What it includes is found
 * in the file's folder, but not changed.
 *
 * Markers in the texts say to debug information and messages which files they come from. A text in
 * C or C++ is compiled only if, with its macros expanded, it is what the user's file becomes with
 * its macros expanded, but for the schedules.
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
enum sources { OTHER_SOURCES, C_SOURCES, FORTRAN_SOURCES, SEVERAL_SOURCES };

struct division_run {
	const struct compiler *compiler;
	const struct command *command;
	const struct race_additions *additions;
	enum sources sources;
	struct process_watch watch;
	struct scratch scratch;
	char **texts;       /* by part: the file to compile in place of an input, or NULL */
	const char *edited; /* the first input in which a loop has got the clause */
	enum lane_division lanes;
	int messages; /* what the compiler says of the texts: a file in memory */
};

static const char no_file[] = "no temporary file can be written";

static bool has_word(const struct command *command, const char *begin)
{
	for (size_t i = 0; i < command->words.count; i++)
		if (strncmp(command->words.items[i], begin, strlen(begin)) == 0)
			return true;
	return false;
}

static enum sources sources_of_language(enum language language)
{
	switch (language) {
	case LANGUAGE_C:
	case LANGUAGE_CXX:
		return C_SOURCES;
	case LANGUAGE_FORTRAN:
		return FORTRAN_SOURCES;
	default:
		return OTHER_SOURCES;
	}
}

/* The language of all sources. */
static enum sources sources_of(const struct command *command)
{
	enum sources found = OTHER_SOURCES;
	bool is_first = true;

	for (size_t i = 0; i < command->part_count; i++) {
		const struct command_part *part = &command->parts[i];

		if (part->role != ARGUMENT_INPUT || part->language == LANGUAGE_LINKER)
			continue;
		const enum sources own = sources_of_language(part->language);
		if (!is_first && found != own)
			return SEVERAL_SOURCES;
		found = own;
		is_first = false;
	}
	return found;
}

/* Are the sources in different folders? */
static bool has_folders(const struct command *command)
{
	const char *first = NULL;
	size_t folder = 0;

	for (size_t i = 0; i < command->part_count; i++) {
		const struct command_part *part = &command->parts[i];

		if (part->role != ARGUMENT_INPUT || part->language == LANGUAGE_LINKER)
			continue;
		const size_t own = (size_t)(path_base(part->value) - part->value);
		if (first != NULL && (own != folder || strncmp(first, part->value, own) != 0))
			return true;
		first = part->value;
		folder = own;
	}
	return false;
}

/* Why no text can stand for a source; NULL if one can. */
static const char *find_obstacle(const struct division_run *run)
{
	const struct command *command = run->command;

	for (size_t i = 0; i < command->part_count; i++)
		if (command->parts[i].role == ARGUMENT_INPUT &&
		    strcmp(command->parts[i].value, "-") == 0)
			return "the source is no file";
	if ((command->roles & OTHER_STEPS) != 0)
		return "a flag changes the steps of the compiler";
	if (run->sources == SEVERAL_SOURCES)
		return "sources of several languages are compiled in one command";
	if (run->sources == C_SOURCES)
		return run->compiler->kind == COMPILER_UNKNOWN
			   ? "the compiler is neither gcc nor clang"
			   : NULL;
	if ((command->roles & DEPENDENCIES) != 0)
		return "a dependency file would name a changed copy";
	if (has_word(command, "-ffree-form") || has_word(command, "-ffixed-form"))
		return "the form is not that of the file's name";
	return has_folders(command) ? "files of several folders are compiled in one command" : NULL;
}

/* Adds the part's words if its role is in roles. clang's text has what -include names already. */
static void add_part(const struct division_run *run, const struct command_part *part,
    unsigned roles, bool for_text, struct words *words)
{
	const char *const *own = (const char *const *)run->command->words.items + part->first;

	if ((part->role & roles) == 0 ||
	    (for_text && run->compiler->kind == COMPILER_CLANG &&
		(strcmp(own[0], "-include") == 0 || strcmp(own[0], "--include") == 0)))
		return;
	for (size_t i = 0; i < part->count; i++)
		words_add(words, own[i]);
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

/* The input, or the text that stands for it, with its macros expanded (heap); NULL: none. */
static char *expand(struct division_run *run, const struct command_part *input, const char *text)
{
	const bool gcc = run->compiler->kind == COMPILER_GCC;
	const char *language = NULL;
	struct words words = {0};
	char *expanded = NULL;

	words_add(&words, "-fopenmp");
	words_add(&words, "-D__TIME__=now"); /* the same for both */
	/* gcc's text begins with the definitions of all macros. */
	if (text != NULL && gcc)
		words_add(&words, "-undef");
	for (size_t i = 0; i < run->command->part_count; i++)
		add_part(run, &run->command->parts[i],
		    text != NULL && gcc ? ARGUMENT_FLAG : ARGUMENT_FLAG | ARGUMENT_PREPROCESS,
		    text != NULL, &words);
	words_add_list(&words, &run->additions->behind);
	words_add(&words, "-w");
	words_add(&words, "-E");
	if (text != NULL)
		add_input(input->language == LANGUAGE_CXX ? "c++" : "c", &language, text, &words);
	else
		add_input(input->forced, &language, input->value, &words);
	if (words_vector(&words) != NULL)
		expanded =
		    compiler_ask(&run->watch, run->compiler, (const char *const *)words.items);
	words_finish(&words);
	return expanded;
}

/* Whether the text is the input but for schedules. */
static bool means_the_same(
    struct division_run *run, const struct command_part *input, const char *text)
{
	char *original = expand(run, input, NULL);
	char *divided = expand(run, input, text);

	bool same = original != NULL && divided != NULL &&
		    divided_loops_are_all(original, strlen(original), divided, strlen(divided));
	free(original);
	free(divided);
	return same;
}

/* Writes the text of an input with other schedules, if it has such loops. Returns what is wrong. */
static const char *make_text(struct division_run *run, size_t index)
{
	const struct command_part *input = &run->command->parts[index];
	char *path = scratch_path(&run->scratch, index, path_base(input->value)), *edited = NULL;
	const char *wrong = NULL;
	struct text_file text;
	size_t length;

	if (path == NULL)
		return no_file;
	free(run->texts[index]);
	run->texts[index] = path;
	if (run->sources == FORTRAN_SOURCES) {
		edited = divided_loops_in_fortran(input->value, run->lanes, &length);
	} else {
		if (!preprocess(run, input, path) || text_file_read(path, &text) != 0)
			return "the text cannot be had without expanding macros";
		edited = divided_loops_in_c(text.bytes, text.length, run->lanes, &length);
		text_file_finish(&text);
	}
	if (edited != NULL) {
		run->edited = run->edited != NULL ? run->edited : input->value;
		wrong = text_file_write(path, edited, length) != 0 ? no_file : NULL;
		free(edited);
	} else if (run->sources == FORTRAN_SOURCES) {
		free(path);
		run->texts[index] = NULL;
	} else if (run->command->source_count == 1) {
		return NULL;
	}
	if (wrong == NULL && run->sources == C_SOURCES && !means_the_same(run, input, path))
		wrong = "the text would then differ in more than schedules";
	return wrong;
}

/* Makes all texts. Returns what is wrong with the input at *wrong_input; NULL: nothing. */
static const char *make_texts(struct division_run *run, const char **wrong_input)
{
	const char *wrong = NULL;

	for (size_t i = 0; wrong == NULL && i < run->command->part_count; i++) {
		const struct command_part *part = &run->command->parts[i];
		if (part->role != ARGUMENT_INPUT || part->language == LANGUAGE_LINKER)
			continue;
		*wrong_input = part->value;
		wrong = make_text(run, i);
	}
	return wrong;
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

/* How gcc reads its text; clang 14 does not know the warning of line markers. */
static void add_form(struct division_run *run, struct words *words)
{
	static const char markers[] = "-Wno-gnu-line-marker";
	char *answer = NULL;

	if (run->compiler->kind == COMPILER_GCC) {
		words_add(words, "-fdirectives-only");
		/* It would leave out the flag. */
		setenv("CCACHE_DISABLE", "1", 0);
	} else if (has_word(run->command, "-pedantic")) {
		answer = compiler_ask(&run->watch, run->compiler,
		    (const char *const[]){"-Werror", markers, "-E", "-x", "c", "/dev/null", NULL});
	}
	if (answer != NULL)
		words_add(words, markers);
	free(answer);
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
		else
			add_part(
			    run, part, ~(unsigned)(DEPENDENCIES | ARGUMENT_LANGUAGE), true, &words);
	}
	words_add_list(&words, &run->additions->behind);
	if (run->sources == C_SOURCES)
		add_form(run, &words);
	int code = words_vector(&words) == NULL
		       ? -1
		       : process_run(&run->watch, run->compiler->program, words.items,
			     (struct process_streams){-1, -1, run->messages});
	words_finish(&words);
	return code;
}

static void report_undivided(const char *file, const char *why)
{
	report_warning(file,
	    "loops cannot get another schedule, because %s; compiled as they are: 'ompinst race "
	    "run' divides their iterations in few ways, and may miss races between neighbours",
	    why);
}

static int compile_original(struct division_run *run, const char *file, const char *wrong)
{
	struct words words = {0};

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
		report_undivided(file, wrong);
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

/*
 * Makes the texts and compiles them. *code: of the compiler, -1 if there is nothing to compile.
 * Returns what is wrong with *file; NULL: nothing, or the user has interrupted it.
 */
static const char *try_texts(struct division_run *run, int *code, const char **file)
{
	const char *wrong = no_file;

	run->edited = NULL;
	if (run->texts != NULL && run->messages >= 0 && run->scratch.folder != NULL &&
	    ftruncate(run->messages, 0) == 0 && lseek(run->messages, 0, SEEK_SET) == 0)
		wrong = make_texts(run, file);
	*code = -1;
	if (run->watch.interrupted != 0 || (wrong == NULL && run->edited == NULL))
		return NULL;
	if (wrong != NULL)
		return wrong;
	*code = compile_texts(run);
	if (*code == 0)
		show_messages(run);
	if (*code == 0 || run->watch.interrupted != 0)
		return NULL;
	*file = run->edited;
	return "the compiler does not take them with it";
}

/* Code around a simd loop may forbid the region that lanes need, so that they are left out then. */
static int run_steps(struct division_run *run)
{
	const char *file = NULL;
	int code;

	scratch_init(&run->scratch);
	run->lanes = run->compiler->kind == COMPILER_CLANG ? LANES_WITHOUT_ORDER : ALL_LANES;
	const char *wrong = try_texts(run, &code, &file);
	if (wrong == NULL)
		return code;
	run->lanes = NO_LANES;
	wrong = try_texts(run, &code, &file);
	if (wrong != NULL)
		return compile_original(run, file, wrong);
	if (run->watch.interrupted == 0)
		report_warning(file,
		    "lanes of simd loops cannot be divided, because the compiler does not take the "
		    "text with it; 'ompinst race run' does not see races between them");
	return code;
}

int divided_compile(const struct compiler *compiler, const struct command *command,
    const struct race_additions *additions)
{
	struct division_run run = {.compiler = compiler,
	    .command = command,
	    .additions = additions,
	    .sources = sources_of(command)};
	int code;

	if (!command->openmp || run.sources == OTHER_SOURCES ||
	    decision_is_configure_check(command))
		return -1;
	const char *obstacle = find_obstacle(&run);
	if (obstacle != NULL) {
		report_undivided(NULL, obstacle);
		return -1;
	}
	process_watch_open(&run.watch);
	run.texts = calloc(command->part_count, sizeof *run.texts);
	run.messages = text_file_memory();
	code = run_steps(&run);
	for (size_t i = 0; run.texts != NULL && i < command->part_count; i++)
		free(run.texts[i]);
	free(run.texts);
	if (run.messages >= 0)
		close(run.messages);
	scratch_finish(&run.scratch);
	process_watch_close(&run.watch);
	return code;
}
