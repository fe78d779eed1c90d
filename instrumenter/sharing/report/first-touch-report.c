/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is said of an array that some threads touched first and others use. A change is proposed
 * only if one thread touched most of it at one place and a worksharing loop divides it, or if two
 * loops have different schedules.
 */
#include "first-touch-report.h"

#include "explanation.h"
#include "first-touch-findings.h"
#include "schedule-clause.h"

#include <inttypes.h>
#include <string.h>

enum { KILO = 1024, MOST_PLACES = 3 };

/* "512 MB" */
static const char *bytes_text(struct inst_arena *arena, uint64_t bytes)
{
	static const char *const units[] = {"bytes", "KB", "MB", "GB", "TB"};
	double number = (double)bytes;
	unsigned unit = 0;

	while (number >= KILO && unit + 1 < sizeof units / sizeof units[0]) {
		number /= KILO;
		unit++;
	}
	return arena_format(
	    arena, number < 10 && unit > 0 ? "%.1f %s" : "%.0f %s", number, units[unit]);
}

static const char *place_text(struct inst_arena *arena, const struct sharing_place *place)
{
	if (place->construct != NULL)
		return race_construct_text(arena, place->text, place->construct);
	return sharing_place_text(arena, place);
}

static bool is_loop(const struct sharing_place *place)
{
	return place->construct != NULL && race_construct_has(place->construct, CONSTRUCT_FOR);
}

static const char *schedule_of(struct inst_arena *arena, const struct sharing_place *place)
{
	const struct schedule_clause schedule = schedule_clause_read(&place->construct->clauses);

	if (schedule.kind.length == 0)
		return "static";
	return arena_format(arena, "%.*s%s%.*s", (int)schedule.kind.length, schedule.kind.text,
	    schedule.chunk.length > 0 ? ", " : "", (int)schedule.chunk.length,
	    schedule.chunk.length > 0 ? schedule.chunk.text : "");
}

static bool is_static(const struct sharing_place *place)
{
	const struct schedule_clause schedule = schedule_clause_read(&place->construct->clauses);

	return schedule.kind.length == 0 || schedule_word_is(&schedule.kind, "static");
}

static bool is_one(sharing_members members)
{
	return (members & (members - 1)) == 0;
}

static void add(struct sharing_words *words, const char *text)
{
	if (words->remedy_count < SHARING_MOST_REMEDIES)
		words->remedies[words->remedy_count++] = text;
}

/* One thread touched most of it at one place, and a loop divides it. */
static void add_parallel(struct inst_arena *arena, const struct sharing_finding *finding,
    const struct sharing_place *touched, const struct sharing_place *used,
    struct sharing_words *words)
{
	const char *name = sharing_name(finding), *loop = place_text(arena, used);
	const char *where = sharing_place_text(arena, touched);

	if (finding->touch->by_constructor)
		add(words,
		    arena_format(arena,
			"%s without values (new double[n] and the like; what a container of the "
			"standard library makes at %s has values), then initialised in a parallel "
			"loop with the schedule of %s",
			name, where, loop));
	else
		add(words,
		    arena_format(arena,
			"initialise %s at %s in a parallel loop with the schedule of %s, so that "
			"each thread touches first what it uses",
			name, where, loop));
	if (!is_static(used))
		add(words,
		    arena_format(arena,
			"with that, schedule(static) for both loops: %s has schedule(%s), which "
			"gives a thread other iterations each time",
			loop, schedule_of(arena, used)));
}

static void add_remedies(
    struct inst_arena *arena, const struct sharing_finding *finding, struct sharing_words *words)
{
	const struct first_touch *touch = finding->touch;
	const struct sharing_place *used = finding->places, *touched = touch->touched.places;

	if (touch->is_common) {
		add(words,
		    "threads use the same parts of it, so no thread's node suits all; on a machine "
		    "with several nodes 'numactl --interleave=all' spreads such memory");
		return;
	}
	if (finding->place_count == 0 || touch->touched.place_count == 0 || !is_loop(used))
		return;
	if (is_one(touched->members) && !is_loop(touched)) {
		if ((touched->reads + touched->writes) * 2 >= touch->pages)
			add_parallel(arena, finding, touched, used, words);
		return;
	}
	if (!is_loop(touched))
		return;
	const char *first = schedule_of(arena, touched), *second = schedule_of(arena, used);
	if (strcmp(first, second) == 0 && is_static(used))
		return;
	add(words,
	    arena_format(arena,
		"%s for both %s, which touches %s first with schedule(%s), and %s, with "
		"schedule(%s): a thread then has the same part in both, if they have the same "
		"iterations",
		is_static(touched) && is_static(used) ? "one schedule" : "schedule(static)",
		place_text(arena, touched), sharing_name(finding), first, place_text(arena, used),
		second));
}

void first_touch_describe(
    struct inst_arena *arena, const struct sharing_finding *finding, struct sharing_words *words)
{
	const struct first_touch *touch = finding->touch;

	words->title = arena_format(arena,
	    "%s (%s): %s touched %s first, and %.0f %% of its uses are by other threads than the "
	    "one that touched the page",
	    sharing_name(finding), bytes_text(arena, touch->bytes),
	    sharing_members_text(arena, touch->touched.members),
	    is_one(touch->touched.members) ? "all of it" : "its pages",
	    100 * first_touch_share(touch));
	add_remedies(arena, finding, words);
}

void first_touch_print(struct inst_arena *arena, const struct sharing_finding *finding, FILE *out)
{
	const struct first_touch *touch = finding->touch;

	for (size_t i = 0; i < touch->touched.place_count && i < MOST_PLACES; i++) {
		const struct sharing_place *place = &touch->touched.places[i];
		fprintf(out, "  touched first at %s", sharing_place_text(arena, place));
		if (place->line.function != NULL)
			fprintf(out, " in %s", place->line.function);
		if (place->construct != NULL)
			fprintf(out, ", in %s", place_text(arena, place));
		else if (touch->serial == touch->pages)
			fprintf(out, ", outside of parallel regions");
		fprintf(out, ": %s, %" PRIu64 " of %" PRIu64 " pages\n",
		    sharing_members_text(arena, place->members), place->reads + place->writes,
		    touch->pages);
		if (place->source != NULL && place->source[0] != '\0')
			fprintf(out, "      %s\n", place->source);
	}
	if (touch->placed > 0)
		fprintf(out,
		    "  on this machine's %u memory nodes, %.0f %% of the uses were of another "
		    "node's memory\n",
		    touch->nodes, 100 * (double)touch->remote / (double)touch->placed);
	else
		fprintf(out,
		    "  on a machine with several memory nodes these uses can be of another node's "
		    "memory; %s\n",
		    touch->nodes > 1 ? "where the pages are here is not known"
				     : "here is one node, and they cost nothing more");
	if (finding->place_count > 0)
		fputs("  the uses by other threads:\n", out);
}

void first_touch_print_summary(const struct sharing_report *report, FILE *out)
{
	size_t counted = 0, others = 0;

	for (size_t i = 0; i < report->findings->count; i++) {
		const struct first_touch *touch = report->findings->items[i].touch;
		counted += touch != NULL && touch->counts;
		others += touch != NULL && !touch->counts && !touch->is_common;
	}
	if (counted > 0)
		fprintf(out,
		    "  %zu array%s whose pages other threads touched first than use them\n",
		    counted, counted == 1 ? "" : "s");
	if (others > 0 && !report->options->all)
		fprintf(out,
		    "  %zu array%s whose pages other threads touched first than use them "
		    "(--all lists %s)\n",
		    others, others == 1 ? "" : "s", others == 1 ? "it" : "them");
}

void first_touch_put_json(struct json_writer *json, const struct sharing_finding *finding,
    void (*put_place)(struct json_writer *json, const struct sharing_place *place))
{
	const struct first_touch *touch = finding->touch;
	const double all = (double)(touch->own + touch->others);

	json_put_number(json, "bytes", touch->bytes);
	json_put_number(json, "blocks", touch->blocks);
	json_put_number(json, "pages", touch->pages);
	json_put_number(json, "serial_pages", touch->serial);
	json_put_number(json, "nodes", touch->nodes);
	json_put_decimal(json, "other_share", first_touch_share(touch), 4);
	json_put_decimal(json, "common_share", (double)touch->shared / all, 4);
	if (touch->placed > 0)
		json_put_decimal(
		    json, "remote_share", (double)touch->remote / (double)touch->placed, 4);
	else
		json_put_null(json, "remote_share");
	json_begin_line(json);
	json_open_array(json, "touched");
	for (size_t i = 0; i < touch->touched.place_count; i++)
		put_place(json, &touch->touched.places[i]);
	json_close_array(json);
}
