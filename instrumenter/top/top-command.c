/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * `ompinst top [PID|NAME]`: looks at programs several times in each interval, and prints or shows
 * the interval. It starts no thread and takes no lock; what it takes itself is bounded by making
 * looks rarer when they take long.
 */
#include "top-command.h"

#include "construct-report.h"
#include "error-text.h"
#include "installation.h"
#include "interval-report.h"
#include "program-list.h"
#include "program-view.h"
#include "top-options.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

enum { DONE = 0, NOTHING_SEEN = 2, WIDTH_DEFAULT = 100, WIDTH_MIN = 60 };

/*
 * ns from look to look, and how many times the duration of a look this is at least; the same for
 * what is done once in an interval.
 */
enum { LOOK_EVERY = 100000000, LOOK_REST = 10 };

struct top {
	struct top_options options;
	struct program_readers readers;
	struct program_list list;
	struct program_view *view; /* NULL: intervals are printed */
	uint64_t look_every;       /* ns */
	uint64_t end_took;         /* ns: what is done once in an interval, in the last one */
	unsigned looks;
};

static int fail(char *error)
{
	report_error(NULL, "%s", error != NULL ? error : "out of memory");
	free(error);
	return NOTHING_SEEN;
}

static volatile sig_atomic_t is_interrupted;

static void note_interrupt(int signal)
{
	(void)signal;
	is_interrupted = 1;
}

static void sleep_until(uint64_t moment)
{
	struct timespec until = {(time_t)(moment / 1000000000u), (long)(moment % 1000000000u)};

	while (!is_interrupted &&
	       clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
		;
}

static bool is_over(const struct top *top)
{
	return is_interrupted || (top->view != NULL && top->view->is_done);
}

/* Pauses until then; in the terminal, keys are obeyed meanwhile. */
static void wait_until(struct top *top, uint64_t moment)
{
	if (top->view == NULL) {
		sleep_until(moment);
		return;
	}
	while (!is_over(top) && clock_now() < moment)
		program_view_wait(top->view, moment);
}

/* A program that does the same every 100 ms must not be seen at the same place each time. */
static uint64_t next_pause(struct top *top)
{
	unsigned step = top->looks++ * 40503u & 0xffffu; /* spread evenly over 0 .. 65535 */

	return top->look_every / 2 + top->look_every * step / 65536;
}

/* One interval: looks until its end. False: no memory. */
static bool run_interval(struct top *top, uint64_t end)
{
	uint64_t begin = clock_now();

	if (!program_list_update(&top->list))
		return false;
	top->end_took = clock_now() - begin;
	for (;;) {
		begin = clock_now();
		program_list_look(&top->list);
		uint64_t took = clock_now() - begin;
		top->look_every = LOOK_EVERY;
		if (took * LOOK_REST > top->look_every)
			top->look_every = took * LOOK_REST;
		if (clock_now() >= end || is_over(top))
			break;
		uint64_t next = clock_now() + next_pause(top);
		/* The last look is at the end itself. */
		wait_until(top, next + top->look_every / 4 > end ? end : next);
	}
	begin = clock_now();
	program_list_end_interval(&top->list);
	top->end_took += clock_now() - begin;
	return true;
}

static int terminal_width(void)
{
	struct winsize size;

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
		return WIDTH_DEFAULT;
	return size.ws_col < WIDTH_MIN ? WIDTH_MIN : size.ws_col;
}

static uint64_t stuck_after(const struct top_options *options)
{
	return (uint64_t)options->interval * 1000000u * options->stuck;
}

static void print_interval(const struct top *top, unsigned number)
{
	struct interval_report report = {
	    .list = &top->list,
	    .stuck_after = stuck_after(&top->options),
	    .with_threads = top->options.threads,
	    .width = terminal_width(),
	};

	switch (top->options.form) {
	case TOP_JSON:
		interval_print_json(stdout, &report);
		break;
	case TOP_CSV:
		if (number == 0)
			interval_print_csv_head(stdout);
		interval_print_csv(stdout, &report);
		break;
	default:
		interval_print_text(stdout, &report);
		break;
	}
}

/* Is there anything to look at? Says so if not. */
static bool has_programs(const struct top *top)
{
	if (top->list.count > 0)
		return true;
	if (top->list.only != 0)
		report_error(NULL, "there is no process %ld", (long)top->list.only);
	else if (top->list.refusal != NULL)
		report_error(NULL, "%zu OpenMP program%s of this user %s", top->list.refused_count,
		    top->list.refused_count == 1 ? "" : "s", top->list.refusal);
	else if (top->list.name != NULL)
		report_error(NULL, "there is no OpenMP program '%s' of this user", top->list.name);
	else
		report_error(NULL, "there is no OpenMP program of this user");
	return false;
}

/* The one process that was asked for may not be readable at all. */
static bool is_readable(const struct top *top)
{
	const struct program *program = top->list.only != 0 ? top->list.items[0] : NULL;

	if (program == NULL || program->kind == PROGRAM_READABLE)
		return true;
	report_error(NULL, "process %ld %s", (long)program->facts.process,
	    program->note != NULL ? program->note : "cannot be read");
	return false;
}

/* Prints or draws the interval that has ended. False: it cannot. */
static bool show_interval(struct top *top, unsigned number)
{
	if (top->view != NULL) {
		program_view_draw(top->view);
		return !top->view->screen.has_ended;
	}
	print_interval(top, number);
	return fflush(stdout) == 0;
}

/* When the next interval ends: later than it should if its end takes long. */
static uint64_t end_after(const struct top *top, uint64_t due)
{
	uint64_t earliest = clock_now() + top->end_took * LOOK_REST;

	return due > earliest ? due : earliest;
}

static int show_intervals(struct top *top)
{
	uint64_t length = (uint64_t)top->options.interval * 1000000u;
	uint64_t end = clock_now() + length;

	for (unsigned i = 0; !is_over(top) && (top->options.count == 0 || i < top->options.count);
	     i++, end = end_after(top, end + length)) {
		if (!run_interval(top, end))
			return fail(NULL);
		if (!show_interval(top, i) && !is_over(top)) {
			report_error(NULL, "cannot write: %s", strerror(errno));
			return NOTHING_SEEN;
		}
		if (top->list.only != 0 && top->list.items[0]->has_ended && top->view == NULL)
			break;
	}
	return DONE;
}

static int show_view(struct top *top)
{
	struct program_view view = {
	    .list = &top->list,
	    .stuck_after = stuck_after(&top->options),
	    .interval = top->options.interval / 1000.0,
	};

	if (!program_view_open(&view)) {
		report_error(NULL, "cannot use the terminal: %s; --once prints an interval",
		    strerror(errno));
		return NOTHING_SEEN;
	}
	top->view = &view;
	if (top->list.only != 0) {
		view.process = top->list.items[0]->facts.process;
		view.shown = TOP_THREADS;
	}
	program_view_draw(&view);
	int code = show_intervals(top);
	program_view_close(&view);
	top->view = NULL;
	return code;
}

static int run(struct top *top)
{
	bool in_terminal = top->options.form == TOP_VIEW && screen_is_possible();

	if (!program_list_update(&top->list))
		return fail(NULL);
	if ((top->list.only != 0 || !in_terminal) && !has_programs(top))
		return NOTHING_SEEN;
	if (!is_readable(top))
		return NOTHING_SEEN;
	program_list_look(&top->list);
	return in_terminal ? show_view(top) : show_intervals(top);
}

/* "1234" is a process, all else a name. */
static bool read_target(const char *const *words, struct program_list *list, char **error)
{
	char *end;

	if (words[0] == NULL)
		return true;
	if (words[1] != NULL)
		return error_set(error, "'%s': expected nothing after the process", words[1]);
	long number = strtol(words[0], &end, 10);
	if (words[0][0] < '0' || words[0][0] > '9' || *end != '\0') {
		list->name = words[0];
		return true;
	}
	if (number <= 0 || number != (pid_t)number)
		return error_set(error, "there is no process %s", words[0]);
	list->only = (pid_t)number;
	return true;
}

static bool open_readers(struct top *top, char **error)
{
	char *library = locate_debugger_library(), *names = locate_names_library();
	bool is_open = library != NULL
			   ? debugger_library_open(&top->readers.debugger, library, error)
			   : error_set(error, "libompd.so is not where ompinst is installed; "
					      "expected it beside the OpenMP runtime");

	if (is_open)
		code_lookup_open(&top->readers.names, names);
	if (is_open) {
		struct locations locations;
		char *why = NULL; /* without it, the rest is shown */
		locate_libraries(&locations, NULL);
		profile_library_open(&top->readers.profiles, locations.libpomp, &why);
		locations_finish(&locations);
		free(why);
	}
	free(library);
	free(names);
	return is_open;
}

int top_main(const char *const *words)
{
	struct sigaction interrupt = {.sa_handler = note_interrupt};
	struct top top = {.look_every = LOOK_EVERY};
	char *error = NULL;
	int count = top_options_read(words, &top.options, &error);

	if (count < 0)
		return fail(error);
	if (top.options.help) {
		top_options_print_help(stdout);
		return DONE;
	}
	if (!read_target(words + count, &top.list, &error) || !open_readers(&top, &error))
		return fail(error);
	top.list.readers = &top.readers;
	sigaction(SIGINT, &interrupt, NULL);
	sigaction(SIGTERM, &interrupt, NULL);
	int code = run(&top);
	program_list_finish(&top.list);
	code_lookup_close(&top.readers.names);
	profile_library_close(&top.readers.profiles);
	debugger_library_close(&top.readers.debugger);
	return code;
}
