/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `ompinst tune [options] COMMAND ARGUMENT...`: decides which settings make sense, searches among
 * them, and reports what is known at the end, also after a signal or when the budget is used up.
 */
#include "tune-command.h"

#include "construct-report.h"
#include "loop-order.h"
#include "patched-gain.h"
#include "program-search.h"
#include "runtime-loops.h"
#include "traced-gains.h"
#include "tune-report.h"
#include "worker.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { FOUND = 0, NOT_FOUND = 1, NOT_FOUND_OUT = 2, WIDTH = 100 };

/* Of regions in a run that is traced and replayed: some events each. */
#define VISITS_MOST 250000

struct session {
	struct tune_options options;
	const char *const *words; /* the command */
	struct program program;
	struct process_watch watch;
	pid_t starter; /* the process that the user has started, whose child does the work */
	struct tuned_machine machine;
	bool is_measurable;  /* by libpomp */
	bool is_predictable; /* the summary is of a run that can be traced and replayed */
	struct tuned_settings settings;
	struct tuned_runner runner;
	struct gain_result result;
	struct patched_gain patched;
	int exit_code;
};

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int fail(char *error)
{
	report_error(NULL, "%s", error != NULL ? error : "out of memory");
	free(error);
	return NOT_FOUND_OUT;
}

static void say_step(void *context, const char *what, size_t candidates)
{
	const struct session *session = context;

	if (!session->options.quiet)
		report_note(NULL, "%u runs so far; now %zu candidate%s %s", session->runner.runs,
		    candidates, candidates == 1 ? " is" : "s are", what);
}

static enum gain_measured measure(void *context, gain_set set, double *value)
{
	struct session *session = context;

	return tuned_runner_measure(&session->runner, set, value);
}

/* Writes one of the files of the report. */
static void write_file(const struct tune_report *report, const char *path,
    void (*print)(const struct tune_report *, FILE *))
{
	FILE *out = path != NULL ? fopen(path, "we") : NULL;

	if (path == NULL)
		return;
	if (out != NULL)
		print(report, out);
	if (out == NULL || ferror(out) != 0 || fclose(out) != 0)
		report_error(NULL, "cannot write '%s': %s", path, strerror(errno));
}

static void report(struct session *session)
{
	char *command = words_command_line((char *const *)(uintptr_t)session->words);
	const struct tune_report report = {
	    .options = &session->options,
	    .settings = &session->settings,
	    .runner = &session->runner,
	    .result = &session->result,
	    .command = command != NULL ? command : session->words[0],
	    .seconds = now() - session->runner.begin,
	    .others = other_load_end(&session->runner.others),
	    .patch = &session->patched.patch,
	    .patched = session->patched.trial,
	    .patch_problem = session->patched.problem,
	};

	if (session->options.json)
		tune_report_json(&report, stdout);
	else
		tune_report_text(&report, stdout, WIDTH);
	write_file(&report, session->options.output, tune_report_settings);
	write_file(&report, session->options.page, tune_report_page);
	if (tune_has_patch(&report))
		write_file(&report, session->options.patch, tune_report_patch);
	session->exit_code = session->result.best != 0 ? FOUND : NOT_FOUND;
	if (fflush(stdout) != 0)
		report_error(NULL, "cannot write the report: %s", strerror(errno));
	free(command);
}

/* About how many measurements the rest of the budget is enough for; 0: any number. */
static unsigned affordable(const struct session *session)
{
	const struct tune_options *options = &session->options;
	const struct tuned_runner *runner = &session->runner;
	double runs = options->budget_runs;

	if (options->budget_seconds > 0)
		runs = options->budget_seconds / fmax(runner->slowest, 1e-3);
	runs = (runs - runner->runs) / (double)runner->inputs.count;
	return runs < 1 ? 1 : runs > 1e6 ? 0 : (unsigned)runs;
}

/*
 * Makes the settings anew, with loops and regions by the summary; false with *error: it has none.
 * The time in a place bounds what it brings only if the elapsed time is what gets better.
 */
static bool order_by_summary(struct session *session, const char *path, char **error)
{
	const struct tune_options *options = &session->options;
	struct tuned_machine *machine = &session->machine;
	bool is_bounded = options->metric == NULL && options->region == NULL;
	struct ordered_places places = {.loops = &machine->listed,
	    .regions = &machine->regions,
	    .least_gain = is_bounded ? options->min_gain : 0};

	if (!loop_order_by_time(&places, path, error))
		return false;
	machine->short_places = places.removed;
	session->is_predictable = is_bounded && places.visits <= VISITS_MOST;
	machine->is_ordered = true;
	tuned_settings_finish(&session->settings);
	tuned_settings_make(&session->options, machine, &session->settings);
	return true;
}

/*
 * A program built by ompinst says itself which of its loops and regions take most time, and what
 * other schedules of its loops may bring. With several inputs that may be others each time.
 */
static void order_by_a_run(struct session *session)
{
	char *error = NULL;

	if (session->options.summary != NULL || session->options.inputs != NULL ||
	    !session->is_measurable)
		return;
	const char *path = tuned_runner_summarise(&session->runner);
	if (path != NULL)
		order_by_summary(session, path, &error);
	tuned_runner_forget_summary(&session->runner);
	if (session->is_predictable)
		traced_gains_choose(&session->settings, &session->runner);
	free(error);
}

/* In the second process. */
static int work(void *context)
{
	struct session *session = context;
	struct gain_subject subject = {
	    .least = log1p(session->options.min_gain),
	    .seed = session->options.seed,
	    .measure = measure,
	    .begin = say_step,
	    .context = session,
	};

	if (tuned_runner_open(&session->runner)) {
		order_by_a_run(session);
		subject.setting_count = session->settings.count;
		subject.excludes = session->settings.excludes;
		subject.affordable = affordable(session);
		gain_search(&subject, &session->result);
		patched_gain_find(&session->patched, &subject, &session->settings, &session->runner,
		    &session->result);
		/* Who has killed the process that was started expects no more of it. */
		if (getppid() == session->starter)
			report(session);
	} else if (session->runner.end != NULL) {
		report_error(NULL, "%s; nothing is tuned", session->runner.end);
	}
	tuned_runner_close(&session->runner);
	patched_gain_finish(&session->patched);
	tuned_settings_finish(&session->settings);
	words_finish(&session->machine.listed);
	words_finish(&session->machine.regions);
	words_finish(&session->machine.tasks);
	program_finish(&session->program);
	process_watch_close(&session->watch);
	return session->exit_code;
}

static void have_it_run(struct session *session)
{
	char *problem;

	session->runner = (struct tuned_runner){.options = &session->options,
	    .settings = &session->settings,
	    .program = &session->program,
	    .words = session->words,
	    .watch = &session->watch,
	    .input = -1};
	session->starter = getpid();
	int code = process_worker_run(&session->watch, work, session, session->words[0], &problem);
	if (code >= 0)
		session->exit_code = code;
	else if (problem != NULL || session->watch.interrupted == 0)
		fail(problem);
}

/* Input that comes through a pipe cannot be read by each run. */
static void warn_of_input(const struct session *session)
{
	struct stat status;

	if (session->options.input == NULL && fstat(STDIN_FILENO, &status) == 0 &&
	    S_ISFIFO(status.st_mode) && !session->options.quiet)
		report_note(NULL, "the program's standard input is empty: --stdin=FILE lets each "
				  "run read FILE, a pipe can be read once only");
}

/* Is the program linked with libpomp? */
static bool has_libpomp(const struct program *program)
{
	struct words names = {0};
	bool found = false;

	program_needs(program->path, &names);
	for (size_t i = 0; i < names.count; i++)
		found |= strncmp(names.items[i], "libpomp.so", strlen("libpomp.so")) == 0;
	words_finish(&names);
	return found;
}

/* False with *error: the summary cannot be read. */
static bool choose_settings(struct session *session, char **error)
{
	struct tuned_machine *machine = &session->machine;
	bool is_known = session->program.kind == PROGRAM_DYNAMIC &&
			strcmp(session->program.path, session->program.binary) == 0;

	tuned_machine_find(machine);
	machine->loops =
	    is_known ? runtime_loops_find(session->program.path, &machine->listed, &machine->tasks)
		     : RUNTIME_LOOPS_UNKNOWN;
	machine->has_loops = machine->listed.count > 0;
	session->is_measurable = is_known && has_libpomp(&session->program);
	if (session->options.summary != NULL)
		return order_by_summary(session, session->options.summary, error);
	tuned_settings_make(&session->options, machine, &session->settings);
	return true;
}

int tune_main(const char *const *words)
{
	static struct session session = {.exit_code = NOT_FOUND_OUT};
	char *error = NULL;
	int count = tune_options_read(words, &session.options, &error);

	if (count < 0)
		return fail(error);
	session.words = words + count;
	if (session.options.help) {
		tune_options_print_help(stdout);
		return 0;
	}
	if (session.words[0] == NULL) {
		report_error(NULL, "expected a program to run; see 'ompinst tune --help'");
		return NOT_FOUND_OUT;
	}
	if (program_find(session.words[0], &session.program, &error) != 0) {
		program_finish(&session.program);
		return fail(error);
	}
	if (!session.options.has_seed)
		session.options.seed = (unsigned)(now() * 1e3) % 1000000;
	program_examine(&session.program);
	if (!choose_settings(&session, &error))
		fail(error);
	else if (session.settings.failed)
		fail(NULL);
	else if (session.settings.count == 0)
		report_error(NULL, "no setting is left to try%s%s",
		    session.settings.left_out.count > 0 ? ": " : "",
		    session.settings.left_out.count > 0 ? session.settings.left_out.items[0] : "");
	else {
		warn_of_input(&session);
		have_it_run(&session);
	}
	tuned_settings_finish(&session.settings);
	words_finish(&session.machine.listed);
	words_finish(&session.machine.regions);
	words_finish(&session.machine.tasks);
	program_finish(&session.program);
	return session.exit_code;
}
