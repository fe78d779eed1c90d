/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `ompinst race run [options] PROGRAM ARGUMENT...`: examines whether races can be found in the
 * program, runs it as the table of runs says, and reports. If a step fails, the report says so and
 * has the races that were found before.
 */
#include "race-run.h"

#include "collection.h"
#include "construct-report.h"
#include "run-environment.h"
#include "examination.h"
#include "fix-offer.h"
#include "fixed-addresses.h"
#include "input-list.h"
#include "installation.h"
#include "kept-input.h"
#include "kept-output.h"
#include "limited-run.h"
#include "loader-path.h"
#include "outcome.h"
#include "program-search.h"
#include "race-report.h"
#include "run-ends.h"
#include "run-files.h"
#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	FOUND_NONE = 0,
	FOUND_RACES = 1,
	NOT_FOUND_OUT = 2,
	SHORTEST_LIMIT = 60, /* seconds that any run may take */
	TIMES_THE_FIRST = 20,
};

struct session {
	struct race_options options;
	const char *const *words; /* the program and its arguments */
	struct program program;
	struct race_examination examination;
	struct race_preload preload;
	struct scratch scratch;
	struct process_watch watch;
	pid_t starter; /* the process that the user has started, whose child does the work */
	struct race_input input;  /* standard input */
	struct input_list inputs; /* arguments behind those of the command; at least one list */
	const char **input_texts; /* with --inputs: what each is called */
	struct words names;
	FILE *out; /* where the report goes, or NULL: standard streams */
	struct inst_arena arena;
	struct race_reports reports;
	struct race_run *runs;
	unsigned run_count;
	const char **outputs; /* of the runs, for --results; NULL: missing */
	int kept_output;      /* of the run that goes on, or -1 */
	struct race_results results;
	double begin;
	struct race_code *code;
	struct race_sources sources;
	struct race_triage triage;
	int exit_code;
};

static double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The words with argv[0] as the user wrote it; in front of a text without "#!", the shell. */
static void add_command(const struct session *session, unsigned input, struct words *command)
{
	const bool by_shell = session->program.kind == PROGRAM_TEXT;

	if (by_shell)
		words_add(command, "sh");
	words_add(command, by_shell ? session->program.path : session->words[0]);
	words_add_all(command, session->words + 1);
	words_add_list(command, &session->inputs.lines[input]);
}

/* Is it the first run with its input? Those come before all others. */
static bool is_first(const struct session *session, unsigned index)
{
	return index == session->runs[index].input;
}

/* Opens what the program's later runs write to. */
static int open_nowhere(void)
{
	return open("/dev/null", O_WRONLY | O_CLOEXEC);
}

/* --results without a file: what a run prints is kept. */
static bool keeps_output(const struct session *session)
{
	return session->options.results && session->options.results_file == NULL;
}

/* What the run has left to be compared, and what the user sees of the first. */
static void take_output(struct session *session, unsigned index)
{
	if (session->options.results_file != NULL)
		session->outputs[index] =
		    race_output_file(&session->arena, session->options.results_file);
	if (session->kept_output < 0)
		return;
	session->outputs[index] = race_output_text(&session->arena, session->kept_output);
	if (index == 0)
		race_output_show(session->kept_output);
	close(session->kept_output);
	session->kept_output = -1;
}

/* How long the run may take; 0: as long as it wants. */
static double limit_of(const struct session *session, unsigned index)
{
	double by_first = TIMES_THE_FIRST * session->runs[session->runs[index].input].seconds;

	if (session->options.run_seconds != 0)
		return session->options.run_seconds;
	if (is_first(session, index))
		return 0;
	return by_first > SHORTEST_LIMIT ? by_first : SHORTEST_LIMIT;
}

/* Runs the program, and fills in how that ended. Returns 0, or an errno. */
static int execute(
    struct session *session, unsigned index, const struct process_start *program, double total)
{
	struct race_run *run = &session->runs[index];
	double limit = limit_of(session, index);
	bool all_is_shorter = total > 0 && (limit == 0 || total < limit);
	struct limited_run limited = {0};
	int problem =
	    process_run_limited(&session->watch, program, all_is_shorter ? total : limit, &limited);

	if (problem != 0)
		return problem;
	run->end = limited.end == LIMITED_EXITED        ? RACE_EXITED
		   : limited.end == LIMITED_KILLED      ? RACE_KILLED
		   : limited.end == LIMITED_INTERRUPTED ? RACE_INTERRUPTED
		   : all_is_shorter                     ? RACE_OUT_OF_TIME
							: RACE_HUNG;
	run->status = limited.status;
	run->seconds = limited.seconds;
	return 0;
}

static int start(struct session *session, unsigned index, const struct words *command,
    const struct words *environment)
{
	const double used = now() - session->begin, all = session->options.seconds;
	int nowhere = is_first(session, index) ? -1 : open_nowhere();
	session->kept_output = keeps_output(session) ? race_output_open() : -1;
	struct process_start program = {
	    .program = session->program.kind == PROGRAM_TEXT ? "/bin/sh" : session->program.path,
	    .arguments = words_vector(command),
	    .environment = words_vector(environment),
	    .streams =
		{
		    .input = index > 0 ? race_input_again(&session->input) : session->input.first,
		    .output = session->kept_output >= 0 ? session->kept_output : nowhere,
		    .error = nowhere,
		},
	};

	int problem = program.arguments == NULL || program.environment == NULL
			  ? ENOMEM
			  : execute(session, index, &program,
				all == 0     ? 0
				: all > used ? all - used
					     : 0.001);
	if (index == 0)
		race_input_end_first(&session->input);
	else if (program.streams.input >= 0)
		close(program.streams.input);
	if (nowhere >= 0)
		close(nowhere);
	return problem;
}

/* The folder of a run's logs (the arena's), which is made; NULL with errno. */
static const char *log_folder(struct session *session, unsigned index)
{
	char *path = scratch_path(&session->scratch, index, "");

	if (path == NULL)
		return NULL;
	path[strlen(path) - 1] = '\0';
	const char *copy = arena_copy(&session->arena, path, strlen(path));
	free(path);
	return copy;
}

/* Could threads of the run wait for each other's locks? is_closed: did they? */
static bool has_cycle(const struct session *session, unsigned index, bool is_closed)
{
	for (size_t i = 0; i < session->reports.cycle_count; i++)
		if (session->reports.cycles[i].run == index &&
		    (session->reports.cycles[i].is_closed || !is_closed))
			return true;
	return false;
}

/* Runs once. Returns 0, or an errno. */
static int run_once(struct session *session, unsigned index, struct race_collected *collected)
{
	const char *folder = log_folder(session, index);
	struct words command = {0}, environment = {0};

	if (folder == NULL)
		return errno;
	add_command(session, session->runs[index].input, &command);
	if (session->runs[index].again)
		session->runs[index].again =
		    race_knows_addresses(&session->program, &session->examination);
	session->runs[index].asks_it =
	    session->runs[index].asks && !session->examination.is_library;
	race_environment_make(&session->runs[index], &session->preload, folder, &environment);
	fflush(NULL);
	/* What an earlier run has written is not to be taken for this one's. */
	if (session->options.results_file != NULL)
		unlink(session->options.results_file);
	int problem = start(session, index, &command, &environment);
	words_finish(&command);
	words_finish(&environment);
	if (problem == 0) {
		*collected = race_collect(&session->reports, &session->names, folder, index);
		if (has_cycle(session, index, true))
			session->runs[index].end = RACE_DEADLOCKED;
		take_output(session, index);
	}
	return problem;
}

static struct race_run_log log_of(struct session *session)
{
	return (struct race_run_log){.arena = &session->arena,
	    .options = &session->options,
	    .program = session->words[0],
	    .memory = session->preload.memory,
	    .inputs = session->input_texts,
	    .input_count = session->inputs.count,
	    .runs = session->runs,
	    .count = session->run_count};
}

/* Not one race can be found; says why. */
static void give_up(struct session *session, const char *format, const char *detail)
{
	session->exit_code = NOT_FOUND_OUT;
	report_error(NULL, format, session->words[0], detail);
}

/* Looks at what the first run was; false when more make no sense. */
static bool judge_first(struct session *session, const struct race_collected *collected)
{
	const struct race_run *run = &session->runs[0];

	if (collected->wrong_mappings)
		give_up(session,
		    "'%s' cannot run with ThreadSanitizer: memory is where it does not expect it, "
		    "and the system does not let programs change that here%s; 'sysctl "
		    "vm.mmap_rnd_bits=28' by the administrator does",
		    "");
	else if (collected->fatal != NULL)
		give_up(session, "'%s' was ended by ThreadSanitizer: %s", collected->fatal);
	else if (!collected->seen && run->end == RACE_KILLED)
		give_up(session, "'%s' was ended by a signal before ThreadSanitizer saw anything%s",
		    "");
	else if (!collected->seen && run->end != RACE_INTERRUPTED)
		give_up(session,
		    "neither '%s' nor a program that it started was built with "
		    "%s",
		    session->preload.memory ? "a sanitizer; " RACE_REBUILD_FOR_MEMORY
					    : "-fsanitize=thread; " RACE_REBUILD);
	return session->exit_code != NOT_FOUND_OUT;
}

static bool is_over(const struct session *session, unsigned index)
{
	const struct race_run *last = &session->runs[index];

	if (session->watch.interrupted != 0 || last->end == RACE_OUT_OF_TIME)
		return true;
	return session->options.seconds != 0 && now() - session->begin >= session->options.seconds;
}

/* What all runs have shown so far. */
static void find_all(struct session *session, struct race_outcome *outcome)
{
	race_outcome_make(
	    &session->sources, session->code, &session->reports, &session->triage, outcome);
}

/* Have the runs shown something that counts? */
static bool has_race(struct session *session)
{
	struct race_outcome outcome;

	find_all(session, &outcome);
	return race_outcome_counts(&outcome);
}

/* With --inputs, each has its arguments as its name. */
static void name_inputs(struct session *session)
{
	const struct input_list *inputs = &session->inputs;

	if (session->options.inputs == NULL)
		return;
	session->input_texts =
	    arena_allocate(&session->arena, inputs->count * sizeof *session->input_texts);
	for (size_t i = 0; i < inputs->count; i++) {
		char *text = input_list_text(inputs, i);
		session->input_texts[i] =
		    text != NULL ? arena_copy(&session->arena, text, strlen(text)) : "";
		free(text);
	}
}

static void run_all(struct session *session)
{
	const unsigned inputs = (unsigned)session->inputs.count;
	const unsigned count = race_plan_count(&session->options) * inputs +
			       (session->options.results ? RACE_MORE_RUNS : 0);

	session->runs = arena_allocate(&session->arena, count * sizeof *session->runs);
	session->outputs = arena_allocate(&session->arena, count * sizeof *session->outputs);
	session->code = race_code_new(&session->arena);
	name_inputs(session);
	session->begin = now();
	for (unsigned i = 0; i < count; i++) {
		struct race_collected collected = {0};
		session->runs[i] = race_plan_run(&session->options, i / inputs);
		session->runs[i].input = i % inputs;
		session->runs[i].cancellation &= !race_environment_has_cancellation();
		session->run_count = i + 1;
		int problem = run_once(session, i, &collected);
		if (problem != 0) {
			session->run_count = i;
			char *why = program_problem_text(session->program.path, problem);
			give_up(session, "cannot run '%s': %s", why != NULL ? why : "");
			free(why);
			return;
		}
		if (i == 0 && !judge_first(session, &collected))
			return;
		const struct race_run_log log = log_of(session);
		race_say_end(&log, limit_of(session, i), has_cycle(session, i, false));
		if (collected.problem != NULL)
			report_warning(NULL, "%s; it is left out", collected.problem);
		if (is_over(session, i) || (session->options.stop_at_first && has_race(session)))
			return;
	}
}

/* Standard output and error have the program's own, so that documents go to files only. */
static void print_report(struct session *session, const struct race_report_input *input)
{
	FILE *out = session->out != NULL ? session->out : stderr;

	if (session->options.format == RACE_FORMAT_JSON)
		race_report_json(input, out);
	else if (session->options.format == RACE_FORMAT_SARIF)
		race_report_sarif(input, out);
	else if (session->options.format == RACE_FORMAT_HTML)
		race_report_page(input, out);
	else
		race_report_text(input, session->out == NULL && isatty(STDERR_FILENO) != 0, out);
}

static void report(struct session *session)
{
	struct race_outcome outcome;
	const struct race_findings *findings = &outcome.findings;

	/* Who has killed the process that was started expects no more of it. */
	if (session->run_count == 0 || session->exit_code == NOT_FOUND_OUT ||
	    getppid() != session->starter)
		return;
	const struct race_run_log log = log_of(session);
	race_say_failures(&log);
	find_all(session, &outcome);
	struct race_fixes fixes = {0};
	struct words program = {0};
	struct race_fix_request request = {.options = &session->options,
	    .findings = findings,
	    .words = outcome.words,
	    .arena = &session->arena,
	    .trial = {&fixes, &session->watch, &program, &session->input, .findings = findings,
		.deadlocks = &outcome.deadlocks, .races = race_report_count(findings),
		.seconds = session->runs[0].seconds, .arena = &session->arena}};
	add_command(session, 0, &program);
	bool fixable = !session->preload.memory && race_report_count(findings) > 0 &&
		       race_fixes_find(&request);
	race_group(&session->arena, outcome.words, &outcome.findings);
	session->results.is_wanted = session->options.results;
	if (session->options.results)
		race_results_compare(&session->arena, session->runs, session->outputs,
		    session->run_count, &session->results);
	race_results_explain(&session->sources, session->code, session->program.binary,
	    race_report_count(findings), &session->results);
	struct race_report_input input = {
	    .arena = &session->arena,
	    .words = outcome.words,
	    .deadlocks = &outcome.deadlocks,
	    .deadlock_words = outcome.deadlock_words,
	    .results = &session->results,
	    .program = session->words[0],
	    .runs = session->runs,
	    .run_count = session->run_count,
	    .inputs = log.inputs,
	    .input_count = log.inputs != NULL ? log.input_count : 0,
	    .findings = findings,
	    .options = &session->options,
	    .diff = fixable && session->options.fix ? race_fixes_diff(&request) : NULL,
	    .memory = session->preload.memory,
	    .no_lines = session->examination.no_lines,
	};
	if (input.options->all)
		input.unused = race_allowances_unused(&session->sources, session->code,
		    session->program.binary, findings, &outcome.deadlocks, &input.unused_count);
	print_report(session, &input);
	session->exit_code = race_outcome_counts(&outcome) || session->results.variations != 0
				 ? FOUND_RACES
				 : FOUND_NONE;
	if (session->options.fix && fixable && session->watch.interrupted == 0 &&
	    race_fixes_offer(&request) && race_deadlock_count(&outcome.deadlocks, RACE_COUNTS) == 0)
		session->exit_code = FOUND_NONE;
	words_finish(&program);
	race_fixes_finish(&fixes);
}

/* Runs a step whose memory is the arena's; false when there was none. */
static bool guarded(struct session *session, void (*step)(struct session *))
{
	if (setjmp(session->arena.out_of_memory) != 0) {
		report_error(NULL, "out of memory");
		session->exit_code = NOT_FOUND_OUT;
		return false;
	}
	step(session);
	return true;
}

/* Reads what the user says of races; false after a message. */
static bool read_triage(struct session *session)
{
	char *error;

	if (race_triage_read(&session->options, &session->triage, &error))
		return true;
	report_error(NULL, "%s; nothing is run", error != NULL ? error : "out of memory");
	free(error);
	return false;
}

/* Reads the arguments of --inputs; false after a message. */
static bool read_inputs(struct session *session)
{
	char *error = NULL;

	if (input_list_read(session->options.inputs, &session->inputs, &error))
		return true;
	report_error(NULL, "%s; nothing is run", error != NULL ? error : "out of memory");
	free(error);
	return false;
}

/* Finds what is preloaded; false after a message. */
static bool find_preload(struct session *session)
{
	struct locations locations;

	locate_libraries(&locations, NULL);
	session->preload.memory = session->options.memory;
	const char *agent = session->preload.memory ? locations.memory_agent : locations.race_agent;
	if (agent != NULL)
		session->preload.agent = loader_path(agent);
	for (size_t i = 0; i < RUNTIME_PRELOADS; i++) {
		char *path = locate_preload(&locations, i);
		if (path != NULL)
			session->preload.runtime[i] = loader_path(path);
		free(path);
	}
	bool found = session->preload.runtime[0] != NULL;
	locations_finish(&locations);
	if (!found)
		report_error(NULL,
		    "the bundled OpenMP runtime, ompinst/libgomp.so.1, was not found "
		    "(OMPINST_LIBDIR can name its folder); nothing is run");
	return found;
}

static bool keep_input(struct session *session)
{
	int problem = race_input_open(&session->input);

	if (problem != 0)
		report_error(NULL,
		    "cannot keep standard input for several runs: %s; nothing is run",
		    strerror(problem));
	return problem == 0;
}

static void finish(struct session *session)
{
	if (session->out != NULL)
		fclose(session->out);
	scratch_finish(&session->scratch);
	words_finish(&session->names);
	input_list_finish(&session->inputs);
	race_triage_finish(&session->triage);
	arena_finish(&session->arena);
	free(session->preload.agent);
	for (size_t i = 0; i < RUNTIME_PRELOADS; i++)
		free(session->preload.runtime[i]);
	race_examination_finish(&session->examination);
	program_finish(&session->program);
}

/* As a shell gives it. A process that was ended may be a child of a script, which says so. */
static int program_status(const struct race_run *run)
{
	bool by_signal = run->end == RACE_KILLED || run->end == RACE_DEADLOCKED;

	return by_signal && run->status < 128 ? run->status + 128 : run->status;
}

static void run_and_report(struct session *session)
{
	session->reports.arena = session->sources.arena = &session->arena;
	if (keep_input(session)) {
		fixed_addresses_set();
		session->exit_code = FOUND_NONE;
		if (guarded(session, run_all))
			guarded(session, report);
	}
	race_input_close(&session->input);
	race_code_free(session->code);
	if (session->options.program_status && session->run_count > 0 &&
	    session->exit_code != NOT_FOUND_OUT)
		session->exit_code = program_status(&session->runs[0]);
	if (session->out != NULL && fclose(session->out) != 0)
		report_error(NULL, "cannot write the report to '%s': %s", session->options.output,
		    strerror(errno));
	session->out = NULL;
	scratch_finish(&session->scratch);
	process_watch_close(&session->watch);
}

/* In the second process. */
static int work(void *context)
{
	struct session *session = context;

	run_and_report(session);
	finish(session);
	return session->exit_code;
}

static int fail(char *error)
{
	report_error(NULL, "%s", error != NULL ? error : "out of memory");
	free(error);
	return NOT_FOUND_OUT;
}

/* The program can be run: has the second process do it. */
static void have_it_run(struct session *session)
{
	char *problem;

	if (!read_triage(session) || !read_inputs(session) || !find_preload(session) ||
	    !run_report_open(&session->out, session->options.output,
		session->options.format == RACE_FORMAT_TEXT,
		"--format=json, --format=sarif and --format=html need") ||
	    !run_folder_make(&session->scratch, ",'\n", "without commas and quotes in its name"))
		return;
	session->starter = getpid();
	int code = process_worker_run(&session->watch, work, session, session->words[0], &problem);
	if (code >= 0)
		session->exit_code = code;
	else if (problem != NULL || session->watch.interrupted == 0)
		fail(problem);
}

int race_run_main(const char *const *words)
{
	struct session session = {
	    .exit_code = NOT_FOUND_OUT, .input = {-1, -1, -1}, .kept_output = -1};
	char *error = NULL;
	int count = race_options_read(words, &session.options, &error);

	if (count < 0)
		return fail(error);
	session.words = words + count;
	if (session.options.help) {
		race_options_print_help(stdout);
		return 0;
	}
	session.options.fix |= session.options.apply || session.options.verify;
	if (session.options.verify && session.options.compiler == NULL) {
		report_error(NULL, "--verify needs --cc='COMMAND', the command that compiles and "
				   "links the program; nothing is run");
		return NOT_FOUND_OUT;
	}
	if (session.options.inputs != NULL && (session.options.results || session.options.verify)) {
		report_error(NULL,
		    "--inputs=%s and %s exclude each other: expected one input, whose arguments "
		    "stand behind the program; nothing is run",
		    session.options.inputs, session.options.results ? "--results" : "--verify");
		return NOT_FOUND_OUT;
	}
	if (session.words[0] == NULL) {
		report_error(NULL, "expected a program to run; see 'ompinst race run --help'");
		return NOT_FOUND_OUT;
	}
	if (program_find(session.words[0], &session.program, &error) != 0) {
		program_finish(&session.program);
		return fail(error);
	}
	program_examine(&session.program);
	race_examine(&session.program, &session.examination);
	session.options.memory |= session.examination.memory;
	if (session.examination.obstacle != NULL)
		report_error(NULL, "no %s can be found in '%s': %s",
		    session.options.memory ? "memory errors" : "races", session.words[0],
		    session.examination.obstacle);
	else
		have_it_run(&session);
	finish(&session);
	return session.exit_code;
}
