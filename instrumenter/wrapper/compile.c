/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Compiles one input with instrumentation, in three steps:
 *
 *   preprocess  the user's compiler and flags with -E; writes the .d file, too
 *   instrument  the engine, in a child process
 *   compile     the edited text with the remaining flags, into the user's output
 *
 * The messages of the two compiler runs are withheld, and no warning is an error there. What the
 * user reads, and whether -Werror fails, is what the compiler reports about the user's own file;
 * messages_choose_source() decides how to get that without compiling the file again.
 */
#include "compile.h"
#include "c-attributes.h"
#include "ignored-directives.h"
#include "compiler-question.h"
#include "compile-job.h"
#include "compiler-messages.h"
#include "construct-report.h"
#include "engine-process.h"
#include "link.h"
#include "openmp-warnings.h"
#include "shared/debug-log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct compile_result original(const char *format, const char *detail)
{
	struct compile_result result = {COMPILE_ORIGINAL};

	if (format != NULL && asprintf(&result.reason, format, detail) < 0)
		result.reason = NULL;
	return result;
}

/*
 * Runs `cc -E`, whose output is in the file job->preprocessed. Returns its exit code, or -1 with
 * errno. Dependency files belong to this step, because only here does the compiler see which
 * headers are included.
 */
static int preprocess(struct job *job)
{
	const struct command *command = &job->wrapper->command;
	struct words words = {0};

	wrapper_add_compiler(job->wrapper, &words);
	/*
	 * If nothing is linked, clang warns about a -lm; this step gets it, so that the warning
	 * appears.
	 */
	unsigned unused = command->mode == COMMAND_LINK ? 0 : ARGUMENT_LINK | ARGUMENT_LIBRARY;
	command_add(command, PREPROCESS_STEP | unused, &words);
	if ((command->roles & ARGUMENT_HIDDEN_OPENMP) != 0)
		words_add(&words, "-fopenmp");
	if ((command->roles & ARGUMENT_MACRO_DEBUG) != 0)
		words_add(&words, "-g");
	if (messages_depend_on_comments(job))
		words_add(&words, "-C");
	command_add_dependency_defaults(command, job->wrapper->compiler.kind == COMPILER_CLANG,
	    job->input, job->output, &words);
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

/* Does libclang have to parse the text? Without a directive, only to find functions. */
static bool may_need_parsing(const struct job *job)
{
	return job->wrapper->options->engine.functions ||
	       memmem(job->text.bytes, job->text.length, "omp", 3) != NULL;
}

/* The -std= for libclang if the user gives none. */
static const char *default_standard(struct job *job)
{
	struct wrapper *wrapper = job->wrapper;
	struct words flags = {0};
	const char *standard;

	if (may_need_parsing(job)) {
		words_add(&flags, "-fopenmp");
		command_add(&wrapper->command, EVERY_STEP, &flags);
	}
	standard = compiler_standard(&wrapper->watch, &wrapper->compiler,
	    (const char *const *)words_vector(&flags), job->cplusplus);
	words_finish(&flags);
	return standard;
}

/*
 * Adds what libclang needs to know. Of the machine flags, only those that change the language's
 * types: the macros in the text are already expanded, and libclang may not know the newest -march
 * of the user's compiler.
 */
static void add_clang_arguments(struct job *job, struct words *words)
{
	if (!command_add_language(&job->wrapper->command, words))
		words_add(words, default_standard(job));
}

static void add_prefix_maps(const struct command *command, struct words *maps)
{
	static const char *const options[] = {
	    "-ffile-prefix-map=", "-fmacro-prefix-map=", "-fdebug-prefix-map="};

	for (size_t i = 0; i < command->words.count; i++)
		for (size_t j = 0; j < sizeof options / sizeof options[0]; j++)
			if (strncmp(command->words.items[i], options[j], strlen(options[j])) == 0)
				words_add(maps, command->words.items[i] + strlen(options[j]));
}

/* LLVM's runtime reads run-sched-var for loops only when a region begins. */
static void choose_schedules(const struct job *job, struct inst_options *engine)
{
	engine->other_runtime = !link_wants_bundled(job->wrapper);
	if (!engine->tunable_loops || !engine->other_runtime ||
	    job->wrapper->compiler.kind != COMPILER_CLANG)
		return;
	engine->tunable_loops = false;
	report_warning(job->input->value,
	    "--tunable-loops has no effect: LLVM's runtime cannot change the schedule of a single "
	    "loop, the bundled one can (--runtime=bundled)");
}

static int instrument(struct job *job, struct engine_result *found, char **error)
{
	const struct options *options = job->wrapper->options;
	struct inst_options engine = options->engine;
	struct words arguments = {0}, maps = {0};

	add_clang_arguments(job, &arguments);
	add_prefix_maps(&job->wrapper->command, &maps);
	ignored_directives_find(job, &job->ignored);
	struct inst_input input = {
	    .form = INST_PREPROCESSED,
	    .text = job->text.bytes,
	    .length = job->text.length,
	    .file_name = job->input->value,
	    .cplusplus = job->cplusplus,
	    .c_attributes = c_attributes_are_taken(job),
	    .ignored = (const char *const *)job->ignored.items,
	    .ignored_count = job->ignored.count,
	    .serial = !job->wrapper->command.openmp,
	    .clang_arguments = (const char *const *)words_vector(&arguments),
	    .clang_argument_count = arguments.count,
	    .prefix_maps = (const char *const *)words_vector(&maps),
	    .prefix_map_count = maps.count,
	};
	choose_schedules(job, &engine);
	int failed = input.clang_arguments == NULL || maps.failed;
	if (failed == 0)
		failed = engine_process_run(&job->wrapper->watch, &input, &engine, options->verbose,
		    job->edited, job->records, found, error);
	if (options->lint != 0 && input.clang_arguments != NULL && options->list == LIST_NONE)
		openmp_warnings_print(&job->wrapper->watch, &input, options->lint, job->records);
	words_finish(&arguments);
	words_finish(&maps);
	return failed;
}

/* Adds the flags of the last step, in which warnings stay warnings even with -Werror. */
static void add_compile_flags(const struct command *command, struct words *words)
{
	/*
	 * A flag that reaches only the preprocessor has no effect when preprocessed text is
	 * compiled.
	 */
	if ((command->roles & ARGUMENT_HIDDEN_OPENMP) != 0)
		words_add(words, "-fopenmp");
	for (size_t i = 0; i < command->part_count; i++) {
		const struct command_part *part = &command->parts[i];
		const char *word = command->words.items[part->first];
		if (part->role == ARGUMENT_WARNING_ERROR) {
			if (strncmp(word, "-Werror=", 8) == 0)
				words_add_format(words, "-W%s", word + 8);
			else if (strcmp(word, "-pedantic-errors") == 0)
				words_add(words, "-pedantic");
			continue;
		}
		if ((part->role & COMPILE_STEP) == 0)
			continue;
		for (size_t j = 0; j < part->count; j++)
			words_add(words, command->words.items[part->first + j]);
	}
}

static const char *mode_word(const struct command *command)
{
	return command->mode == COMMAND_MODULE     ? "--precompile"
	       : command->mode == COMMAND_ASSEMBLY ? "-S"
						   : "-c";
}

static int compile_edited(struct job *job)
{
	const struct command *command = &job->wrapper->command;
	struct words words = {0};

	wrapper_add_compiler(job->wrapper, &words);
	add_compile_flags(command, &words);
	if (job->wrapper->compiler.kind == COMPILER_CLANG)
		words_add(&words, "-Qunused-arguments");
	words_add(&words, mode_word(command));
	words_add(&words, "-o");
	words_add(&words, job->output);
	words_add(&words, "-x");
	words_add(&words, job->input->language == LANGUAGE_MODULE ? "c++-module"
			  : job->cplusplus                        ? "c++-cpp-output"
								  : "cpp-output");
	words_add(&words, job->edited);
	int code = wrapper_run(job->wrapper, &words, -1, job->messages[1]);
	words_finish(&words);
	return code;
}

int compile_plain(struct wrapper *wrapper, const struct command_part *input, const char *output)
{
	struct words words = {0};

	if (wrapper->options->list != LIST_NONE)
		return 0;
	wrapper_add_compiler(wrapper, &words);
	/* If the command links in the end, clang would warn about a -lm here. */
	unsigned later =
	    wrapper->command.mode == COMMAND_LINK ? ARGUMENT_LINK | ARGUMENT_LIBRARY : 0;
	command_add(&wrapper->command, PLAIN_STEP & ~later, &words);
	job_add_header(&words);
	words_add(&words, mode_word(&wrapper->command));
	words_add(&words, "-o");
	words_add(&words, output);
	job_add_input(&words, input);
	int code = wrapper_run(wrapper, &words, -1, -1);
	words_finish(&words);
	return code;
}

/* Keeps the edited text: as FILE.mod.i for --keep, as FILE.i for the compiler's -save-temps. */
static void keep_text(struct job *job)
{
	const struct command *command = &job->wrapper->command;
	const char *named =
	    command->mode == COMMAND_LINK && (command->roles & ARGUMENT_SAVE_TEMPS) == 0
		? path_base(job->input->value)
		: job->output;
	const char *dot = strrchr(path_base(named), '.');
	int stem = dot != NULL ? (int)(dot - named) : (int)strlen(named);
	const char *suffix = job->cplusplus ? "ii" : "i";
	struct text_file text;
	char *paths[2] = {NULL, NULL};

	if (job->wrapper->options->keep &&
	    asprintf(&paths[0], "%.*s.mod.%s", stem, named, suffix) < 0)
		paths[0] = NULL;
	if ((command->roles & ARGUMENT_SAVE_TEMPS) != 0 &&
	    asprintf(&paths[1], "%.*s.%s", stem, named, suffix) < 0)
		paths[1] = NULL;
	if ((paths[0] != NULL || paths[1] != NULL) && text_file_read(job->edited, &text) == 0) {
		for (size_t i = 0; i < 2; i++)
			if (paths[i] != NULL &&
			    text_file_replace(paths[i], text.bytes, text.length) != 0)
				report_warning(
				    NULL, "cannot write %s: %s", paths[i], strerror(errno));
		text_file_finish(&text);
	}
	free(paths[0]);
	free(paths[1]);
}

/*
 * Compiles the edited text and shows the original's messages. Returns COMPILE_DONE, or the outcome
 * that prevents it.
 */
static struct compile_result compile_both(struct job *job)
{
	if (compile_edited(job) != 0)
		return original("the instrumented text does not compile%s",
		    job->wrapper->options->keep ? "" : " (--keep shows it)");
	enum messages_source source = messages_choose_source(job);
	DEBUG_LOG(decide, "%s: messages are %s", job->input->value,
	    (const char *const[]){"none", "those of the edited text", "asked of the parser",
		"asked of the whole compiler"}[source]);
	job_remove_files(job);
	int code = messages_show(job, source);
	if (code != 0) {
		text_file_remove(job->output);
		return (struct compile_result){COMPILE_FAILED, .code = code};
	}
	return (struct compile_result){COMPILE_DONE};
}

/* For --strict, if something was skipped: an error, unless the compiler itself reports one. */
static struct compile_result refuse(struct job *job, const char *report)
{
	job_remove_files(job);
	int code = messages_show(job, MESSAGES_OF_COMPILER);

	if (code == 0)
		report_text(report);
	return (struct compile_result){COMPILE_FAILED, .code = code != 0 ? code : 1};
}

/*
 * Compiles text that ompinst wrote as it is, because the user's own command might not find its
 * pomp.h.
 */
static struct compile_result compile_written(struct job *job)
{
	int code = compile_plain(job->wrapper, job->input, job->output);

	return (struct compile_result){code == 0 ? COMPILE_DONE : COMPILE_FAILED, .code = code};
}

/* Runs the steps after preprocessing. */
static struct compile_result instrument_and_compile(struct job *job)
{
	const struct options *options = job->wrapper->options;
	struct compile_result result;
	struct engine_result found;
	size_t skipped = 0;
	char *error = NULL;

	if (instrument(job, &found, &error) != 0) {
		result = original("%s", error != NULL ? error : "out of memory");
		free(error);
		return result;
	}
	if (options->list == LIST_NONE)
		keep_text(job);
	char *report = report_constructs(options, job->input->value, &found, &skipped);
	if (options->list != LIST_NONE) {
		report_list(options, &found);
		result = (struct compile_result){COMPILE_DONE};
	} else if (options->strict && skipped > 0) {
		result = refuse(job, report);
	} else {
		result = found.edit_count > 0 ? compile_both(job)
			 : found.written      ? compile_written(job)
					      : original(NULL, NULL);
		if (result.outcome == COMPILE_DONE)
			report_text(report);
		/* If instrumentation failed in the end, its report would only confuse. */
		if (result.outcome == COMPILE_ORIGINAL && result.reason == NULL) {
			result.report = report;
			report = NULL;
		}
	}
	free(report);
	engine_result_finish(&found);
	return result;
}

static struct compile_result run_steps(struct job *job)
{
	bool ready = job->input->language == LANGUAGE_C_PREPROCESSED ||
		     job->input->language == LANGUAGE_CXX_PREPROCESSED;
	const char *path;

	if (job_init(job) != 0)
		return original("cannot make temporary files: %s", strerror(errno));
	path = ready && strcmp(job->input->value, "-") != 0 ? job->input->value : job->preprocessed;
	if (job->wrapper->options->dry_run) {
		if (!ready)
			preprocess(job);
		printf("# instrument %s\n", path);
		compile_edited(job);
		return (struct compile_result){COMPILE_DONE};
	}
	/* The original will fail at the same place, with a better message. */
	int code = ready ? 0 : preprocess(job);
	if (code < 0)
		return original("it cannot be preprocessed: %s", strerror(errno));
	if (code > 0)
		return original("%s", "it cannot be preprocessed");
	if (ready ? job_read_input(job, &job->text) != 0 : text_file_read(path, &job->text) != 0)
		return original("cannot read the preprocessed text: %s", strerror(errno));
	return instrument_and_compile(job);
}

struct compile_result compile_input(
    struct wrapper *wrapper, size_t number, const struct command_part *input, const char *output)
{
	struct job job = {
	    .wrapper = wrapper,
	    .messages = {-1, -1},
	    .input = input,
	    .output = output,
	    .number = number,
	    .cplusplus = input->language == LANGUAGE_CXX || input->language == LANGUAGE_MODULE ||
			 input->language == LANGUAGE_CXX_PREPROCESSED,
	};
	struct compile_result result = run_steps(&job);

	job_finish(&job);
	return result;
}
