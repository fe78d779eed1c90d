/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes the instrumented source of one file next to it, FILE.mod.c for FILE.c. The user's
 * preprocessor, run on the file with the flags after `--`, shows which directives are compiled (one
 * in a false #if is not). Calls are added where directives appear in the file. Directives that come
 * from macros and headers are reported, so that the user knows what this file's calls do not cover.
 */
#include "source-mode.h"
#include "clang-headers.h"
#include "compiler.h"
#include "compiler-question.h"
#include "compiler-command.h"
#include "expansion.h"
#include "installation.h"
#include "child-process.h"
#include "construct-report.h"
#include "engine-process.h"
#include "scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define USAGE 2

/* One run over one source file. */
struct source_run {
	const struct options *options;
	const char *file;
	char *output; /* "-" is standard output */
	const char *const *flags;
	char *header_folder;
	bool cplusplus;
	struct compiler compiler;
	struct process_watch watch;
	struct scratch scratch;
	char *clang_headers; /* NULL: unknown */
	char *predefined;    /* a file: struct inst_input; NULL: unknown */
	char *preprocessed, *edited, *records;
	char *unused, *hidden_records; /* for the constructs that the file itself does not show */
};

/* Adds the folder of pomp.h, because the text itself may include it. */
static void add_header_folder(const struct source_run *run, struct words *words)
{
	if (run->header_folder == NULL)
		return;
	words_add(words, "-idirafter");
	words_add(words, run->header_folder);
}

/* Runs the user's preprocessor, which prints its messages to the user. */
static int preprocess(struct source_run *run)
{
	struct words words = {0};

	words_add_list(&words, &run->compiler.words);
	words_add(&words, "-fopenmp");
	words_add_all(&words, run->flags);
	words_add(&words, "-E");
	add_header_folder(run, &words);
	words_add(&words, run->file);
	int output = open(run->preprocessed, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	int code = output < 0 ? -1
			      : process_run(&run->watch, run->compiler.program,
				    words_vector(&words), (struct process_streams){-1, output, -1});
	close(output);
	words_finish(&words);
	return code;
}

/* Runs the engine on a text; the result is in the file text_path. */
static int run_engine(struct source_run *run, const struct inst_input *input, const char *text_path,
    const char *record_path, struct engine_result *result, char **error)
{
	const struct options *options = run->options;
	struct words arguments = {0};
	struct inst_input whole = *input;

	words_add(
	    &arguments, compiler_standard(&run->watch, &run->compiler, run->flags, run->cplusplus));
	words_add_all(&arguments, run->flags);
	add_header_folder(run, &arguments);
	whole.file_name = run->file;
	whole.cplusplus = run->cplusplus;
	whole.clang_arguments = (const char *const *)words_vector(&arguments);
	whole.clang_argument_count = arguments.count;
	whole.clang_headers = run->clang_headers;
	whole.predefined = run->predefined;
	int failed = whole.clang_arguments == NULL ||
		     engine_process_run(&run->watch, &whole, &options->engine, options->verbose,
			 text_path, record_path, result, error) != 0;
	words_finish(&arguments);
	return failed ? -1 : 0;
}

/*
 * Adds the constructs that the file itself does not show. The instrumented source is correct
 * without them, so if this fails, they are only missing in the report.
 */
static void find_hidden(struct source_run *run, const struct text_file *expanded,
    struct engine_result *result, struct engine_result *hidden)
{
	size_t visible = 0;

	const struct inst_input input = {
	    .form = INST_PREPROCESSED, .text = expanded->bytes, .length = expanded->length};
	char *error = NULL;

	for (size_t i = 0; i < result->construct_count; i++)
		visible += result->constructs[i].function == NULL;
	if (expansion_count_directives(expanded) <= visible && !run->options->engine.functions)
		return;
	if (run_engine(run, &input, run->unused, run->hidden_records, hidden, &error) == 0)
		expansion_add_hidden(result, hidden, run->file);
	free(error);
}

/* Writes the compiler's predefined macros to a file. Without them, libclang's own are used. */
static void find_macros(struct source_run *run)
{
	struct words flags = {0};
	char *macros = NULL, *path;

	words_add(&flags, "-fopenmp");
	words_add_all(&flags, run->flags);
	if (words_vector(&flags) != NULL)
		macros = compiler_macros(
		    &run->watch, &run->compiler, (const char *const *)flags.items, run->cplusplus);
	path = macros != NULL ? scratch_path(&run->scratch, 0, "macros.h") : NULL;
	if (path != NULL && text_file_write(path, macros, strlen(macros)) == 0)
		run->predefined = path;
	else
		free(path);
	free(macros);
	words_finish(&flags);
}

/* Runs the engine on the file or, with --preprocessed, on the preprocessor's output. */
static int instrument(struct source_run *run, const struct text_file *source,
    const struct text_file *expanded, struct engine_result *result, struct engine_result *hidden)
{
	bool preprocessed = run->options->preprocessed;
	const struct text_file *text = preprocessed ? expanded : source;
	struct expansion_lines lines = {0};
	char *error = NULL;
	int failed = expansion_find_active_lines(expanded, run->file, &lines);
	const struct inst_input input = {
	    .form = preprocessed ? INST_PREPROCESSED : INST_SOURCE,
	    .text = text->bytes,
	    .length = text->length,
	    .active_lines = lines.numbers,
	    .active_line_count = lines.count,
	    .active_directives = (const char *const *)lines.directives,
	};

	if (!preprocessed) {
		run->clang_headers = clang_headers_find(&run->watch, run->edited);
		find_macros(run);
	}
	if (failed == 0)
		failed = run_engine(run, &input, run->edited, run->records, result, &error);
	if (failed != 0 && run->watch.interrupted == 0)
		report_error(run->file, "cannot instrument: %s", error ? error : "out of memory");
	else if (failed == 0 && !preprocessed)
		find_hidden(run, expanded, result, hidden);
	free(error);
	expansion_lines_finish(&lines);
	return failed;
}

static int write_output(const struct source_run *run)
{
	struct text_file text;
	bool to_stdout = strcmp(run->output, "-") == 0;
	int failed = text_file_read(run->edited, &text);

	if (failed == 0 && to_stdout)
		failed = fwrite(text.bytes, 1, text.length, stdout) != text.length ||
			 fflush(stdout) != 0;
	else if (failed == 0)
		failed = text_file_replace(run->output, text.bytes, text.length);
	if (failed != 0)
		report_error(run->output, "cannot write: %s",
		    errno == EEXIST ? "it is not a regular file" : strerror(errno));
	text_file_finish(&text);
	return failed != 0 ? 1 : 0;
}

/* Performs the steps once everything is set up; returns the exit code. */
static int rewrite_file(struct source_run *run)
{
	struct text_file source = {0}, expanded = {0};
	struct engine_result result = {0}, hidden = {0};
	int code = preprocess(run);

	if (code != 0)
		return code < 0 ? 126 : code;
	if (text_file_read(run->file, &source) != 0 ||
	    text_file_read(run->preprocessed, &expanded) != 0) {
		report_error(run->file, "cannot read: %s", strerror(errno));
		code = 1;
	} else if (instrument(run, &source, &expanded, &result, &hidden) != 0) {
		code = 1;
	} else if (run->options->list != LIST_NONE) {
		report_list(run->options, &result);
	} else {
		size_t skipped = 0;
		char *report = report_constructs(run->options, run->file, &result, &skipped);
		report_text(report);
		free(report);
		if (result.written)
			report_warning(run->file,
			    "ompinst wrote this text, and its calls are in it; %s is a copy of it",
			    run->output);
		code = run->options->strict && skipped > 0 ? 1 : write_output(run);
	}
	engine_result_finish(&result);
	engine_result_finish(&hidden);
	text_file_finish(&source);
	text_file_finish(&expanded);
	return code;
}

/* FILE.mod.c for FILE.c, in the same folder; older instrumenters use the same name. */
static char *default_output(const struct source_run *run)
{
	const char *dot = strrchr(path_base(run->file), '.');
	int stem = (int)(dot - run->file);
	const char *suffix = dot;
	char *output = NULL;

	if (run->options->preprocessed)
		suffix = run->cplusplus ? ".ii" : ".i";
	return asprintf(&output, "%.*s.mod%s", stem, run->file, suffix) < 0 ? NULL : output;
}

/* Reads the words after FILE. Returns 0, or an exit code after an error was printed. */
static int read_words(struct source_run *run, const char *const *vector)
{
	for (vector++; *vector != NULL && strcmp(*vector, "--") != 0; vector++) {
		if (strcmp(*vector, "-o") != 0) {
			report_error(NULL,
			    "unexpected '%s' after %s: expected -o OUT or -- FLAGS; ompinst takes "
			    "one file, with its own options before it and the compiler's after --",
			    *vector, run->file);
			return USAGE;
		}
		if (vector[1] == NULL || strcmp(vector[1], "--") == 0) {
			report_error(
			    NULL, "option '-o' needs a file name, or - for standard output");
			return USAGE;
		}
		free(run->output);
		run->output = strdup(*++vector);
	}
	run->flags = *vector != NULL ? vector + 1 : vector;
	if (run->output == NULL)
		run->output = default_output(run);
	return run->output == NULL ? 1 : 0;
}

/*
 * The input must be readable; the output must be a different file, and a regular one if it exists.
 */
static int check_files(const struct source_run *run)
{
	struct stat input, output;

	if (stat(run->file, &input) != 0 || !S_ISREG(input.st_mode)) {
		report_error(run->file, "cannot read: %s",
		    errno ? strerror(errno) : "it is not a regular file");
		return 1;
	}
	if (strcmp(run->output, "-") == 0 || stat(run->output, &output) != 0)
		return 0;
	if (input.st_dev == output.st_dev && input.st_ino == output.st_ino) {
		report_error(run->output, "this is the input itself; name another with -o");
		return 1;
	}
	return 0;
}

static int find_compiler(struct source_run *run)
{
	const char *given = run->options->compiler ? run->options->compiler : getenv("OMPINST_CC");
	struct words words = {0};
	char *error = NULL;
	int code = 1;

	words_add_text(&words, given != NULL && given[strspn(given, " ")] != '\0' ? given : "cc");
	if (words_vector(&words) != NULL && compiler_find((const char *const *)words.items,
						SEARCH_ALL, &run->compiler, &error, &code) != 0)
		code = 0;
	else
		report_error(NULL, "%s", error ? error : "out of memory");
	free(error);
	words_finish(&words);
	return code;
}

int source_main(const struct options *options, const char *const *vector)
{
	struct source_run run = {.options = options, .file = vector[0]};
	enum language language = language_of_file(run.file, 0);
	int code;

	run.cplusplus = language == LANGUAGE_CXX;
	if (language != LANGUAGE_C && language != LANGUAGE_CXX) {
		report_error(run.file, "expected a C or C++ source file%s",
		    language == LANGUAGE_HEADER ? "; a header is instrumented where one includes it"
		    : language == LANGUAGE_C_PREPROCESSED || language == LANGUAGE_CXX_PREPROCESSED
			? "; the text is preprocessed: compile it with ompinst"
		    : language == LANGUAGE_FORTRAN
			? "; Fortran is measured through the OpenMP runtime: compile and link it "
			  "with ompinst"
			: "");
		return USAGE;
	}
	run.header_folder = locate_header();
	errno = 0;
	code = read_words(&run, vector);
	if (code == 0)
		code = check_files(&run);
	if (code == 0)
		code = find_compiler(&run);
	if (code == 0) {
		process_watch_open(&run.watch);
		if (scratch_init(&run.scratch) != 0) {
			report_error(NULL, "no temporary folder: %s", strerror(errno));
			code = 1;
		} else {
			run.preprocessed = scratch_path(&run.scratch, 0, "preprocessed");
			run.edited = scratch_path(&run.scratch, 0, "edited");
			run.records = scratch_path(&run.scratch, 0, "constructs");
			run.unused = scratch_path(&run.scratch, 1, "edited");
			run.hidden_records = scratch_path(&run.scratch, 1, "constructs");
			code = run.preprocessed && run.edited && run.records && run.unused &&
				       run.hidden_records
				   ? rewrite_file(&run)
				   : 1;
		}
		scratch_finish(&run.scratch);
		process_watch_close(&run.watch);
	}
	compiler_finish(&run.compiler);
	free(run.header_folder);
	free(run.clang_headers);
	free(run.predefined);
	free(run.preprocessed);
	free(run.edited);
	free(run.records);
	free(run.unused);
	free(run.hidden_records);
	free(run.output);
	return code;
}
