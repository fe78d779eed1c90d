/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plain advice: the sentences of the rules with the greatest losses, if these are large enough to
 * be worth a change; and the rules that look at the program as a whole.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "advice.h"

#define COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

/* A loss below this part of the capacity is not worth a sentence. */
#define LOSS_WORTH_TELLING 0.03

/* However busy the machine was, nothing is said about a smaller one. */
#define LEAST_LOSS 0.02

/* However busy the machine was, a loss counts for no more than so many times of itself. */
#define MOST_SCALED 5

/* A greater loss of the program is told before what other programs take from it. */
#define SMALL_LOSS 0.15

/* A parallel region of this many nanoseconds is not too short to pay for its team. */
#define LONG_REGION 1000000

/* ns: in a shorter run, the start of threads and processes is a significant part. */
#define TOO_SHORT_RUN 10000000

/* If the part of the thread time that is no loss is below this, there is something to report. */
#define WORKS_WELL 0.9

static double short_run(const struct advice_view *view, char *text)
{
	char wall[SUMMARY_FIGURE_SIZE];

	if (view->summary->wall >= TOO_SHORT_RUN || view->summary->region_count == 0 ||
	    view->summary->is_part)
		return 0;
	snprintf(text, SUMMARY_ADVICE_SIZE,
	    "The whole run took %s, too short to draw conclusions from: measure a longer one.",
	    summary_format_time(wall, view->summary->wall));
	return 1;
}

static bool is_parallel(const struct summary_region *region)
{
	return construct_kind(advice_construct(region)) == CONSTRUCT_KIND_PARALLEL;
}

static bool has_parallel(const struct summary *summary)
{
	for (size_t i = 0; i < summary->region_count; i++) {
		if (is_parallel(&summary->regions[i]))
			return true;
	}
	return false;
}

static double one_thread(const struct advice_view *view, char *text)
{
	const struct summary *summary = view->summary;
	const char *sentence;

	/* Threads outside of teams may have worked: nothing is known about them. */
	if (summary->threads > 1 || summary->locations > 1 || summary->region_count == 0)
		return 0;
	if (!has_parallel(summary) && summary->is_part)
		return 0;
	if (!has_parallel(summary))
		sentence = "One thread was measured, and no parallel region was executed.";
	else if (summary->processors == 1)
		sentence = "All parallel regions ran with one thread; the process may use one "
			   "processor.";
	else
		sentence =
		    "All parallel regions ran with one thread. Where the program itself does "
		    "not ask for that, OMP_NUM_THREADS sets how many there are.";
	snprintf(text, SUMMARY_ADVICE_SIZE, "%s", sentence);
	return 1;
}

static double serial_part(const struct advice_view *view, char *text)
{
	const struct summary *summary = view->summary;
	uint64_t processes = summary->processes ? summary->processes : 1;
	const uint64_t *categories = view->figures->categories;
	double loss = summary_share(categories[SUMMARY_IDLE], view->figures->capacity);
	double serial = view->figures->serial_share;
	/* The part of it in which the first threads ran. */
	double ran = summary_share(categories[SUMMARY_SERIAL], summary->wall * processes);
	char lost[SUMMARY_FIGURE_SIZE], alone[SUMMARY_FIGURE_SIZE];

	/* If several threads have teams of their own, they may work while one of them does not. */
	if (loss <= 0 || serial <= 0 || ran <= 0 || summary->roots > processes)
		return 0;
	loss *= ran / serial;
	snprintf(text, SUMMARY_ADVICE_SIZE,
	    "%s of the wall time runs on one thread%s, outside parallel regions%s, while the others "
	    "idle (%s of the thread time). No number of threads can make this program more than "
	    "%.1f times faster than now unless that part becomes parallel or shorter.",
	    summary_format_share(alone, ran), processes > 1 ? " of each process" : "",
	    summary->mpi_calls > 0 ? " and MPI" : "", summary_format_share(lost, loss), 1 / serial);
	return loss;
}

/* The part of the capacity that no other category explains. */
static double outside_teams(const struct advice_view *view, char *text)
{
	double loss =
	    summary_share(view->figures->categories[SUMMARY_OTHER], view->figures->capacity);
	char share[SUMMARY_FIGURE_SIZE];

	if (loss <= 0 || view->summary->threads <= 1 ||
	    view->summary->useful == SUMMARY_NOT_MEASURED)
		return 0;
	snprintf(text, SUMMARY_ADVICE_SIZE,
	    "%s of the thread time is in no team: parallel regions have fewer threads than the "
	    "largest one (%" PRIu64 "%s), or not all was measured.",
	    summary_format_share(share, loss), view->summary->threads,
	    view->summary->processes > 1 ? " in all processes" : "");
	return loss;
}

/* A task should run at least ten times as long as its creation takes. */
static double small_tasks(const struct advice_view *view, char *text)
{
	const struct summary_task *worst = NULL;
	char create[SUMMARY_FIGURE_SIZE], execute[SUMMARY_FIGURE_SIZE];

	for (size_t i = 0; i < view->summary->task_count; i++) {
		const struct summary_task *task = &view->summary->tasks[i];

		if (!advice_is_small(task) || !advice_knows_creation(task))
			continue;
		if (!worst || task->create_time > worst->create_time)
			worst = task;
	}
	if (!worst || (!view->summary->chosen && worst == advice_small_tasks_at_end(view)))
		return 0;
	snprintf(text, SUMMARY_ADVICE_SIZE,
	    "%.100s:%d task: a task runs %s on average and takes %s to create; make them larger, for instance "
	    "with a cut-off (if, final) or taskloop grainsize.",
	    summary_base_name(worst->file), worst->begin_line,
	    summary_format_time(execute, worst->execute_time / worst->executed),
	    summary_format_time(create, worst->create_time / worst->created));
	advice_add_expected(
	    view, text, &(struct summary_proposal){.change = SUMMARY_LARGER_TASKS, .task = worst});
	return summary_share(worst->create_time, view->figures->chosen);
}

/* With several processes it is unknown which of them share the processors. */
static const char *why_late(const struct summary *summary)
{
	if (summary->processors > 0 && summary->threads > summary->processors)
		return "there are more threads than processors, and some come late";
	return "threads begin long after a fork or end long before its join; what delays them was "
	       "not measured";
}

/*
 * Whether threads that wait without a processor may explain what starting and ending teams takes:
 * then no other cause is known.
 */
static bool is_mostly_delayed(const struct summary *summary, uint64_t management)
{
	return summary->wait_delayed != SUMMARY_NOT_MEASURED &&
	       summary->wait_delayed >= management / 2;
}

static double short_teams(const struct advice_view *view, char *text)
{
	uint64_t management = view->figures->categories[SUMMARY_MANAGEMENT];
	uint64_t late = view->summary->late_delayed;
	uint64_t visits = 0, time = 0;
	char share[SUMMARY_FIGURE_SIZE], mean[SUMMARY_FIGURE_SIZE];

	for (size_t i = 0; i < view->summary->region_count; i++) {
		const struct summary_region *region = &view->summary->regions[i];

		if (is_parallel(region)) {
			visits = summary_add(visits, region->visits);
			time = summary_add(time, region->time);
		}
	}
	if (management == SUMMARY_NOT_MEASURED || visits == 0)
		return 0;
	/* Threads that begin late because they have no processor are advise_delayed()'s. */
	if (late != SUMMARY_NOT_MEASURED)
		management -= late < management ? late : management;
	double loss = summary_share(management, view->figures->capacity);
	if (loss <= 0)
		return 0;
	summary_format_share(share, loss);
	summary_format_time(mean, time / visits);
	if (time / visits >= LONG_REGION && is_mostly_delayed(view->summary, management))
		return 0;
	if (time / visits < LONG_REGION)
		snprintf(text, SUMMARY_ADVICE_SIZE,
		    "Starting and ending teams takes %s of the thread time: a parallel region "
		    "lasts %s on average; put several loops into one region, or make it longer.",
		    share, mean);
	else
		snprintf(text, SUMMARY_ADVICE_SIZE,
		    "Starting and ending teams takes %s of the thread time although a parallel "
		    "region lasts %s on average: %s.",
		    share, mean, why_late(view->summary));
	return loss;
}

static double measuring(const struct advice_view *view, char *text)
{
	double loss = summary_share(view->summary->event_cost, view->figures->capacity);
	char share[SUMMARY_FIGURE_SIZE];

	snprintf(text, SUMMARY_ADVICE_SIZE,
	    "Measuring itself takes about %s of the thread time: leave out the constructs that run "
	    "most often before trusting the smaller figures.",
	    summary_format_share(share, loss));
	return loss;
}

/*
 * Reported however few there are, because the counts above are then too low, or the trace has gaps.
 */
static double lost_events(const struct advice_view *view, char *text)
{
	uint64_t lost = view->summary->lost_events, untraced = view->summary->untraced_events;
	char count[SUMMARY_FIGURE_SIZE];

	if (lost == 0 || lost == SUMMARY_NOT_MEASURED)
		return 0;
	if (view->summary->is_part)
		snprintf(text, SUMMARY_ADVICE_SIZE,
		    "%s events of the whole run were lost: where some of them belong to the part that "
		    "was chosen, its figures are too low.",
		    summary_format_exact(count, lost));
	else if (lost > untraced)
		snprintf(text, SUMMARY_ADVICE_SIZE,
		    "%s events were not measured: the figures are too low.",
		    summary_format_exact(count, lost - untraced));
	else
		snprintf(text, SUMMARY_ADVICE_SIZE,
		    "%s events are missing from the trace, which could not be written or became "
		    "too large; %s.",
		    summary_format_exact(count, untraced),
		    view->summary->from_trace ? "the figures here are those of the rest"
					      : "the figures here are complete");
	if (lost == untraced && !view->summary->from_trace && !view->summary->is_part)
		return LOSS_WORTH_TELLING;
	return summary_share(lost, summary_add(lost, view->summary->events)) + LOSS_WORTH_TELLING;
}

/* Whose loss a rule looks at. */
enum about {
	ABOUT_PROGRAM,
	ABOUT_MACHINE, /* what other programs take from it */
	ABOUT_RUN,     /* how far its figures can be trusted */
};

struct rule {
	advice_rule *advise;
	enum about about;
};

/* For a whole run: these rules compare threads and regions with each other. */
static const struct rule rules[] = {
    {short_run, ABOUT_RUN},
    {one_thread, ABOUT_RUN},
    {advise_mpi, ABOUT_PROGRAM},
    {advise_delayed, ABOUT_MACHINE},
    {advise_blocked, ABOUT_PROGRAM},
    {advise_kernel, ABOUT_PROGRAM},
    {serial_part, ABOUT_PROGRAM},
    {advise_waits_at_end, ABOUT_PROGRAM},
    {advise_waits_at_entry, ABOUT_PROGRAM},
    {advise_lock, ABOUT_PROGRAM},
    {small_tasks, ABOUT_PROGRAM},
    {short_teams, ABOUT_PROGRAM},
    {outside_teams, ABOUT_PROGRAM},
    {measuring, ABOUT_RUN},
    {lost_events, ABOUT_RUN},
};

/*
 * For a chosen part: no rule here needs other threads or regions, or figures that cover all of
 * them. But lost events are lost for every part.
 */
static const struct rule rules_of_chosen[] = {
    {advise_chosen_end, ABOUT_PROGRAM},
    {advise_waits_at_entry, ABOUT_PROGRAM},
    {advise_lock, ABOUT_PROGRAM},
    {small_tasks, ABOUT_PROGRAM},
    {lost_events, ABOUT_RUN},
};

/*
 * What orders the sentences. A loss of the program is seen in the time that it would have had
 * without the other programs on the machine: what these take says nothing about it, and comes
 * before its small losses only, unless it is the program itself that has too many threads.
 */
static double weight_of(const struct advice_view *view, enum about about, double loss)
{
	const struct summary *summary = view->summary;
	bool too_many = advice_lacks_processors(summary);
	double left = 1 - advice_delayed_share(view);

	if (about == ABOUT_MACHINE)
		return too_many || loss < SMALL_LOSS ? loss : SMALL_LOSS;
	if (about == ABOUT_RUN || summary->chosen || too_many)
		return loss;
	return left * MOST_SCALED > 1 ? loss / left : loss * MOST_SCALED;
}

/* No rule found a loss that is worth a sentence, but together there may be some. */
static int write_default(const struct advice_view *view, char *text)
{
	double total = view->figures->total;
	char share[SUMMARY_FIGURE_SIZE];

	summary_format_share(share, total);
	if (view->summary->region_count == 0)
		snprintf(text, SUMMARY_ADVICE_SIZE,
		    "Nothing was measured that advice could be based on.");
	else if (view->summary->chosen)
		snprintf(text, SUMMARY_ADVICE_SIZE,
		    "No wait of what was chosen is worth a change. Advice on the whole run compares "
		    "all threads and regions.");
	else if (total < 0)
		snprintf(text, SUMMARY_ADVICE_SIZE, "No region shows a loss worth a change.");
	else if (total < WORKS_WELL)
		snprintf(text, SUMMARY_ADVICE_SIZE,
		    "%s of the thread time is outside of waits, of starting and ending teams, and of "
		    "idle threads. The tables show what each construct loses of the rest.",
		    share);
	else
		snprintf(text, SUMMARY_ADVICE_SIZE,
		    "No single loss is worth a change: %s of the thread time is outside of waits, of "
		    "starting and ending teams, and of idle threads.",
		    share);
	return 1;
}

int summary_advise(
    const struct summary *summary, char advice[SUMMARY_ADVICE_COUNT][SUMMARY_ADVICE_SIZE])
{
	struct summary_figures figures;
	struct advice_view view = {
	    summary, &figures, advice_barrier_waits(summary), advice_waits_behind(summary)};
	double weights[SUMMARY_ADVICE_COUNT];
	const struct rule *used = summary->chosen ? rules_of_chosen : rules;
	size_t rule_count = summary->chosen ? COUNT_OF(rules_of_chosen) : COUNT_OF(rules);
	int count = 0;

	summary_compute(summary, &figures);
	for (size_t i = 0; i < rule_count; i++) {
		char text[SUMMARY_ADVICE_SIZE];
		double loss = used[i].advise(&view, text);
		double weight = weight_of(&view, used[i].about, loss);
		int place = count;

		if (weight < LOSS_WORTH_TELLING || loss < LEAST_LOSS)
			continue;
		while (place > 0 && weights[place - 1] < weight)
			place--;
		/* What is missing is said in any case, in the last place if need be. */
		if (place == SUMMARY_ADVICE_COUNT && used[i].advise == lost_events)
			place--;
		if (place == SUMMARY_ADVICE_COUNT)
			continue;
		if (count < SUMMARY_ADVICE_COUNT)
			count++;
		for (int below = count - 1; below > place; below--) {
			weights[below] = weights[below - 1];
			memcpy(advice[below], advice[below - 1], SUMMARY_ADVICE_SIZE);
		}
		weights[place] = weight;
		memcpy(advice[place], text, SUMMARY_ADVICE_SIZE);
	}
	return count ? count : write_default(&view, advice[0]);
}
