/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Runs the program once, with its own input and output, reads what it has noted, and reports. A
 * program that is ended from outside, or by a limit, writes what it has; so the report has it, too.
 */
#include "sharing-run.h"

#include "construct-report.h"
#include "first-touch-findings.h"
#include "limited-run.h"
#include "moved-data.h"
#include "program.h"
#include "program-search.h"
#include "run-files.h"
#include "sharing-report.h"
#include "text-file.h"
#include "transfer-cost.h"
#include "worker.h"

#include "sharing-format.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FOUND_NONE = 0, FOUND_SHARING = 1, NOT_FOUND_OUT = 2, BY_SIGNAL = 128, PROOF_RUNS = 3 };

#define REBUILD "compile and link it with 'ompinst sharing gcc' (or g++, gfortran, clang)"

extern char **environ;

struct session {
	struct sharing_options options;
	const char *const *words; /* the program and its arguments */
	struct program program;
	struct program plain; /* of --plain */
	struct scratch scratch;
	struct process_watch watch;
	struct limited_run run;
	struct transfer_costs costs;
	double fixed_cost; /* of a transfer, in seconds; 0: by the costs */
	FILE *out;         /* where the report goes; NULL: standard error */
	struct inst_arena arena;
	struct race_code *code;
	struct sharing_reports reports;
	int exit_code;
};

/* Variables that the run sets or removes: the library is the runtime's tool. */
static const char *const replaced[] = {SHARING_VARIABLE, "OMP_TOOL", "POMP_DISABLE"};

static bool is_replaced(const char *entry)
{
	for (size_t i = 0; i < sizeof replaced / sizeof replaced[0]; i++) {
		const size_t length = strlen(replaced[i]);
		if (strncmp(entry, replaced[i], length) == 0 && entry[length] == '=')
			return true;
	}
	return false;
}

/* `more`: further words of the variable, each with a comma in front. */
static void make_environment(
    const struct session *session, const char *more, struct words *environment)
{
	for (char **entry = environ; *entry != NULL; entry++)
		if (!is_replaced(*entry))
			words_add(environment, *entry);
	words_add(environment, "POMP_DISABLE=yes");
	words_add_format(
	    environment, SHARING_VARIABLE "=" SHARING_LOG "=%s%s", session->scratch.folder, more);
}

/* Runs a program with the arguments; its end goes to *run. Returns 0, or an errno. */
static int execute(struct session *session, const struct program *of, const char *more,
    struct process_streams streams, struct limited_run *run)
{
	const bool by_shell = of->kind == PROGRAM_TEXT;
	struct words command = {0}, environment = {0};

	if (by_shell)
		words_add(&command, "sh");
	words_add(&command, by_shell || of != &session->program ? of->path : session->words[0]);
	words_add_all(&command, session->words + 1);
	make_environment(session, more, &environment);
	const struct process_start program = {
	    .program = by_shell ? "/bin/sh" : of->path,
	    .arguments = words_vector(&command),
	    .environment = words_vector(&environment),
	    .streams = streams,
	};
	fflush(NULL);
	const int problem =
	    program.arguments == NULL || program.environment == NULL
		? ENOMEM
		: process_run_limited(&session->watch, &program, session->options.seconds, run);
	words_finish(&command);
	words_finish(&environment);
	return problem;
}

/* Reads one log; the arena may jump out, so it must own the text before it is used. */
static void read_log(struct session *session, const char *name, struct sharing_reports *reports)
{
	const char *path = arena_format(&session->arena, "%s/%s", session->scratch.folder, name);
	struct text_file file;

	if (text_file_read(path, &file) != 0)
		return;
	const struct text_file text = {
	    arena_copy(&session->arena, file.bytes, file.length), file.length};
	text_file_finish(&file);
	const char *problem = sharing_log_read(reports, text.bytes, text.length);
	if (problem != NULL)
		report_warning(NULL, "the log '%s' %s; it is left out", path, problem);
}

static void read_logs(struct session *session, struct sharing_reports *reports)
{
	DIR *folder = opendir(session->scratch.folder);
	const struct dirent *entry;

	if (folder == NULL)
		return;
	while ((entry = readdir(folder)) != NULL)
		if (entry->d_name[0] != '.' && strchr(entry->d_name, '.') == NULL)
			read_log(session, entry->d_name, reports);
	closedir(folder);
}

/* Why there is no log. */
static void explain_nothing(const struct session *session)
{
	const char *program = session->words[0];

	if (session->reports.refusing > 0)
		return;
	if (session->reports.unfinished > 0 && session->run.end == LIMITED_KILLED)
		report_error(NULL,
		    "'%s' was ended by signal %d (%s) before it had written what it had noted",
		    program, session->run.status, strsignal(session->run.status));
	else if (session->reports.unfinished > 0)
		report_error(NULL, "'%s' ended without writing what it had noted", program);
	else
		report_error(NULL,
		    "neither '%s' nor a program that it started was built to have its accesses "
		    "noted; " REBUILD,
		    program);
}

/* What is missing of the logs. */
static void explain_gaps(const struct session *session)
{
	const struct sharing_reports *reports = &session->reports;

	if (reports->refusing > 0)
		report_error(NULL,
		    "nothing could be noted in %u process%s, because the address space is limited: "
		    "expected none of 'ulimit -v', limits of a batch system and "
		    "vm.overcommit_memory=2",
		    reports->refusing, reports->refusing == 1 ? "" : "es");
	if (reports->unfinished > 0 && reports->processes > 0)
		report_warning(NULL,
		    "%u process%s did not write all that %s had noted: killed meanwhile, or no "
		    "room in '%s' (TMPDIR can name another folder); the report has what is there",
		    reports->unfinished, reports->unfinished == 1 ? "" : "es",
		    reports->unfinished == 1 ? "it" : "they", session->scratch.folder);
}

/*
 * Runs a program once more. Input comes from the same file, or there is none; what the program
 * prints is dropped. False: it ended otherwise than the first time.
 */
static bool run_again(
    struct session *session, const struct program *of, const char *more, struct limited_run *run)
{
	struct stat about;
	const bool has_file = fstat(STDIN_FILENO, &about) == 0 && S_ISREG(about.st_mode);
	const int input = open(has_file ? "/proc/self/fd/0" : "/dev/null", O_RDONLY | O_CLOEXEC);
	const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);

	scratch_empty(&session->scratch);
	const int problem =
	    execute(session, of, more, (struct process_streams){input, nowhere, nowhere}, run);
	close(input);
	close(nowhere);
	return problem == 0 && run->end == session->run.end && run->status == session->run.status;
}

/* The least processor time of some runs that note nothing; 0: it could not be found out. */
static double time_without_noting(struct session *session, const char *more)
{
	double least = 0;

	for (int i = 0; i < PROOF_RUNS && session->watch.interrupted == 0; i++) {
		struct sharing_reports reports = {.arena = &session->arena};
		struct limited_run run;
		if (!run_again(session, &session->program, more, &run))
			return 0;
		read_logs(session, &reports);
		if (least == 0 || reports.processor < least)
			least = reports.processor;
	}
	return least;
}

static double time_of_children(void)
{
	struct rusage usage;

	getrusage(RUSAGE_CHILDREN, &usage);
	return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
	       1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* Processor time of one run of the program of --plain; negative: it ended otherwise. */
static double time_plain(struct session *session, double *parallel)
{
	const double before = time_of_children();
	struct limited_run run;

	if (!run_again(session, &session->plain, "", &run))
		return -1;
	const double time = time_of_children() - before;
	if (run.seconds > 0 && time / run.seconds > *parallel)
		*parallel = time / run.seconds;
	return time;
}

static int compare_times(const void *left, const void *right)
{
	const double first = *(const double *)left, second = *(const double *)right;

	return (first > second) - (first < second);
}

/*
 * On one processor no line changes its processor, so that the difference of the processor times is
 * what sharing costs. As many threads as otherwise, which do not wait actively, and which the
 * system does not put on one processor by itself.
 */
static void measure_plain(struct session *session, struct sharing_plain *plain)
{
	double times[2][PROOF_RUNS];
	cpu_set_t all, one;

	if (session->plain.path == NULL || sched_getaffinity(0, sizeof all, &all) != 0)
		return;
	CPU_ZERO(&one);
	for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; i++)
		if (CPU_ISSET(i, &all))
			CPU_SET(i, &one);
	setenv("OMP_NUM_THREADS", arena_format(&session->arena, "%d", CPU_COUNT(&all)), 0);
	setenv("OMP_PROC_BIND", "true", 0);
	setenv("OMP_WAIT_POLICY", "passive", 1);
	plain->failed = true;
	for (int i = 0; i < 2 * PROOF_RUNS; i++) {
		double *time = &times[i % 2][i / 2];
		if (session->watch.interrupted != 0)
			return;
		sched_setaffinity(0, sizeof all, i % 2 == 0 ? &all : &one);
		*time = time_plain(session, &plain->parallel);
		sched_setaffinity(0, sizeof all, &all);
		if (*time < 0)
			return;
	}
	plain->failed = false;
	for (int i = 0; i < 2; i++)
		qsort(times[i], PROOF_RUNS, sizeof times[i][0], compare_times);
	plain->seconds = times[0][PROOF_RUNS / 2];
	plain->on_one = times[1][PROOF_RUNS / 2];
}

/* Runs the program with the finding's blocks apart; fills in the times, or why there are none. */
static void prove(struct session *session, struct sharing_finding *finding, double *before)
{
	const struct race_stack *allocated = &finding->place.allocated;

	if (finding->place.kind != RACE_PLACE_HEAP)
		finding->unproved = "only blocks of the heap can be set apart, not variables";
	else if (!finding->several_blocks || allocated->count == 0)
		finding->unproved = "the threads use parts of one block, which are where the "
				    "program expects them";
	if (finding->unproved != NULL)
		return;
	if (*before == 0)
		*before = time_without_noting(session, "," SHARING_QUIET "=1");
	/* The word has the return address, the frame what is before it. */
	finding->after = time_without_noting(session,
	    arena_format(&session->arena, "," SHARING_QUIET "=1," SHARING_APART "=%" PRIx64,
		allocated->frames[0].offset + 1));
	finding->before = *before;
	if (finding->before == 0 || finding->after == 0) {
		finding->before = finding->after = 0;
		finding->unproved = "another run of the program ended otherwise";
	}
}

static void prove_all(struct session *session, struct sharing_findings *findings)
{
	double before = 0;

	for (size_t i = 0; i < findings->count; i++)
		if (findings->items[i].kind == SHARING_FALSE &&
		    sharing_counts(&findings->items[i], session->options.least))
			prove(session, &findings->items[i], &before);
}

/* Says why a place that is reported is an address. */
static void explain_addresses(
    const struct session *session, const struct sharing_findings *findings)
{
	for (size_t i = 0; i < findings->count; i++) {
		const struct sharing_finding *finding = &findings->items[i];
		if (!session->options.all && !sharing_counts(finding, session->options.least))
			continue;
		for (size_t j = 0; j < finding->place_count; j++) {
			if (finding->places[j].line.file != NULL)
				continue;
			report_warning(NULL,
			    "'%s' has no debug information (it was linked with -s, or stripped): "
			    "places in it are addresses",
			    finding->places[j].module);
			return;
		}
	}
}

static double cost_of(const void *context, enum sharing_use use, double apart)
{
	return transfer_cost(context, use, apart);
}

static void print_report(struct session *session, const struct sharing_report *report)
{
	FILE *out = session->out != NULL ? session->out : stderr;

	switch (session->options.format) {
	case SHARING_FORMAT_TEXT:
		sharing_report_text(
		    report, session->out == NULL && isatty(STDERR_FILENO) != 0, out);
		break;
	case SHARING_FORMAT_JSON:
		sharing_report_json(report, out);
		break;
	case SHARING_FORMAT_SARIF:
		sharing_report_sarif(report, out);
		break;
	case SHARING_FORMAT_HTML:
		sharing_report_page(report, out);
		break;
	}
}

static const char *measured_text(struct session *session)
{
	double least, most;

	transfer_costs_range(&session->costs, &least, &most);
	return arena_format(&session->arena,
	    "%.1f to %.0f ns, by the use of the line and how far apart a thread's accesses are%s",
	    1e9 * least, 1e9 * most,
	    session->costs.is_measured ? ""
				       : " (usual values: two threads seldom ran at the same time "
					 "when it was measured)");
}

/* Without the option it is only counted. */
static void add_moved(
    struct session *session, struct race_sources *sources, struct sharing_findings *findings)
{
	const size_t count = moved_data_add(sources, session->code, &session->reports, findings);

	if (!session->options.locality) {
		findings->count -= count;
		findings->unlisted = count;
	}
}

static void report(struct session *session)
{
	static const char *const ends[] = {[LIMITED_EXITED] = "exited",
	    [LIMITED_KILLED] = "signal",
	    [LIMITED_TOO_LONG] = "time",
	    [LIMITED_INTERRUPTED] = "interrupted"};
	struct race_sources sources = {.arena = &session->arena};
	struct sharing_findings findings = {0};
	const struct sharing_costs costs = {cost_of, &session->costs, session->fixed_cost};
	struct sharing_plain plain = {0};

	session->reports.arena = &session->arena;
	read_logs(session, &session->reports);
	explain_gaps(session);
	if (session->reports.processes == 0) {
		explain_nothing(session);
		return;
	}
	session->code = race_code_new(&session->arena);
	measure_plain(session, &plain);
	sharing_findings_make(
	    &sources, session->code, &session->reports, &costs, &plain, &findings);
	first_touch_findings_add(
	    &sources, session->code, &session->reports, session->options.first_touch, &findings);
	add_moved(session, &sources, &findings);
	if (session->options.prove && session->watch.interrupted == 0)
		prove_all(session, &findings);
	struct sharing_report about = {
	    .arena = &session->arena,
	    .program = session->words[0],
	    .options = &session->options,
	    .reports = &session->reports,
	    .findings = &findings,
	    .plain = &plain,
	    .end = ends[session->run.end],
	    .status = session->run.status,
	};
	if (session->fixed_cost == 0)
		about.measured = measured_text(session);
	print_report(session, &about);
	explain_addresses(session, &findings);
	if (sharing_count(&about) > 0)
		session->exit_code = FOUND_SHARING;
	else if (session->reports.refusing + session->reports.unfinished == 0)
		session->exit_code = FOUND_NONE;
}

/* Runs the report, whose memory is the arena's. */
static void report_or_fail(struct session *session)
{
	if (setjmp(session->arena.out_of_memory) != 0) {
		report_error(NULL, "out of memory");
		session->exit_code = NOT_FOUND_OUT;
		return;
	}
	report(session);
}

static void close_report(struct session *session)
{
	const bool has_failed = ferror(session->out) != 0;

	errno = EIO;
	if (fclose(session->out) != 0 || has_failed) {
		report_error(NULL, "cannot write the report to '%s': %s", session->options.output,
		    strerror(errno));
		session->exit_code = NOT_FOUND_OUT;
	}
	session->out = NULL;
}

static void finish(struct session *session)
{
	if (session->code != NULL)
		race_code_free(session->code);
	session->code = NULL;
	if (session->out != NULL)
		close_report(session);
	scratch_finish(&session->scratch);
	arena_finish(&session->arena);
	program_finish(&session->program);
	program_finish(&session->plain);
}

/* In the second process. */
static int work(void *context)
{
	struct session *session = context;
	const char *more = session->options.first_touch ? "," SHARING_FIRST "=1" : "";
	const int problem = execute(
	    session, &session->program, more, (struct process_streams){-1, -1, -1}, &session->run);

	if (problem != 0) {
		char *why = program_problem_text(session->program.path, problem);
		report_error(NULL, "cannot run '%s': %s", session->words[0],
		    why != NULL ? why : "out of memory");
		free(why);
	} else {
		if (session->options.transfer > 0)
			session->fixed_cost = 1e-9 * session->options.transfer;
		else
			transfer_costs_measure(&session->costs);
		report_or_fail(session);
		if (session->options.program_status && session->exit_code != NOT_FOUND_OUT)
			session->exit_code = session->run.end == LIMITED_EXITED
						 ? session->run.status
						 : session->run.status + BY_SIGNAL;
	}
	finish(session);
	process_watch_close(&session->watch);
	return session->exit_code;
}

static int fail(char *error)
{
	report_error(NULL, "%s", error != NULL ? error : "out of memory");
	free(error);
	return NOT_FOUND_OUT;
}

/* Is it an OpenMP program that was built in another way? Scripts may start one that was not. */
static bool is_built_otherwise(const struct program *program)
{
	struct words needs = {0};
	bool has_openmp = false, has_library = false;

	if (program->kind != PROGRAM_DYNAMIC || strcmp(program->path, program->binary) != 0)
		return program->kind == PROGRAM_STATIC || program->kind == PROGRAM_FOREIGN;
	program_needs(program->path, &needs);
	for (size_t i = 0; i < needs.count; i++) {
		has_library |= strcmp(needs.items[i], SHARING_LIBRARY) == 0;
		has_openmp |= strncmp(needs.items[i], "libgomp", 7) == 0 ||
			      strncmp(needs.items[i], "libomp", 6) == 0;
	}
	words_finish(&needs);
	return has_openmp && !has_library;
}

/* The program can be run: has the second process do it. */
static void have_it_run(struct session *session)
{
	char *problem = NULL;

	if (is_built_otherwise(&session->program)) {
		report_error(NULL,
		    "'%s' was not built to have its accesses noted; " REBUILD "; nothing is run",
		    session->words[0]);
		return;
	}
	if (!run_report_open(&session->out, session->options.output,
		session->options.format == SHARING_FORMAT_TEXT,
		"--format=json, --format=sarif and --format=html need") ||
	    !run_folder_make(&session->scratch, ",", "without a comma in its name"))
		return;
	const int code =
	    process_worker_run(&session->watch, work, session, session->words[0], &problem);
	if (code >= 0)
		session->exit_code = code;
	else if (problem != NULL || session->watch.interrupted == 0)
		fail(problem);
}

int sharing_run_main(const char *const *words)
{
	struct session session = {.exit_code = NOT_FOUND_OUT};
	char *error = NULL;
	const int count = sharing_options_read(words, &session.options, &error);

	if (count < 0)
		return fail(error);
	session.words = words + count;
	if (session.options.help) {
		sharing_options_print_help(stdout);
		return 0;
	}
	if (session.words[0] == NULL) {
		report_error(NULL, "expected a program to run; see 'ompinst sharing run --help'");
		return NOT_FOUND_OUT;
	}
	if (program_find(session.words[0], &session.program, &error) != 0) {
		program_finish(&session.program);
		return fail(error);
	}
	if (session.options.plain != NULL &&
	    program_find(session.options.plain, &session.plain, &error) != 0) {
		finish(&session);
		return fail(error);
	}
	program_examine(&session.program);
	have_it_run(&session);
	finish(&session);
	return session.exit_code;
}
