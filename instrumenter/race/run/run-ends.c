/* SPDX-License-Identifier: BSD-3-Clause */
/* What is printed of the ends of runs, while they go on and before the report. */
#include "run-ends.h"

#include "construct-report.h"

#include <string.h>

/* " with input 'small 3'", or nothing if there is one without a name. */
static const char *with_input(const struct race_run_log *log, const struct race_run *run)
{
	return log->inputs != NULL
		   ? arena_format(log->arena, " with input '%s'", log->inputs[run->input])
		   : "";
}

static const char *describe_run(const struct race_run_log *log, const struct race_run *run)
{
	const char *chunk =
	    run->chunk > 0 ? arena_format(log->arena, ", loops in chunks of %u", run->chunk) : "";

	return arena_format(log->arena, "%s%s %u threads%s%s%s%s%s, seed %u", with_input(log, run),
	    log->inputs != NULL ? "," : " with", run->threads,
	    run->schedule != NULL ? ", OMP_SCHEDULE=" : "",
	    run->schedule != NULL ? run->schedule : "", chunk,
	    run->cancellation ? ", OMP_CANCELLATION=true" : "",
	    run->strands || log->memory ? "" : ", tasks in the order of their thread", run->seed);
}

void race_say_end(const struct race_run_log *log, double limit, bool has_cycle)
{
	const unsigned index = log->count - 1;
	const struct race_run *run = &log->runs[index], *first = &log->runs[run->input];
	const char *which = describe_run(log, run);

	if (log->options->quiet)
		return;
	if (run->end == RACE_KILLED && (run == first || first->end != RACE_KILLED))
		report_warning(NULL, "run %u,%s, was ended by signal %d (%s)", index + 1, which,
		    run->status, strsignal(run->status));
	else if (run->end == RACE_HUNG)
		report_warning(NULL,
		    "run %u,%s, did not end within %.0f s (the first took %.1f s): it was ended; "
		    "%s",
		    index + 1, which, limit, first->seconds,
		    has_cycle ? "threads of it took locks in a cycle, which the report names"
			      : "--run-time=SECONDS gives it more");
	else if (run->end == RACE_DEADLOCKED)
		report_warning(NULL,
		    "run %u,%s, was ended: its threads waited for each other for ever, which the "
		    "report explains",
		    index + 1, which);
	else if (run->end == RACE_OUT_OF_TIME)
		report_note(NULL, "run %u,%s, was ended: the %u s of --time are over", index + 1,
		    which, log->options->seconds);
	else if (run->end == RACE_EXITED && run != first && first->end == RACE_EXITED &&
		 run->status != first->status)
		report_warning(NULL, "run %u,%s, ended with exit status %d, the first with %d",
		    index + 1, which, run->status, first->status);
}

static void say_failure(const struct race_run_log *log, const struct race_run *first)
{
	bool failed =
	    first->end == RACE_KILLED || (first->end == RACE_EXITED && first->status != 0);

	for (unsigned i = 0; failed && i < log->count; i++)
		failed = log->runs[i].input != first->input ||
			 (log->runs[i].end == first->end && log->runs[i].status == first->status);
	if (!failed)
		return;
	if (first->end == RACE_KILLED)
		report_warning(NULL,
		    "'%s'%s was ended by signal %d (%s) in each run: what follows that was not looked "
		    "at",
		    log->program, with_input(log, first), first->status, strsignal(first->status));
	else
		report_warning(NULL,
		    "'%s'%s ended with exit status %d in each run: if it failed, as without its "
		    "arguments or input, little of it was looked at",
		    log->program, with_input(log, first), first->status);
}

void race_say_failures(const struct race_run_log *log)
{
	for (unsigned i = 0; i < log->count && i < log->input_count && !log->options->quiet; i++)
		say_failure(log, &log->runs[i]);
}
