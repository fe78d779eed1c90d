/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A run has its own output in memory, reads the same input as each other, and must end in time and
 * with the expected status. libpomp in a program measures nothing here unless the user wants it to.
 */
#include "tuned-run.h"

#include "descendants.h"
#include "limited-run.h"
#include "program-search.h"
#include "region-time.h"
#include "shared/array.h"
#include "text-file.h"
#include "tuned-variables.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { TIMES_THE_SLOWEST = 5, SHORTEST_LIMIT = 10, FIRST_LIMIT = 600, MOST_REPEATED = 3 };

/* A setting that may help a program that overflows the stack of a thread. */
#define LARGE_STACK "OMP_STACKSIZE=256M"

/* One run, and what became of it. */
struct outcome {
	struct limited_run run;
	double value;  /* its logarithm is what gets better, by being less */
	char *output;  /* heap: as far as compared */
	char *problem; /* heap: why the run does not count, as a predicate */
	bool is_over;
};

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* A heap string that is never NULL after success; memory that ran out gives NULL. */
__attribute__((format(printf, 1, 2))) static char *text_of(const char *format, ...)
{
	va_list arguments;
	char *text = NULL;

	va_start(arguments, format);
	if (vasprintf(&text, format, arguments) < 0)
		text = strdup("failed, and memory ran out");
	va_end(arguments);
	return text;
}

/* How long a run may take, in seconds. */
static double limit_of(const struct tuned_runner *runner)
{
	double by_unchanged = TIMES_THE_SLOWEST * runner->slowest;

	if (runner->options->run_seconds != 0)
		return runner->options->run_seconds;
	if (runner->slowest <= 0)
		return runner->options->budget_seconds > 0 ? runner->options->budget_seconds
							   : FIRST_LIMIT;
	return by_unchanged > SHORTEST_LIMIT ? by_unchanged : SHORTEST_LIMIT;
}

/* What is run for the set: the command's program, or one that was built for it. */
static const char *program_of(const struct tuned_runner *runner, gain_set set)
{
	return runner->built == NULL ? runner->program->path
				     : runner->built[(set & runner->patched) != 0];
}

static void make_command(
    const struct tuned_runner *runner, const char *program, size_t input, struct words *command)
{
	bool by_shell = runner->program->kind == PROGRAM_TEXT;

	if (by_shell)
		words_add(command, "sh");
	words_add(command, by_shell || runner->built != NULL ? program : runner->words[0]);
	words_add_all(command, runner->words + 1);
	words_add_list(command, &runner->inputs.lines[input]);
}

/* Those with which a program built by ompinst writes its summary to the file. */
static void add_summary_variables(const char *path, struct words *variables)
{
	words_add(variables, "POMP_DISABLE=no");
	words_add(variables, "POMP_ENABLE_PROFILING=yes");
	words_add(variables, "POMP_ENABLE_TRACING=no");
	words_add(variables, "POMP_SAMPLING=off");
	words_add(variables, "POMP_SUMMARY_FORMAT=csv");
	words_add_format(variables, "POMP_SUMMARY=%s", path);
}

/* Those with which it writes a trace in the folder `path` alone. */
static void add_trace_variables(const char *path, struct words *variables)
{
	words_add(variables, "POMP_DISABLE=no");
	words_add(variables, "POMP_ENABLE_PROFILING=no");
	words_add(variables, "POMP_ENABLE_TRACING=yes");
	words_add(variables, "POMP_SAMPLING=off");
	words_add(variables, "POMP_SUMMARY=off");
	words_add_format(variables, "POMP_EXPERIMENT_DIRECTORY=%s", path);
}

static void make_environment(
    const struct tuned_runner *runner, const struct words *variables, struct words *environment)
{
	struct words all = {0};

	words_add_list(&all, variables);
	if (runner->archive != NULL)
		add_trace_variables(runner->archive, &all);
	else if (runner->summary != NULL)
		add_summary_variables(runner->summary, &all);
	else if (getenv("POMP_DISABLE") == NULL)
		words_add(&all, "POMP_DISABLE=yes");
	tuned_variables_environment(&all, environment);
	environment->failed |= all.failed;
	words_finish(&all);
}

/* Runs the program with its output in memory. Returns 0, or an errno. */
static int execute(struct tuned_runner *runner, const char *program, const struct words *variables,
    size_t input, int output, int error, struct limited_run *run)
{
	struct words command = {0}, environment = {0};

	make_command(runner, program, input, &command);
	make_environment(runner, variables, &environment);
	if (runner->summary != NULL && runner->archive == NULL)
		text_file_remove(runner->summary);
	struct process_start start = {
	    .program = runner->program->kind == PROGRAM_TEXT ? "/bin/sh" : program,
	    .arguments = words_vector(&command),
	    .environment = words_vector(&environment),
	    .streams = {runner->input, output, error},
	};
	int problem = ENOMEM;
	if (lseek(runner->input, 0, SEEK_SET) < 0 && errno != ESPIPE)
		problem = errno;
	else if (start.arguments != NULL && start.environment != NULL) {
		process_log_command("tries", program, start.arguments);
		problem = process_run_limited(runner->watch, &start, limit_of(runner), run);
	}
	/* What a program leaves running would disturb the next run. */
	descendants_end(getpgrp());
	runner->runs++;
	words_finish(&command);
	words_finish(&environment);
	return problem;
}

static char *problem_of_end(const struct tuned_runner *runner, const struct limited_run *run)
{
	switch (run->end) {
	case LIMITED_EXITED:
		if ((unsigned)run->status != runner->options->status)
			return text_of("ended with exit status %d, expected %u", run->status,
			    runner->options->status);
		break;
	case LIMITED_KILLED:
		return text_of("was ended by signal %d (%s)", run->status, strsignal(run->status));
	case LIMITED_TOO_LONG:
		return text_of("did not end within %.0f s", limit_of(runner));
	case LIMITED_INTERRUPTED:
		break;
	}
	return NULL;
}

/* Reads the number that is to get better; sets value or problem. */
static void read_metric(const struct tuned_runner *runner, const struct text_file *output,
    const struct text_file *error, struct outcome *outcome)
{
	char *number = tuned_output_number(&runner->patterns, output->bytes), *end;

	if (number == NULL)
		number = tuned_output_number(&runner->patterns, error->bytes);
	if (number == NULL) {
		outcome->problem =
		    text_of("printed no line that matches '%s'", runner->patterns.metric_text);
		return;
	}
	double value = strtod(number, &end);
	if (end == number || *end != '\0' || !(value > 0) || !isfinite(value))
		outcome->problem =
		    text_of("printed '%s' as the metric, expected a number above 0", number);
	else
		outcome->value = runner->options->larger ? 1 / value : value;
	free(number);
}

/* The last line of the text that is not empty, as in ": 'LINE'" (heap). */
static char *last_line(char *text)
{
	size_t length = strlen(text);

	while (length > 0 && (text[length - 1] == '\n' || text[length - 1] == ' '))
		text[--length] = '\0';
	const char *line = strrchr(text, '\n');
	line = line != NULL ? line + 1 : text;
	return line[0] != '\0' ? text_of(" and printed '%.200s' last", line) : strdup("");
}

/* Evaluates what the run has printed. */
static void evaluate(
    const struct tuned_runner *runner, int output, int error, struct outcome *outcome)
{
	struct text_file texts[2] = {{0}};

	if (outcome->run.end == LIMITED_INTERRUPTED) {
		outcome->is_over = true;
		return;
	}
	if (text_file_read_descriptor(output, &texts[0]) != 0 ||
	    text_file_read_descriptor(error, &texts[1]) != 0) {
		outcome->problem =
		    text_of("printed what cannot be kept in memory: %s", strerror(errno));
	} else if ((outcome->problem = problem_of_end(runner, &outcome->run)) != NULL) {
		char *line = last_line(texts[1].bytes), *what = outcome->problem;
		outcome->problem = text_of("%s%s", what, line != NULL ? line : "");
		free(line);
		free(what);
	} else {
		outcome->value = outcome->run.seconds;
		outcome->output = tuned_output_compared(&runner->patterns, texts[0].bytes);
		if (runner->options->region != NULL)
			outcome->value = region_time_read(
			    runner->summary, runner->options->region, &outcome->problem);
		if (runner->patterns.metric_text != NULL)
			read_metric(runner, &texts[0], &texts[1], outcome);
		if (outcome->output == NULL && outcome->problem == NULL)
			outcome->problem = text_of("printed more than memory can hold");
	}
	text_file_finish(&texts[0]);
	text_file_finish(&texts[1]);
}

/* Runs the program once with the variables, and evaluates that. */
static struct outcome run_once(
    struct tuned_runner *runner, const char *program, const struct words *variables, size_t input)
{
	struct outcome outcome = {.is_over = false};
	int output = text_file_memory(), error = text_file_memory();
	int problem = output < 0 || error < 0
			  ? errno
			  : execute(runner, program, variables, input, output, error, &outcome.run);

	if (problem != 0) {
		char *why = program_problem_text(program, problem);
		outcome.problem = text_of("cannot be run: %s", why != NULL ? why : "no memory");
		free(why);
	} else {
		evaluate(runner, output, error, &outcome);
	}
	if (output >= 0)
		close(output);
	if (error >= 0)
		close(error);
	return outcome;
}

static void finish_outcome(struct outcome *outcome)
{
	free(outcome->output);
	free(outcome->problem);
}

static bool is_used_up(const struct tuned_runner *runner)
{
	const struct tune_options *options = runner->options;

	return (options->budget_runs != 0 && runner->runs >= options->budget_runs) ||
	       (options->budget_seconds > 0 && now() - runner->begin >= options->budget_seconds);
}

/* Would a program that is ended like this get along with larger stacks? */
static bool needs_stack(struct tuned_runner *runner, const struct outcome *outcome, size_t input)
{
	struct words variables = {0};

	if (outcome->run.end != LIMITED_KILLED || outcome->run.status != SIGSEGV)
		return false;
	words_add(&variables, LARGE_STACK);
	struct outcome again = run_once(runner, runner->program->path, &variables, input);
	bool helped = again.problem == NULL && !again.is_over;
	finish_outcome(&again);
	words_finish(&variables);
	return helped;
}

/* The unchanged program does not do what it should. */
static void give_up(struct tuned_runner *runner, struct outcome *outcome, size_t input)
{
	char *of_input = runner->inputs.count > 1 ? text_of(" with input %zu", input + 1) : NULL;
	bool is_first = runner->runs <= 1;
	const char *advice = "";

	if (outcome->is_over)
		return;
	if (is_first && needs_stack(runner, outcome, input))
		advice = "; with " LARGE_STACK " it does not: set that, and tune it then";
	else if (is_first && outcome->run.end == LIMITED_EXITED && outcome->run.status != 0 &&
		 runner->options->input == NULL)
		advice = "; its standard input is empty unless --stdin=FILE names a file, and "
			 "--status=N says which exit status is expected";
	else if (outcome->run.end == LIMITED_TOO_LONG)
		advice = "; --run-time=SECONDS and --budget=TIME give it more";
	runner->end = text_of("'%s', unchanged%s, %s%s", runner->words[0],
	    of_input != NULL ? of_input : "", outcome->problem, advice);
	free(of_input);
}

/* Keeps what the first unchanged run printed, and compares that of later ones. */
static void keep_unchanged(struct tuned_runner *runner, struct outcome *outcome, size_t input)
{
	written_files_note(&runner->written[input], &runner->folder);
	if (outcome->run.seconds > runner->slowest)
		runner->slowest = outcome->run.seconds;
	if (runner->unchanged[input] == NULL) {
		runner->unchanged[input] = outcome->output;
		outcome->output = NULL;
	} else if (runner->unsteady == NULL && outcome->output != NULL &&
		   strcmp(runner->unchanged[input], outcome->output) != 0) {
		runner->unsteady =
		    tuned_output_difference(outcome->output, runner->unchanged[input]);
	}
}

static void refuse(struct tuned_runner *runner, gain_set set, char *why)
{
	struct tuned_refusal refusal = {set, why};

	if (tuned_runner_refusal(runner, set) != NULL ||
	    !ARRAY_PUSH(runner->refusals, runner->refusal_count, runner->refusal_room, refusal))
		free(why);
}

/* Why the run of a changed program does not count (heap), or NULL. */
static char *take_problem(const struct tuned_runner *runner, struct outcome *outcome, size_t input)
{
	char *problem = outcome->problem;

	outcome->problem = NULL;
	if (problem != NULL)
		return problem;
	if (runner->unsteady != NULL || strcmp(outcome->output, runner->unchanged[input]) == 0)
		return written_files_difference(&runner->written[input]);
	char *difference = tuned_output_difference(outcome->output, runner->unchanged[input]);
	problem = text_of("prints other output: %s", difference != NULL ? difference : "");
	free(difference);
	return problem;
}

/*
 * A busy machine may keep an unchanged run from ending in time though others did. It is repeated:
 * without it the unchanged program seems faster, and no gain larger.
 */
static bool is_to_repeat(
    struct tuned_runner *runner, gain_set set, size_t input, const struct outcome *outcome)
{
	if (set != 0 || outcome->problem == NULL || outcome->run.end != LIMITED_TOO_LONG ||
	    runner->unchanged[input] == NULL || runner->repeated == MOST_REPEATED ||
	    is_used_up(runner))
		return false;
	runner->repeated++;
	return true;
}

/* Runs the set with one input; adds the logarithm of its value. */
static enum gain_measured measure_input(
    struct tuned_runner *runner, gain_set set, size_t input, double *value)
{
	struct words variables = {0};
	enum gain_measured measured = GAIN_MEASURED;
	char *problem = NULL;

	if (is_used_up(runner))
		return GAIN_ENDED;
	tuned_settings_variables(runner->settings, set, &variables);
	struct outcome outcome = run_once(runner, program_of(runner, set), &variables, input);
	while (is_to_repeat(runner, set, input, &outcome)) {
		finish_outcome(&outcome);
		outcome = run_once(runner, program_of(runner, set), &variables, input);
	}
	if (outcome.is_over || (set == 0 && outcome.problem != NULL)) {
		give_up(runner, &outcome, input);
		measured = GAIN_ENDED;
	} else if (set == 0) {
		keep_unchanged(runner, &outcome, input);
	} else if ((problem = take_problem(runner, &outcome, input)) != NULL) {
		refuse(runner, set, problem);
		measured = GAIN_EXCLUDED;
	}
	if (measured == GAIN_MEASURED)
		*value += log(outcome.value > 0 ? outcome.value : 1e-9);
	finish_outcome(&outcome);
	words_finish(&variables);
	return measured;
}

enum gain_measured tuned_runner_measure(void *context, gain_set set, double *value)
{
	struct tuned_runner *runner = context;
	enum gain_measured measured = GAIN_MEASURED;

	*value = 0;
	for (size_t i = 0; i < runner->inputs.count && measured == GAIN_MEASURED; i++)
		measured = measure_input(runner, set, i, value);
	*value /= (double)runner->inputs.count;
	runner->is_over |= measured == GAIN_ENDED;
	return measured;
}

const char *tuned_runner_refusal(const struct tuned_runner *runner, gain_set set)
{
	for (size_t i = 0; i < runner->refusal_count; i++)
		if (runner->refusals[i].set == set)
			return runner->refusals[i].why;
	return NULL;
}

/* A file in standard input is read by each run; anything else is not. */
static bool open_input(struct tuned_runner *runner)
{
	struct stat status;
	const char *path = runner->options->input;

	if (path == NULL)
		path = fstat(STDIN_FILENO, &status) == 0 && S_ISREG(status.st_mode) ? "/dev/stdin"
										    : "/dev/null";
	runner->input = open(path, O_RDONLY | O_CLOEXEC);
	if (runner->input < 0)
		runner->end = text_of(
		    "cannot read '%s', the program's standard input: %s", path, strerror(errno));
	return runner->input >= 0;
}

/* The place for the summaries of runs. */
static bool open_summary(struct tuned_runner *runner)
{
	if (scratch_init(&runner->scratch) == 0)
		runner->summary = scratch_path(&runner->scratch, 0, "summary.csv");
	if (runner->summary == NULL)
		runner->end = text_of("no summary can be written: %s", strerror(errno));
	return runner->summary != NULL;
}

const char *tuned_runner_summarise(struct tuned_runner *runner)
{
	struct words none = {0};

	if (is_used_up(runner) || (runner->summary == NULL && !open_summary(runner)))
		return NULL;
	struct outcome outcome = run_once(runner, runner->program->path, &none, 0);
	bool is_done = outcome.problem == NULL && !outcome.is_over;
	runner->is_over |= outcome.is_over;
	finish_outcome(&outcome);
	return is_done ? runner->summary : NULL;
}

void tuned_runner_forget_summary(struct tuned_runner *runner)
{
	if (runner->options->region != NULL)
		return;
	scratch_finish(&runner->scratch);
	free(runner->summary);
	runner->summary = NULL;
}

char *tuned_runner_trace(struct tuned_runner *runner, const struct scratch *scratch)
{
	struct words none = {0};

	if (is_used_up(runner))
		return NULL;
	runner->archive = scratch_path(scratch, 0, "trace");
	if (runner->archive == NULL)
		return NULL;
	struct outcome outcome = run_once(runner, runner->program->path, &none, 0);
	bool is_done = outcome.problem == NULL && !outcome.is_over;
	char *archive = runner->archive;
	runner->is_over |= outcome.is_over;
	runner->archive = NULL;
	finish_outcome(&outcome);
	if (is_done)
		return archive;
	free(archive);
	return NULL;
}

bool tuned_runner_open(struct tuned_runner *runner)
{
	const gain_set unchanged = 0;
	double value;

	runner->begin = now();
	other_load_begin(&runner->others);
	if (!open_input(runner) || (runner->options->region != NULL && !open_summary(runner)) ||
	    !input_list_read(runner->options->inputs, &runner->inputs, &runner->end))
		return false;
	runner->unchanged = calloc(runner->inputs.count, sizeof runner->unchanged[0]);
	runner->written = calloc(runner->inputs.count, sizeof runner->written[0]);
	if (runner->unchanged == NULL || runner->written == NULL ||
	    !tuned_patterns_make(runner->options, &runner->patterns)) {
		runner->end = text_of("out of memory");
		return false;
	}
	folder_state_read(&runner->folder);
	for (int i = 0; i < 2; i++)
		if (tuned_runner_measure(runner, unchanged, &value) != GAIN_MEASURED) {
			if (runner->end == NULL && runner->watch->interrupted == 0)
				runner->end = text_of("the budget is used up by the first %u runs "
						      "of the unchanged program",
				    runner->runs);
			return false;
		}
	return true;
}

void tuned_runner_close(struct tuned_runner *runner)
{
	if (runner->input >= 0)
		close(runner->input);
	for (size_t i = 0; i < runner->inputs.count; i++) {
		if (runner->unchanged != NULL)
			free(runner->unchanged[i]);
		if (runner->written != NULL)
			written_files_finish(&runner->written[i]);
	}
	for (size_t i = 0; i < runner->refusal_count; i++)
		free(runner->refusals[i].why);
	free(runner->refusals);
	input_list_finish(&runner->inputs);
	free(runner->unchanged);
	free(runner->written);
	folder_state_finish(&runner->folder);
	scratch_finish(&runner->scratch);
	free(runner->summary);
	free(runner->unsteady);
	free(runner->end);
	tuned_patterns_finish(&runner->patterns);
}
