/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Plain advice: each rule looks at one kind of loss, says how much of the thread time it takes and,
 * if that is enough to be worth a change, writes one or two sentences. The greatest losses are
 * told.
 */
#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

#include "shared/summary-figures.h"

/* A loss below this part of the capacity is not worth a sentence. */
#define LOSS_WORTH_TELLING 0.03

/* A parallel region of this many nanoseconds is not too short to pay for its team. */
#define LONG_REGION 1000000

struct view {
	const struct summary *summary;
	const struct summary_figures *figures;
};

/* Returns the loss as part of the capacity, 0 for none; text is written only when there is one. */
typedef double advice_rule(const struct view *view, char *text);

/* The system starts the threads of the first region within about this many nanoseconds. */
#define TOO_SHORT_RUN 10000000

static double short_run(const struct view *view, char *text)
{
	char wall[SUMMARY_FIGURE_SIZE];

	if (view->summary->wall >= TOO_SHORT_RUN || view->summary->region_count == 0)
		return 0;
	snprintf(text, SUMMARY_ADVICE_SIZE,
	    "The whole run took %s, of which starting the threads is a part that counts: measure a "
	    "longer one before you draw conclusions.",
	    summary_format_time(wall, view->summary->wall));
	return 1;
}

static double no_parallel_time(const struct view *view, char *text)
{
	const struct summary *summary = view->summary;

	if (summary->threads > 1 || summary->region_count == 0)
		return 0;
	snprintf(text, SUMMARY_ADVICE_SIZE,
	    "Only one thread ran. Set OMP_NUM_THREADS to use more; the waits below then become "
	    "visible.");
	return 1;
}

static double serial_part(const struct view *view, char *text)
{
	double loss =
	    summary_share(view->figures->categories[SUMMARY_IDLE], view->figures->capacity);
	double serial = view->figures->serial_share;
	char lost[SUMMARY_FIGURE_SIZE], alone[SUMMARY_FIGURE_SIZE];

	if (loss <= 0 || serial <= 0)
		return 0;
	snprintf(text, SUMMARY_ADVICE_SIZE,
	    "%s of the wall time runs on one thread, outside parallel regions, which idles away %s "
	    "of the thread time. No number of threads can make this program more than %.1f times "
	    "faster unless that part becomes parallel or shorter.",
	    summary_format_share(alone, serial), summary_format_share(lost, loss), 1 / serial);
	return loss;
}

/* What can be done about the waits of one kind of construct. */
static const struct remedy {
	const char *name;
	const char *text;
} remedies[] = {
    {"for", "its iterations take unequal time: try schedule(dynamic) or schedule(guided)"},
    {"taskloop", "its iterations take unequal time: try a smaller grainsize"},
    {"sections", "its sections are unequal or fewer than the threads: split the long ones"},
    {"single", "one thread works while the others wait: make it nowait, or its work parallel"},
    {"barrier", "threads arrive unevenly: balance the work before it, or do without it"},
    {"parallel", "its threads get unequal work: share it out more evenly"},
    {"critical", "threads queue for it: make it shorter, or use a reduction or atomic"},
    {"ordered", "iterations wait for their turn: move work out of the ordered part"},
    {"taskwait", "threads wait for tasks: create more of them, or earlier"},
    {"taskgroup", "threads wait for tasks: create more of them, or earlier"},
};

/* Equal work and yet a wait at the end: the time is lost before the work begins, or beside it. */
static bool threads_came_late(const struct summary_region *region)
{
	return region->imbalance != SUMMARY_NOT_MEASURED &&
	       region->imbalance < summary_gain(region) / 4;
}

static const char *remedy_for(const struct summary_region *region)
{
	const char *name = region->name;

	if (threads_came_late(region))
		return "the work is shared evenly, but some threads begin late or lose their "
		       "processors meanwhile";
	for (size_t i = 0; name && i < sizeof(remedies) / sizeof(remedies[0]); i++) {
		if (strcmp(remedies[i].name, name) == 0)
			return remedies[i].text;
	}
	return "look at what the threads wait for there";
}

/* What a rule about regions weighs: SUMMARY_NOT_MEASURED where it does not apply. */
typedef uint64_t region_loss(const struct summary_region *region);

static uint64_t loss_at_end(const struct summary_region *region)
{
	return region->enter_wait == SUMMARY_NOT_MEASURED || region->enter_wait == 0
		   ? summary_gain(region)
		   : SUMMARY_NOT_MEASURED;
}

static uint64_t loss_at_entry(const struct summary_region *region)
{
	return region->enter_wait;
}

/*
 * The region to name. The enclosing parallel region of an uneven loop shows about the same loss as
 * the loop; the inner one, which is not "parallel", is the one to mend.
 */
static const struct summary_region *worst_region(
    const struct summary *summary, region_loss *loss_of)
{
	const struct summary_region *worst = NULL;
	double worst_weight = 0;

	for (size_t i = 0; i < summary->region_count; i++) {
		const struct summary_region *region = &summary->regions[i];
		uint64_t loss = loss_of(region);
		double weight = (double)loss;

		if (loss == SUMMARY_NOT_MEASURED)
			continue;
		if (region->name && strcmp(region->name, "parallel") == 0)
			weight /= 1.25;
		if (weight > worst_weight) {
			worst = region;
			worst_weight = weight;
		}
	}
	return worst;
}

static double region_waits(const struct view *view, char *text, region_loss *loss_of)
{
	const struct summary_region *region = worst_region(view->summary, loss_of);
	char place[128], lost[SUMMARY_FIGURE_SIZE], share[SUMMARY_FIGURE_SIZE];
	double loss;

	if (!region)
		return 0;
	loss = summary_share(loss_of(region), view->figures->capacity);
	summary_format_region(place, sizeof(place), region);
	snprintf(text, SUMMARY_ADVICE_SIZE,
	    "%s: threads lose %s there (%s of the thread time); %s.", place,
	    summary_format_time(lost, loss_of(region)), summary_format_share(share, loss),
	    remedy_for(region));
	return loss;
}

static double uneven_region(const struct view *view, char *text)
{
	return region_waits(view, text, loss_at_end);
}

static double contended_region(const struct view *view, char *text)
{
	return region_waits(view, text, loss_at_entry);
}

static double contended_lock(const struct view *view, char *text)
{
	const struct summary_lock *worst = NULL;
	char lost[SUMMARY_FIGURE_SIZE], share[SUMMARY_FIGURE_SIZE];
	double loss;

	for (size_t i = 0; i < view->summary->lock_count; i++) {
		const struct summary_lock *lock = &view->summary->locks[i];

		/* A critical is told by its region. */
		if (lock->wait == SUMMARY_NOT_MEASURED || !lock->name ||
		    strncmp(lock->name, "critical", strlen("critical")) == 0)
			continue;
		if (!worst || lock->wait > worst->wait)
			worst = lock;
	}
	if (!worst)
		return 0;
	loss = summary_share(worst->wait, view->figures->capacity);
	snprintf(text, SUMMARY_ADVICE_SIZE,
	    "%.100s: threads wait %s for it (%s of the thread time): hold it shorter, or use one "
	    "lock for each part of the data.",
	    worst->name, summary_format_time(lost, worst->wait), summary_format_share(share, loss));
	return loss;
}

/* Of the thread time only what the waiting threads lose, not their teams that wait with them. */
static double late_ranks(const struct view *view, char *text)
{
	const struct summary_rank_wait *wait = &view->summary->rank_wait;
	char lost[SUMMARY_FIGURE_SIZE], share[SUMMARY_FIGURE_SIZE], whom[64] = "";
	double loss;

	if (!wait->call)
		return 0;
	if (wait->late != SUMMARY_NOT_MEASURED)
		snprintf(whom, sizeof(whom), ", mostly for rank %" PRIu64, wait->late);
	loss = summary_share(wait->time, view->figures->capacity);
	snprintf(text, SUMMARY_ADVICE_SIZE,
	    "%.60s: ranks wait %s there (%s of the thread time, %s%s): give the ranks equal work, or "
	    "let messages travel while they compute; `ompreport messages` tells who waits where.",
	    wait->call, summary_format_time(lost, wait->time), summary_format_share(share, loss),
	    wait->reason, whom);
	return loss;
}

/* A task should run at least ten times as long as it takes to create it. */
static double small_tasks(const struct view *view, char *text)
{
	const struct summary_task *worst = NULL;
	char create[SUMMARY_FIGURE_SIZE], execute[SUMMARY_FIGURE_SIZE];

	for (size_t i = 0; i < view->summary->task_count; i++) {
		const struct summary_task *task = &view->summary->tasks[i];

		if (task->create_time == SUMMARY_NOT_MEASURED || task->created == 0 ||
		    task->execute_time == SUMMARY_NOT_MEASURED || task->executed == 0)
			continue;
		if (task->create_time / task->created < task->execute_time / task->executed / 10)
			continue;
		if (!worst || task->create_time > worst->create_time)
			worst = task;
	}
	if (!worst)
		return 0;
	snprintf(text, SUMMARY_ADVICE_SIZE,
	    "%.100s:%d task: a task runs %s but takes %s to create; make them larger, for instance "
	    "with a cut-off (if, final) or taskloop grainsize.",
	    summary_base_name(worst->file), worst->begin_line,
	    summary_format_time(execute, worst->execute_time / worst->executed),
	    summary_format_time(create, worst->create_time / worst->created));
	return summary_share(worst->create_time, view->figures->capacity);
}

static double short_teams(const struct view *view, char *text)
{
	double loss =
	    summary_share(view->figures->categories[SUMMARY_MANAGEMENT], view->figures->capacity);
	uint64_t visits = 0, time = 0;
	char share[SUMMARY_FIGURE_SIZE], mean[SUMMARY_FIGURE_SIZE];

	for (size_t i = 0; i < view->summary->region_count; i++) {
		const struct summary_region *region = &view->summary->regions[i];

		if (region->name && strcmp(region->name, "parallel") == 0) {
			visits = summary_add(visits, region->visits);
			time = summary_add(time, region->time);
		}
	}
	if (loss <= 0 || visits == 0)
		return 0;
	summary_format_share(share, loss);
	summary_format_time(mean, time / visits);
	if (time / visits < LONG_REGION)
		snprintf(text, SUMMARY_ADVICE_SIZE,
		    "Starting and ending teams takes %s of the thread time: a parallel region "
		    "lasts %s on average; put several loops into one region, or make it longer.",
		    share, mean);
	else
		snprintf(text, SUMMARY_ADVICE_SIZE,
		    "Starting and ending teams takes %s of the thread time although a parallel "
		    "region lasts %s on average: threads come late; are there more of them than "
		    "processors?",
		    share, mean);
	return loss;
}

static double measuring(const struct view *view, char *text)
{
	double loss = summary_share(view->summary->event_cost, view->figures->capacity);
	char share[SUMMARY_FIGURE_SIZE];

	snprintf(text, SUMMARY_ADVICE_SIZE,
	    "Measuring itself takes about %s of the thread time: leave out the constructs that run "
	    "most often before trusting the smaller figures.",
	    summary_format_share(share, loss));
	return loss;
}

/* Told however few they are: the counts above are too low then, or the trace has gaps. */
static double lost_events(const struct view *view, char *text)
{
	uint64_t lost = view->summary->lost_events, untraced = view->summary->untraced_events;
	char count[SUMMARY_FIGURE_SIZE];

	if (lost == 0 || lost == SUMMARY_NOT_MEASURED)
		return 0;
	if (lost > untraced)
		snprintf(text, SUMMARY_ADVICE_SIZE,
		    "%s events were lost (out of memory, or within signal handlers): the figures "
		    "are too low.",
		    summary_format_exact(count, lost - untraced));
	else
		snprintf(text, SUMMARY_ADVICE_SIZE,
		    "%s events are missing from the trace, which could not be written or became "
		    "too large; the figures here are complete.",
		    summary_format_exact(count, untraced));
	return summary_share(lost, summary_add(lost, view->summary->events)) + LOSS_WORTH_TELLING;
}

static advice_rule *const rules[] = {
    short_run,
    no_parallel_time,
    serial_part,
    uneven_region,
    contended_region,
    contended_lock,
    late_ranks,
    small_tasks,
    short_teams,
    measuring,
    lost_events,
};

static int write_default(const struct view *view, char *text)
{
	char share[SUMMARY_FIGURE_SIZE];

	if (view->summary->region_count == 0)
		snprintf(
		    text, SUMMARY_ADVICE_SIZE, "Nothing was measured that advice could build on.");
	else if (view->figures->total < 0)
		snprintf(text, SUMMARY_ADVICE_SIZE, "No region shows a loss worth a change.");
	else
		snprintf(text, SUMMARY_ADVICE_SIZE,
		    "No single loss is worth a change: threads do useful work %s of the time.",
		    summary_format_share(share, view->figures->total));
	return 1;
}

int summary_advise(
    const struct summary *summary, char advice[SUMMARY_ADVICE_COUNT][SUMMARY_ADVICE_SIZE])
{
	struct summary_figures figures;
	struct view view = {summary, &figures};
	double losses[SUMMARY_ADVICE_COUNT];
	int count = 0;

	summary_compute(summary, &figures);
	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++) {
		char text[SUMMARY_ADVICE_SIZE];
		double loss = rules[i](&view, text);
		int place = count;

		if (loss < LOSS_WORTH_TELLING)
			continue;
		while (place > 0 && losses[place - 1] < loss)
			place--;
		if (place == SUMMARY_ADVICE_COUNT)
			continue;
		if (count < SUMMARY_ADVICE_COUNT)
			count++;
		for (int below = count - 1; below > place; below--) {
			losses[below] = losses[below - 1];
			memcpy(advice[below], advice[below - 1], SUMMARY_ADVICE_SIZE);
		}
		losses[place] = loss;
		memcpy(advice[place], text, SUMMARY_ADVICE_SIZE);
	}
	return count ? count : write_default(&view, advice[0]);
}
