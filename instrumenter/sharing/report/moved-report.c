/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The sentences say what was seen: how many lines another thread had used last. What another
 * schedule would change is said as a proposal, and as seen only where the run has shown it.
 */
#include "moved-report.h"

#include "explanation.h"
#include "moved-data.h"

#include "sharing-format.h"

#include <inttypes.h>

enum { MOST_BEFORE = 3, LEAST_PERCENT = 1 };

static double percent(uint64_t part, uint64_t whole)
{
	return whole > 0 ? 100 * (double)part / (double)whole : 0;
}

static double megabytes(uint64_t lines)
{
	return 1e-6 * SHARING_LINE_BYTES * (double)lines;
}

/* "'for' at a.c:12", "serial code at a.c:12", "a.c:12" */
static const char *side_text(struct inst_arena *arena, const struct moved_side *side)
{
	if (side->construct != NULL)
		return race_construct_text(arena, side->text, side->construct);
	const char *place = sharing_place_text(arena, &side->place);
	return side->is_serial ? arena_format(arena, "serial code at %s", place) : place;
}

/* " (schedule(dynamic, 4))", " (no schedule clause)", or "" if the source does not tell. */
static const char *schedule_text(struct inst_arena *arena, const struct moved_side *side)
{
	const char *schedule = moved_schedule(side);

	if (schedule == NULL)
		return "";
	if (schedule[0] == '\0')
		return " (no schedule clause)";
	return arena_format(arena, " (schedule(%s))", schedule);
}

static const char *title_of(
    const struct sharing_report *report, const struct sharing_finding *finding)
{
	struct inst_arena *arena = report->arena;
	const struct moved_data *data = finding->moved;
	const struct moved_before *before = &data->before[0];
	const bool of_tasks = moved_is_of_tasks(data);

	return arena_format(arena,
	    "%.0f %% of the lines of %s that %s%s use%s were another thread's before, %sin %s",
	    percent(data->moved, data->uses), sharing_name(finding), of_tasks ? "tasks of " : "",
	    side_text(arena, &data->now), of_tasks ? "" : "s",
	    percent(data->moved - before->moved, data->uses) >= LEAST_PERCENT ? "mostly " : "",
	    side_text(arena, &before->side));
}

static const char *why_by_tasks(struct inst_arena *arena, const struct moved_data *data)
{
	if (!moved_is_of_tasks(data))
		return "tasks used it before, which any thread may execute";
	if (data->tasks == 0)
		return "any thread may execute a task";
	if (data->stolen == 0)
		return arena_format(arena,
		    "the thread that has created a task executed it, each of %" PRIu64
		    ": none was stolen",
		    data->tasks);
	return arena_format(arena,
	    "%" PRIu64 " of %" PRIu64 " tasks were stolen: executed by another thread than the one "
	    "that created them; they used %.0f %% of these lines",
	    data->stolen, data->tasks, percent(data->in_stolen, data->moved));
}

/* "'for' at a.c:12 (schedule(dynamic)) and ...", one if both are the same. */
static const char *both_text(struct inst_arena *arena, const struct moved_data *data)
{
	const struct moved_side *now = &data->now, *before = &data->before[0].side;
	const char *first =
	    arena_format(arena, "%s%s", side_text(arena, now), schedule_text(arena, now));

	if (now->construct == before->construct)
		return first;
	return arena_format(
	    arena, "%s and %s%s", first, side_text(arena, before), schedule_text(arena, before));
}

static const char *why_by_chunks(struct inst_arena *arena, const struct moved_data *data)
{
	const bool is_one = data->now.construct == data->before[0].side.construct;
	const char *text =
	    arena_format(arena, "chunks of %s%s went to the thread that asked for one",
		is_one ? "" : "one of ", both_text(arena, data));

	if (data->stays == NULL)
		return text;
	return arena_format(arena,
	    "%s; in %s%s %.0f %% of the same data's lines were another thread's", text,
	    side_text(arena, &data->stays->now), schedule_text(arena, &data->stays->now),
	    percent(data->stays->moved, data->stays->uses));
}

/* NULL: it is not known. */
static const char *why(struct inst_arena *arena, const struct moved_data *data)
{
	const char *both = both_text(arena, data);

	switch (data->cause) {
	case MOVED_BY_TASKS:
		return why_by_tasks(arena, data);
	case MOVED_BY_ONE_THREAD:
		return arena_format(arena,
		    "one thread uses the data in one of %s, and several "
		    "in the other",
		    both);
	case MOVED_BY_CHUNKS:
		return why_by_chunks(arena, data);
	case MOVED_BY_SCHEDULES:
		return arena_format(arena, "%s have different schedules", both);
	case MOVED_BY_BOUNDS:
		return arena_format(arena,
		    "%s begin with different lines: their threads have "
		    "other iterations",
		    both);
	case MOVED_BY_ELEMENTS:
		return arena_format(arena,
		    "%s begin with the same line and have the same schedule: "
		    "the same iteration uses other elements, or the "
		    "number of threads differs",
		    both);
	default:
		return NULL;
	}
}

static void add_task_remedies(struct inst_arena *arena, const struct moved_data *data,
    const char *name, struct sharing_words *words)
{
	const struct race_construct *construct = data->now.construct;
	const bool has_affinity =
	    construct != NULL && find_clause(&construct->clauses, "affinity") != NULL;

	words->remedies[words->remedy_count++] = arena_format(arena,
	    "a loop with schedule(static) in place of the tasks, if their parts take equal time: "
	    "then a thread gets the same part of %s each time",
	    name);
	words->remedies[words->remedy_count++] = arena_format(arena,
	    "tasks created by the thread that has used the same part of %s%s", name,
	    has_affinity ? ": their affinity clause alone has not brought them there"
			 : ", with an affinity clause that names it");
}

static void add_remedies(
    struct inst_arena *arena, const struct sharing_finding *finding, struct sharing_words *words)
{
	const struct moved_data *data = finding->moved;
	const char *name = sharing_name(finding);
	const char *text = side_text(arena, &data->before[0].side);
	const char *remedy;

	if (data->cause == MOVED_BY_TASKS) {
		add_task_remedies(arena, data, name, words);
		return;
	}
	if (data->cause == MOVED_BY_ONE_THREAD)
		remedy = arena_format(arena,
		    "the one thread's work on %s divided among the team, with the same schedule "
		    "and bounds",
		    name);
	else if (data->cause == MOVED_BY_ELEMENTS)
		remedy = arena_format(arena,
		    "the same elements of %s in the same iteration here and in %s", name, text);
	else if (data->before[0].side.construct == data->now.construct)
		remedy = "schedule(static): then each thread has the same iterations each time, "
			 "with the same bounds";
	else
		remedy = arena_format(arena,
		    "schedule(static) and the same bounds here and in %s: then each thread has "
		    "the same iterations in both",
		    text);
	words->remedies[words->remedy_count++] = remedy;
}

void moved_describe(const struct sharing_report *report, const struct sharing_finding *finding,
    struct sharing_words *words)
{
	words->title = title_of(report, finding);
	add_remedies(report->arena, finding, words);
}

void moved_print(
    const struct sharing_report *report, const struct sharing_finding *finding, FILE *out)
{
	const struct moved_data *data = finding->moved;
	const char *reason = why(report->arena, data);

	for (size_t i = 0; i < data->before_count && i < MOST_BEFORE; i++)
		if (percent(data->before[i].moved, data->uses) >= LEAST_PERCENT)
			fprintf(out, "  before: %.0f %% in %s, at %s\n",
			    percent(data->before[i].moved, data->uses),
			    side_text(report->arena, &data->before[i].side),
			    sharing_place_text(report->arena, &data->before[i].side.place));
	fprintf(out, "  moved: %" PRIu64 " lines, %.1f MB, of %.1f MB that it uses in all\n",
	    data->moved, megabytes(data->moved), megabytes(data->uses));
	if (reason != NULL)
		fprintf(out, "  why: %s\n", reason);
}

static void put_side(struct json_writer *json, const struct moved_side *side)
{
	json_put_text(json, "file", side->place.line.file);
	json_put_signed(json, "line", side->place.line.line);
	json_put_text(json, "function", side->place.line.function);
	json_put_text(json, "expression", side->place.expression);
	json_put_text(json, "construct", side->construct != NULL ? side->construct->name : NULL);
	json_put_signed(
	    json, "construct_line", side->construct != NULL ? side->construct->line : 0);
	json_put_text(json, "schedule", moved_schedule(side));
	json_put_boolean(json, "serial", side->is_serial);
}

void moved_put_json(struct json_writer *json, const struct sharing_report *report,
    const struct sharing_finding *finding)
{
	static const char *const causes[MOVED_CAUSES] = {[MOVED_UNKNOWN] = "unknown",
	    [MOVED_BY_TASKS] = "tasks",
	    [MOVED_BY_ONE_THREAD] = "one-thread",
	    [MOVED_BY_CHUNKS] = "chunks",
	    [MOVED_BY_SCHEDULES] = "schedules",
	    [MOVED_BY_BOUNDS] = "bounds",
	    [MOVED_BY_ELEMENTS] = "elements"};
	const struct moved_data *data = finding->moved;

	json_begin_line(json);
	json_put_number(json, "lines_used", data->uses);
	json_put_number(json, "lines_moved", data->moved);
	json_put_number(json, "bytes_moved", data->moved * SHARING_LINE_BYTES);
	json_put_decimal(json, "share_moved", percent(data->moved, data->uses) / 100, 4);
	json_put_text(json, "cause", causes[data->cause]);
	json_put_text(json, "why", why(report->arena, data));
	json_put_number(json, "tasks", data->tasks);
	json_put_number(json, "tasks_stolen", data->stolen);
	json_begin_line(json);
	json_open_object(json, "now");
	put_side(json, &data->now);
	json_close_object(json);
	json_open_array(json, "before");
	for (size_t i = 0; i < data->before_count; i++) {
		json_begin_line(json);
		json_open_object(json, NULL);
		put_side(json, &data->before[i].side);
		json_put_number(json, "lines_moved", data->before[i].moved);
		json_close_object(json);
	}
	json_close_array(json);
	json_begin_line(json);
}
