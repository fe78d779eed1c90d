/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ompreport whatif: the effect of changes to the program, from a replay of its trace with these
 * changes. It replays the command line's changes together and shows where the time moves, or each
 * alone; without any, it tries each change that may be useful. The best comes first.
 */
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "memory.h"
#include "prediction.h"
#include "recorder.h"
#include "report.h"
#include "streams.h"

/* Each takes 16 bytes, and again as much if a change rewrites it. */
#define ACTIONS_MAX 100000000

static const struct table_column trial_columns[] = {
    {"change", "change", CELL_TEXT, 0},
    {"wall_ns", "wall", CELL_TIME, 5},
    {"low_ns", NULL, CELL_TIME, 0},
    {"high_ns", NULL, CELL_TIME, 0},
    {"speedup", "times faster", CELL_FACTOR, 4},
    {"speedup_low", "from", CELL_FACTOR, 3},
    {"speedup_high", "to", CELL_FACTOR, 2},
    {"about", "what it is", CELL_TEXT, 1},
};

static const struct table_column move_columns[] = {
    {"region", "file:line construct", CELL_TEXT, 0},
    {"work_ns", "work", CELL_TIME, 4},
    {"work_after_ns", "then", CELL_TIME, 3},
    {"wait_ns", "waits", CELL_TIME, 2},
    {"wait_after_ns", "then", CELL_TIME, 1},
    {"change_ns", "change", CELL_DELTA, 5},
};

/* The description of a kind of change. */
static const struct kind {
	const char *option, *about, *expected;
} kinds[CHANGE_KINDS] = {
    [CHANGE_BALANCE] = {"--balance", "work as even as its parts allow", "work that a team shares"},
    [CHANGE_SCHEDULE] = {"--schedule", "threads take iterations as they go", "a loop"},
    [CHANGE_THREADS] = {"--threads", "another number of threads", ""},
    [CHANGE_FASTER] = {"--faster", "its code takes less time", "a region"},
    [CHANGE_NO_WAIT] = {"--no-wait", "no barrier at its end (nowait)",
	"a construct with a barrier that may be left out"},
    [CHANGE_GRAIN] = {"--grain", "fewer, larger tasks", "a task construct"},
    [CHANGE_UNLOCK] = {"--unlock", "no thread waits for it", "a lock"},
};

/* The regions or locks that the option names; NULL after a message. */
static bool *find_subjects(const struct analysis *analysis, const struct option_change *option)
{
	const struct kind *kind = &kinds[option->kind];
	bool is_lock = option->kind == CHANGE_UNLOCK;
	size_t count = is_lock ? analysis->lock_count : analysis->construct_count;
	bool *subjects = memory_new(count, sizeof(subjects[0]));
	char *pattern = memory_print("%.*s", (int)option->region, option->value);
	bool has_match = false, has_subject = false;

	for (size_t i = 0; i < count; i++) {
		char *name = is_lock ? memory_copy_text(analysis->locks[i].name)
				     : analysis_construct_name(&analysis->constructs[i]);
		bool is_match = report_name_matches(pattern, name);

		subjects[i] =
		    is_match && (is_lock || change_suits(option->kind, &analysis->constructs[i]));
		has_match |= is_match;
		has_subject |= subjects[i];
		free(name);
	}
	if (!has_subject) {
		fprintf(stream_messages(),
		    "ompreport: %s='%s': %s; expected %s, as 'ompreport %s' names it\n",
		    option->option, option->value,
		    has_match ? "what has that name is of another kind"
			      : "the archive has nothing of that name",
		    kind->expected, is_lock ? "locks" : "regions");
		free(subjects);
		subjects = NULL;
	}
	free(pattern);
	return subjects;
}

static uint64_t nanoseconds(const struct whatif *whatif, uint64_t ticks)
{
	return analysis_nanoseconds(whatif->analysis, ticks);
}

/* The change as it would be on the command line. */
static char *trial_name(const struct whatif *whatif, const struct trial *trial)
{
	const struct analysis *analysis = whatif->analysis;
	const struct change *change = &trial->change;
	const char *option = kinds[change->kind].option;
	char *region, *name;

	if (change->kind == CHANGE_THREADS)
		return memory_print("%s=%.0f", option, change->number);
	if (change->kind == CHANGE_UNLOCK)
		return memory_print("%s='%s'", option, analysis->locks[trial->subject].name);
	region = analysis_construct_name(&analysis->constructs[trial->subject]);
	if (change->kind == CHANGE_SCHEDULE && change->number > 0)
		name = memory_print("%s='%s=%s,%.0f'", option, region,
		    loop_schedule_name(change->schedule), change->number);
	else if (change->kind == CHANGE_SCHEDULE)
		name = memory_print(
		    "%s='%s=%s'", option, region, loop_schedule_name(change->schedule));
	else if (change->number > 0)
		name = memory_print("%s='%s=%.0f'", option, region, change->number);
	else
		name = memory_print("%s='%s'", option, region);
	free(region);
	return name;
}

static void put_prediction(
    struct table *table, const struct whatif *whatif, const struct prediction *prediction)
{
	uint64_t walls[] = {prediction->wall, prediction->low, prediction->high};
	/* The slowest run gives the smallest gain. */
	uint64_t bounds[] = {prediction->wall, prediction->high, prediction->low};
	/* The first element of each is the wall time itself. */
	size_t unknown = !prediction->is_known ? 3 : prediction->is_limit ? 1 : 0;

	for (size_t i = 0; i < sizeof(walls) / sizeof(walls[0]); i++)
		table_put_number(
		    table, i < unknown ? SUMMARY_NOT_MEASURED : nanoseconds(whatif, walls[i]));
	for (size_t i = 0; i < sizeof(bounds) / sizeof(bounds[0]); i++)
		table_put_ratio(table, i < unknown ? -1 : whatif_speedup(whatif, bounds[i]));
}

static void add_walls(struct table *table, const struct whatif *whatif)
{
	table_add_number(
	    table, "wall_ns", "wall time", CELL_TIME, nanoseconds(whatif, whatif->recording->wall));
	table_add_number(table, "replayed_ns", "replayed without a change", CELL_TIME,
	    nanoseconds(whatif, whatif->base.wall));
}

/* Explains why a change has no single wall time. */
static void add_note_of_limits(struct table *table)
{
	table_add_note(table,
	    "No event shows how the work that one thread has of a construct can be divided. Where "
	    "that decides, only the limits are known: none of it can be, or all of it anywhere. "
	    "The same holds for what taking the chunks of a loop costs. "
	    "Loops of a program that 'ompinst --tunable-loops' built have marks that show it.");
}

static void add_note_of_busy(struct table *table, const struct whatif *whatif)
{
	char busy[SUMMARY_FIGURE_SIZE];

	if (!whatif_is_busy(whatif))
		return;
	table_add_note(table,
	    "Threads had no processor in parts of this run, which made it longer by %s or more. "
	    "Another run may have more or less of that, so each interval is wider by as "
	    "much in both directions. Trace a run on a machine that does nothing else.",
	    summary_format_time(busy, nanoseconds(whatif, whatif->busy)));
}

static void add_note_of_growth(struct table *table, const struct whatif *whatif)
{
	const struct growth *growth = whatif->growth;
	char *name;

	if (!growth || growth->most == RECORDED_NONE)
		return;
	name = analysis_construct_name(&whatif->analysis->constructs[growth->most]);
	table_add_note(table,
	    "With %u threads instead of %u the work of %s takes %.2f times as long, all threads "
	    "together. Predictions for other numbers of threads go on like that, construct by "
	    "construct.",
	    growth->to, growth->from, name, growth->times);
	free(name);
}

/* Explains why there are no predictions. */
static void add_note_of_replay(struct table *table, const struct whatif *whatif)
{
	uint64_t wall = nanoseconds(whatif, whatif->recording->wall);
	uint64_t replayed = nanoseconds(whatif, whatif->base.wall);
	char recorded[SUMMARY_FIGURE_SIZE], replay[SUMMARY_FIGURE_SIZE];

	if (whatif->base.is_stuck)
		table_add_note(table, "The replay comes to a wait that nothing ends even without a "
				      "change: nothing can be predicted from this trace.");
	else
		table_add_note(table,
		    "Replayed without a change the run takes %s, and it took %s. The trace does not "
		    "show all that decides when threads go on: nothing is predicted from a replay "
		    "that is off by more than 10 %%.",
		    summary_format_time(replay, replayed), summary_format_time(recorded, wall));
}

static void begin_trials(struct table *table, const struct whatif *whatif)
{
	table_init(table, "changes", "WHAT IF (the least wall time first; nine of ten from - to)",
	    trial_columns, sizeof(trial_columns) / sizeof(trial_columns[0]));
	add_walls(table, whatif);
}

/* Ends the table of changes. Returns the exit status. */
static int end_trials(
    struct table *table, const struct whatif *whatif, const struct trial *trials, size_t count)
{
	bool has_limits = false, repeats = whatif_repeats(whatif);

	for (size_t i = 0; i < count; i++)
		has_limits |= trials[i].prediction.is_known && trials[i].prediction.is_limit;
	add_note_of_busy(table, whatif);
	add_note_of_growth(table, whatif);
	if (has_limits)
		add_note_of_limits(table);
	if (!repeats)
		add_note_of_replay(table, whatif);
	else
		table_add_note(
		    table, count > 0 ? "A trace does not show whether the program stays "
				       "correct with a change."
				     : "The run has nothing that a change of these would move.");
	return repeats ? 0 : 1;
}

static void put_trial(
    struct table *table, const struct whatif *whatif, const char *name, const struct trial *trial)
{
	table_put_text(table, name);
	put_prediction(table, whatif, &trial->prediction);
	table_put_text(table, kinds[trial->change.kind].about);
}

/* Returns the exit status. */
static int fill_trials(struct table *table, const struct whatif *whatif)
{
	struct trial trials[WHATIF_TRIALS_MAX];
	size_t count = whatif_repeats(whatif) ? whatif_try(whatif, trials) : 0;

	begin_trials(table, whatif);
	for (size_t i = 0; i < count; i++) {
		char *name = trial_name(whatif, &trials[i]);

		put_trial(table, whatif, name, &trials[i]);
		free(name);
	}
	int status = end_trials(table, whatif, trials, count);
	whatif_free_trials(trials, count);
	return status;
}

/* The command line's changes, each alone and named as there. Returns the exit status. */
static int fill_each(struct table *table, const struct whatif *whatif,
    const struct options *options, const struct change changes[OPTION_CHANGES_MOST])
{
	struct trial trials[OPTION_CHANGES_MOST];
	size_t count = whatif_repeats(whatif) ? options->change_count : 0;

	for (size_t i = 0; i < count; i++)
		trials[i] = (struct trial){.change = changes[i],
		    .given = i,
		    .prediction = whatif_predict(whatif, &changes[i], 1)};
	whatif_sort_trials(trials, count);
	begin_trials(table, whatif);
	for (size_t i = 0; i < count; i++) {
		const struct option_change *option = &options->changes[trials[i].given];
		char *name = memory_print("%s=%s", option->option, option->value);

		put_trial(table, whatif, name, &trials[i]);
		replay_free(&trials[i].prediction.replay);
		free(name);
	}
	return end_trials(table, whatif, trials, count);
}

/* Adds the facts above the table of where the time moves. */
static void add_prediction(struct table *table, const struct whatif *whatif,
    const struct prediction *prediction, const struct options *options)
{
	for (size_t i = 0; i < options->change_count; i++) {
		char *change =
		    memory_print("%s=%s", options->changes[i].option, options->changes[i].value);

		table_add_text(table, "change", "change", change);
		free(change);
	}
	add_walls(table, whatif);
	if (!prediction->is_known)
		return;
	table_add_number(table, "predicted_ns", prediction->is_limit ? NULL : "predicted wall time",
	    CELL_TIME,
	    prediction->is_limit ? SUMMARY_NOT_MEASURED : nanoseconds(whatif, prediction->wall));
	if (prediction->is_limit)
		table_add_number(table, "limit_ns", "if divided anywhere", CELL_TIME,
		    nanoseconds(whatif, prediction->wall));
	table_add_number(
	    table, "low_ns", "  from", CELL_TIME, nanoseconds(whatif, prediction->low));
	table_add_number(
	    table, "high_ns", "  to", CELL_TIME, nanoseconds(whatif, prediction->high));
	table_add_ratio(table, "speedup", prediction->is_limit ? NULL : "times faster", CELL_FACTOR,
	    prediction->is_limit ? -1 : whatif_speedup(whatif, prediction->wall));
	table_add_ratio(table, "speedup_low", prediction->is_limit ? "times faster from" : "  from",
	    CELL_FACTOR, whatif_speedup(whatif, prediction->high));
	table_add_ratio(
	    table, "speedup_high", "  to", CELL_FACTOR, whatif_speedup(whatif, prediction->low));
}

static void fill_moves(struct table *table, const struct whatif *whatif,
    const struct prediction *prediction, const struct options *options)
{
	const struct analysis *analysis = whatif->analysis;
	const struct replay *before = &whatif->base, *after = &prediction->replay;

	table_init(table, "moves", "WHERE THE TIME MOVES (thread time)", move_columns,
	    sizeof(move_columns) / sizeof(move_columns[0]));
	add_prediction(table, whatif, prediction, options);
	for (size_t i = 0; i <= analysis->construct_count && prediction->is_known; i++) {
		char *name;

		if (before->work[i] == after->work[i] && before->waits[i] == after->waits[i])
			continue;
		name = i < analysis->construct_count
			   ? analysis_construct_name(&analysis->constructs[i])
			   : memory_copy_text("outside of all regions");
		table_put_text(table, name);
		table_put_number(table, nanoseconds(whatif, before->work[i]));
		table_put_number(table, nanoseconds(whatif, after->work[i]));
		table_put_number(table, nanoseconds(whatif, before->waits[i]));
		table_put_number(table, nanoseconds(whatif, after->waits[i]));
		/* In a broken trace, the times may have any value. */
		table_put_delta(
		    table, (int64_t)(nanoseconds(whatif, after->work[i] + after->waits[i]) -
				     nanoseconds(whatif, before->work[i] + before->waits[i])));
		free(name);
	}
	add_note_of_busy(table, whatif);
	add_note_of_growth(table, whatif);
	if (!whatif_repeats(whatif)) {
		add_note_of_replay(table, whatif);
		return;
	}
	if (prediction->is_known && prediction->is_limit) {
		table_add_note(table, "The table is of work that is divided anywhere.");
		add_note_of_limits(table);
	}
	if (!prediction->is_known)
		table_add_note(table, "The replay comes to a wait that nothing ends: no wall time "
				      "can be predicted with this change.");
	else
		table_add_note(table, "Nine of ten runs are predicted to be between from and to. "
				      "A trace does not show whether the program stays correct.");
}

/*
 * Checks the memory: each new thread repeats what lies between shared bodies. False after a
 * message.
 */
static bool has_room(const struct recording *recording, const struct option_change *option)
{
	if ((double)recording->actions * option->number <= 10.0 * ACTIONS_MAX)
		return true;
	fprintf(stream_messages(),
	    "ompreport: %s=%s: the replay of a run with %zu changes of what threads do would not fit "
	    "in memory; expected at most %.0f threads\n",
	    option->option, option->value, recording->actions,
	    10.0 * ACTIONS_MAX / (double)recording->actions);
	return false;
}

/* Reads the command line's changes; -1 after a message. The caller frees the sets. */
static int read_changes(const struct whatif *whatif, const struct options *options,
    struct change changes[OPTION_CHANGES_MOST])
{
	for (size_t i = 0; i < options->change_count; i++) {
		const struct option_change *option = &options->changes[i];

		changes[i] = (struct change){
		    .kind = option->kind, .number = option->number, .schedule = option->schedule};
		if (option->kind == CHANGE_THREADS && has_room(whatif->recording, option))
			continue;
		if (option->kind == CHANGE_THREADS)
			return -1;
		changes[i].subjects = find_subjects(whatif->analysis, option);
		if (!changes[i].subjects)
			return -1;
	}
	return 0;
}

static int predict(const struct whatif *whatif, const struct options *options)
{
	struct change changes[OPTION_CHANGES_MOST] = {{0}};
	struct table table = {0};
	int status = 2;

	if (options->change_count == 0) {
		status = report_print(options, &table, fill_trials(&table, whatif));
	} else if (read_changes(whatif, options, changes) != 0) {
		status = 2;
	} else if (options->each) {
		status = report_print(options, &table, fill_each(&table, whatif, options, changes));
	} else {
		struct prediction prediction =
		    whatif_predict(whatif, changes, options->change_count);

		fill_moves(&table, whatif, &prediction, options);
		status = report_print(options, &table, prediction.is_known ? 0 : 1);
		replay_free(&prediction.replay);
	}
	table_finish(&table);
	for (size_t i = 0; i < options->change_count; i++)
		free((bool *)changes[i].subjects);
	return status;
}

/* A run, recorded. */
struct recorded_run {
	struct archive *archive;
	struct analysis *analysis;
	struct recording *recording;
};

static void finish_run(struct recorded_run *run)
{
	recording_free(run->recording);
	if (run->analysis)
		analysis_free(run->analysis);
	if (run->archive)
		archive_close(run->archive);
}

/* Returns false after a message. */
static bool record(struct recorded_run *run, const char *path, const struct options *options)
{
	struct analysis_choice choice = {.to = SUMMARY_NOT_MEASURED};
	struct recorder *recorder;

	*run = (struct recorded_run){.archive = command_open_threads(path, options)};
	if (!run->archive)
		return false;
	recorder = recorder_new(run->archive, ACTIONS_MAX);
	recorder_choose(recorder, &choice);
	run->analysis = analysis_run(run->archive, &choice);
	run->recording = recorder_finish(recorder, run->analysis);
	command_print_warnings(path, run->archive);
	if (!run->recording)
		fprintf(stream_messages(),
		    "ompreport: %s: threads change what they do more than %d times, the most that "
		    "is replayed; record a shorter run\n",
		    path, ACTIONS_MAX);
	return run->recording != NULL;
}

/* Adds what the other runs show. Returns the exit status. */
static int add_others(
    struct growth *growth, const struct recorded_run *run, const struct options *options)
{
	int status = 0;

	for (size_t i = 1; i < options->path_count && status == 0; i++) {
		uint32_t threads = growth_threads(run->recording), others;
		struct recorded_run other;

		status = record(&other, options->paths[i], options) ? 0 : 1;
		others = status == 0 ? growth_threads(other.recording) : 0;
		if (status == 0 && (others == threads || others == 0 || threads == 0)) {
			fprintf(stream_messages(),
			    "ompreport: %s: its largest team has %u threads, and that of %s %u; "
			    "expected a run with another number of threads\n",
			    options->paths[i], others, options->path, threads);
			status = 2;
		}
		if (status == 0)
			growth_add(
			    growth, run->analysis, run->recording, other.analysis, other.recording);
		finish_run(&other);
	}
	return status;
}

int command_whatif(const struct options *options)
{
	struct growth growth = {NULL};
	struct recorded_run run;
	int status = 1;

	if (record(&run, options->path, options))
		status = add_others(&growth, &run, options);
	else
		status = 1;
	if (run.recording && status == 0) {
		struct whatif whatif = whatif_new(run.analysis, run.recording);

		whatif.growth = growth.exponents ? &growth : NULL;
		status = predict(&whatif, options);
		whatif_free(&whatif);
		run.recording = NULL;
	}
	growth_free(&growth);
	finish_run(&run);
	return status;
}
