/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The end of a measured run. Nothing here may change what the program did or returns: anything that
 * cannot be written is reported in one line on pomp_message_file(), and the rest continues.
 */
#include "run-end.h"

#include "address-names.h"
#include "at-start.h"
#include "blocked-code.h"
#include "event.h"
#include "experiment.h"
#include "fill-summary.h"
#include "hot-code.h"
#include "last-thread.h"
#include "merge-summaries.h"
#include "message-file.h"
#include "name-locks.h"
#include "name-regions.h"
#include "names-search.h"
#include "python-callers.h"
#include "own-rank.h"
#include "rank-state.h"
#include "region-scale.h"
#include "totals.h"
#include "usable-processors.h"
#include "shared/precondition.h"
#include "shared/trace-convert.h"
#include "shared/write-whole.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 80 };

/*
 * Returns the file that POMP_SUMMARY names, heap. A forked child must not overwrite its parent's
 * file, nor a separate rank another's.
 */
static char *summary_path(const struct pomp_settings *settings)
{
	const struct pomp_rank *rank = &pomp_rank;
	char *path = pomp_at_start_path(settings->summary), *own = NULL;

	if (path == NULL)
		return NULL;
	if (pomp_process.child) {
		if (asprintf(&own, "%s-%ld", path, (long)pomp_process.pid) < 0)
			own = NULL;
	} else if (rank->ranks != NULL && !settings->together) {
		if (asprintf(&own, "%s-%u", path, rank->ranks->number) < 0)
			own = NULL;
	} else {
		return path;
	}
	free(path);
	return own;
}

/* Returns NULL with errno on failure. */
static FILE *open_file(const struct pomp_settings *settings)
{
	char *path = summary_path(settings);
	FILE *file = path != NULL ? fopen(path, "we") : NULL;
	int error = errno;

	free(path);
	errno = error;
	return file;
}

static int print_to(FILE *out, const struct summary *summary, size_t rows)
{
	return summary_print(
	    out, summary, (enum summary_format)pomp_process.settings.format, COLUMNS, rows);
}

/* Returns false, with errno, when the file is incomplete. */
static bool print_to_file(const struct summary *summary)
{
	FILE *out = open_file(&pomp_process.settings);

	if (out == NULL)
		return false;
	int failed = print_to(out, summary, 0);
	int error = errno;
	if (fclose(out) != 0 && !failed)
		return false;
	errno = error;
	return !failed;
}

/*
 * Prints in one piece, because several processes of a run may end at the same time; without memory
 * for that, prints directly.
 */
static void print_at_once(const struct summary *summary, size_t rows)
{
	char *text = NULL;
	size_t length = 0;
	FILE *out = open_memstream(&text, &length);
	int failed = out == NULL || print_to(out, summary, rows) != 0;

	if (out != NULL && fclose(out) == 0 && !failed)
		fwrite(text, 1, length, pomp_message_file());
	else
		print_to(pomp_message_file(), summary, rows);
	free(text);
}

/*
 * If the summary cannot be written to the file it is printed, because the run may have taken hours.
 * Returns whether it was printed or written.
 */
static bool print_summary(const struct summary *summary)
{
	const struct pomp_settings *settings = &pomp_process.settings;

	if (strcmp(settings->summary, "off") == 0)
		return false;
	struct pomp_held_limit held = pomp_hold_limit();
	bool is_wanted = strcmp(settings->summary, "stderr") != 0;
	errno = 0;
	bool is_written = is_wanted && print_to_file(summary);

	if (is_wanted && !is_written)
		fprintf(pomp_message_file(),
		    "pomp: POMP_SUMMARY='%s': %s; the summary is printed here\n", settings->summary,
		    strerror(errno));
	if (!is_written)
		print_at_once(summary, settings->format == SUMMARY_TEXT ? SUMMARY_ROWS_SCREEN : 0);
	pomp_release_limit(&held);
	return true;
}

/*
 * Returns the processors for the conversion: any single one if it cannot use threads, or if the
 * logs are small.
 */
static const cpu_set_t *processors_to_convert(cpu_set_t *one)
{
	bool is_little = load_relaxed(&pomp_experiment.used) < 2 * TRACE_CONVERSION_THREAD;

	if (!is_little && (!pomp_process.exiting || pomp_thread_holds_exit()))
		return pomp_processors();
	CPU_ZERO(one);
	CPU_SET(0, one);
	return one;
}

/* Returns whether there is a trace that remains. */
static bool has_trace(void)
{
	const struct pomp_settings *settings = &pomp_process.settings;

	return load_relaxed(&pomp_experiment.path) != NULL &&
	       (settings->ring == 0 || settings->ring_keep);
}

/* What the whole run had of the processors is not said: the trace is a small part of it. */
static void keep_rings(void)
{
	const char *path = load_relaxed(&pomp_experiment.path);

	pomp_experiment_close();
	fprintf(pomp_message_file(),
	    "pomp: the latest events are kept in '%s'; `ompreport recover %s` makes a trace of them\n",
	    path, path);
}

/*
 * Turns the logs into an archive. The summary gets the archive's folder and the number of its
 * events.
 */
static void convert_trace(struct summary *summary)
{
	struct trace_conversion conversion = {
	    .has_event_cost = summary->event_cost != SUMMARY_NOT_MEASURED,
	    .event_cost = summary->event_cost,
	};
	cpu_set_t one;
	char *error;

	if (load_relaxed(&pomp_experiment.path) == NULL)
		return;
	if (!has_trace()) {
		pomp_experiment_discard();
		return;
	}
	if (pomp_process.settings.ring != 0) {
		keep_rings();
		return;
	}
	const struct trace_log_processor processor = {.processors = summary->processors,
	    .ran = summary->processor_time,
	    .system = summary->system,
	    .faults = summary->faults,
	    .fault_cost = summary->fault_cost,
	    .quota = summary->quota,
	    .throttled = summary->throttled,
	    .stolen = summary->stolen,
	    .idle = summary->idle,
	    .online = summary->online,
	    .bound = summary->bound,
	    .sample_period =
		pomp_process.settings.sampling > 0 ? 1000000 / pomp_process.settings.sampling : 0};
	pomp_experiment_append(TRACE_LOG_PROCESSOR, &processor, sizeof(processor), NULL, 0);
	pomp_experiment_close();
	if (pomp_rank.traced != NULL) {
		pomp_rank_convert(summary);
		return;
	}
	pomp_rank_without_mpi();
	const char *folder = load_relaxed(&pomp_experiment.path);
	if (pomp_process.settings.convert == POMP_CONVERT_LATER)
		return;
	conversion.processors = processors_to_convert(&one);
	if (trace_convert(folder, &conversion, &error) != 0) {
		fprintf(pomp_message_file(), "pomp: %s; `ompreport recover %s` can try again\n",
		    error != NULL ? error : "out of memory", folder);
		free(error);
		return;
	}
	if (pomp_process.settings.verbose)
		fprintf(pomp_message_file(),
		    "pomp: wrote '%s/traces.otf2': %llu events of %llu threads\n", folder,
		    (unsigned long long)conversion.events,
		    (unsigned long long)conversion.locations);
	summary->trace_path = folder;
	summary->events = conversion.events;
}

static void report_memory(void)
{
	const char *what = load_relaxed(&pomp_process.memory_for);

	if (what != NULL)
		fprintf(pomp_message_file(),
		    "pomp: out of memory %llu times, first for %s; profile and trace lack what it was for\n",
		    (unsigned long long)load_relaxed(&pomp_process.memory_failures), what);
}

/*
 * Ranks report together what happened to their common folder. But only this rank knows that it had
 * no folder before, for another reason, and lost events meanwhile.
 */
static void report_late_folder(uint64_t lost)
{
	const struct pomp_experiment *experiment = &pomp_experiment;

	if (experiment->late != 0 && lost > 0 && experiment->problem[0] == '\0')
		fprintf(pomp_message_file(),
		    "pomp: experiment folder before MPI_Init: %s; the trace lacks %llu events\n",
		    strerror(experiment->late), (unsigned long long)lost);
}

/* Reports descriptors whose names are not in the list of constructs: see shared/constructs.h. */
static void report_unknown_names(void)
{
	const struct pomp_regions *regions = &pomp_regions;
	const struct pomp_region *first = regions->first_unknown;

	if (regions->unknown > 0)
		fprintf(pomp_message_file(),
		    "pomp: descriptor '%s' at %s:%d, one of %zu with unknown names: expected a "
		    "construct's name or 'region'; measured as 'other', like user regions\n",
		    first->name, first->file, first->begin_first, regions->unknown);
}

/* Names are needed for the profile, and for a trace that is converted now. */
static bool needs_names(const struct pomp_settings *settings)
{
	return settings->profiling || (has_trace() && settings->convert == POMP_CONVERT_EXIT);
}

/* Half a hundredth of the run. For a trace, which takes longer to convert, everything is read. */
static uint64_t allowed_for_lines(void)
{
	const struct pomp_clock *clock = &pomp_process.clock;

	return has_trace() ? UINT64_MAX : (clock->end.monotonic - clock->start.monotonic) / 200;
}

/* Returns whether what is printed has the places of samples, which need names. */
static bool shows_samples(void)
{
	const struct pomp_settings *settings = &pomp_process.settings;
	bool is_screen =
	    settings->format == SUMMARY_TEXT && strcmp(settings->summary, "stderr") == 0;

	if (pomp_rank.profiled != NULL || pomp_process.tells_serial)
		return true;
	return strcmp(settings->summary, "off") != 0 &&
	       (!is_screen || pomp_hot_code_samples() >= SUMMARY_SAMPLES_SCREEN);
}

/* Fewer are about a tenth of a second: a program without OpenMP that takes no longer is left alone.
 */
#define SAMPLES_WORTH_PRINTING 25

/*
 * A child that measured nothing need not explain that: it was not started to be measured. Neither
 * need a program that was not instrumented and does not use OpenMP, if the tool was loaded.
 */
static bool has_something_to_say(const struct summary *summary)
{
	if (pomp_process.tells_serial)
		return summary->samples >= SAMPLES_WORTH_PRINTING;
	if (pomp_process.has_tool && pomp_regions.count == 0)
		return false;
	return !pomp_process.child || summary->events > 0;
}

void pomp_report(unsigned stuck)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	struct summary summary;

	if (needs_names(&pomp_process.settings)) {
		pomp_regions_name();
		pomp_locks_name();
	}

	pomp_address_allow(allowed_for_lines());
	for (size_t i = 0; i < pomp_regions.count; i++)
		pomp_region_publish(pomp_regions.entry[i]);
	if (!pomp_fill_summary(&summary))
		pomp_out_of_memory("the summary");
	if (pomp_process.settings.profiling && !pomp_hot_code_fill(&summary, shows_samples()))
		pomp_out_of_memory("the samples");
	if (pomp_process.settings.profiling &&
	    !pomp_blocked_code_fill(&summary, pomp_clock_tick(&pomp_process.clock)))
		pomp_out_of_memory("the system calls");
	if (!pomp_python_callers_collect(pomp_clock_tick(&pomp_process.clock)) ||
	    (pomp_process.settings.profiling && !pomp_python_callers_fill(&summary)))
		pomp_out_of_memory("the lines of Python");
	pomp_python_callers_define();
	pomp_hot_code_define();
	pomp_blocked_code_define();
	report_late_folder(summary.lost_events);
	convert_trace(&summary);
	if (pomp_experiment.problem[0] != '\0')
		fprintf(pomp_message_file(), "pomp: %s; the trace lacks what came after\n",
		    pomp_experiment.problem);
	report_memory();
	pomp_scale_report(&pomp_scale, pomp_message_file());
	if (stuck > 0)
		fprintf(pomp_message_file(),
		    "pomp: %u threads were stopped within an event; their last events are "
		    "missing\n",
		    stuck);
	unsigned deaf = load_relaxed(&pomp_metrics.threads_without_metrics);
	if (deaf > 0)
		fprintf(pomp_message_file(),
		    "pomp: %u threads could not start their counters; the metrics lack them\n",
		    deaf);
	const struct pomp_ranks *ranks = pomp_rank.lost ? NULL : pomp_rank.profiled;
	struct pomp_rank_summaries others = {0};
	if (!pomp_process.child && (ranks == NULL || ranks->rank == 0))
		report_unknown_names();
	if (ranks != NULL && pomp_process.settings.profiling)
		pomp_rank_merge_summaries(ranks, &summary, &others);
	if (pomp_process.settings.profiling && has_something_to_say(&summary) &&
	    (ranks == NULL || ranks->rank == 0))
		pomp_process.told_serial = print_summary(&summary);
	pomp_rank_free_summaries(&others);
	pomp_blocked_code_free(&summary);
	pomp_hot_code_free(&summary);
	pomp_python_callers_free(&summary);
	pomp_names_search_end();
	pomp_release_summary(&summary);
}
