/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names the objects of the lines, adds up what is of one object, and estimates its cost.
 */
#include "sharing-findings.h"

#include "first-touch-findings.h"
#include "race-findings.h"

#include "sharing-format.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { FEWEST_TRANSFERS = 200 };

static const double least_parallel = 1.3;

struct finding_state {
	struct race_sources *sources;
	struct race_code *code;
	const struct sharing_reports *reports;
	const struct sharing_costs *costs;
	struct sharing_findings *findings;
};

bool sharing_counts(const struct sharing_finding *finding, unsigned least)
{
	if (finding->touch != NULL)
		return finding->touch->counts;
	if (finding->kind == SHARING_MOVED)
		return true;
	return finding->kind != SHARING_POSSIBLE && finding->transfers >= FEWEST_TRANSFERS &&
	       finding->most_share * 100 >= least;
}

bool sharing_plain_counts(const struct sharing_plain *plain)
{
	return plain->seconds > 0 && plain->parallel > least_parallel;
}

sharing_members sharing_member(const struct sharing_share *share)
{
	const int number = share->member >= 0 ? share->member : share->thread - 1;
	const int last = SHARING_MOST_MEMBERS - 1;

	if (share->thread == 0)
		return 0;
	return UINT64_C(1) << (number < 0 ? 0 : number > last ? last : number);
}

/* The bytes of the line that a finding of this kind is about. */
static uint64_t bytes_of_kind(const struct sharing_line *line, enum sharing_kind kind)
{
	return kind == SHARING_TRUE ? line->common : ~line->common;
}

/*
 * The first of these bytes that the thread writes, or uses if it writes none; else any. With
 * `writes` the line is shared because this thread writes, whichever of its bytes that is.
 */
static unsigned first_byte(const struct sharing_share *share, uint64_t among, bool writes)
{
	const uint64_t candidates[] = {share->bytes_written & among,
	    writes ? share->bytes_written : 0, share->bytes_read & among, share->bytes_written,
	    share->bytes_read};

	for (size_t i = 0; i < sizeof candidates / sizeof candidates[0]; i++)
		if (candidates[i] != 0)
			return (unsigned)__builtin_ctzll(candidates[i]);
	return 0;
}

static uint64_t uses(const struct sharing_share *share)
{
	return share->reads + share->writes;
}

/* The site that the thread uses most; NULL: none is known. Those that write come first. */
static const struct sharing_site *main_site(const struct sharing_share *share)
{
	const struct sharing_site *best = NULL;

	for (size_t i = 0; i < share->count; i++) {
		const struct sharing_site *site = &share->sites[i];
		if (best == NULL || site->writes > best->writes ||
		    (site->writes == best->writes && site->reads > best->reads))
			best = site;
	}
	return best;
}

void sharing_find_source(struct race_sources *sources, struct race_code *code,
    const struct race_frame *frame, struct sharing_place *place)
{
	enum { MOST_LINES = 16 };
	struct race_line lines[MOST_LINES];
	const size_t count = race_code_lines(code, frame->module, frame->offset, lines, MOST_LINES);
	size_t chosen = 0;

	*place = (struct sharing_place){.module = frame->module, .offset = frame->offset};
	while (chosen + 1 < count &&
	       (lines[chosen].file == NULL || race_is_system_header(lines[chosen].file)))
		chosen++;
	if (count == 0 || lines[chosen].file == NULL) {
		place->line.function = race_code_symbol(code, frame->module, frame->offset);
		return;
	}
	place->line = lines[chosen];
	place->statement = place->line.line;
	place->text = race_source_text(sources, place->line.file);
	place->source = race_source_line(sources, place->text, place->line.line);
	const int construct = race_source_construct(place->text, place->line.line);
	if (construct >= 0)
		place->construct = &place->text->constructs[construct];
	/* The column of inlined code is that of a call. */
	if (chosen > 0)
		place->line.column = 0;
	/* An atomic access has the line of its directive. */
	if (place->construct != NULL && place->construct->line == place->line.line &&
	    race_construct_has(place->construct, CONSTRUCT_ATOMIC)) {
		place->statement = place->line.line + 1;
		place->line.column = 0;
		place->source = race_source_line(sources, place->text, place->statement);
	}
}

void sharing_find_expression(
    struct race_sources *sources, struct sharing_place *place, bool writes, const char *hint)
{
	/* What a compiler makes of a directive has no expression there. */
	const bool is_directive =
	    place->source != NULL && place->source[strspn(place->source, " \t")] == '#';

	if (place->text != NULL && place->expression == NULL && !is_directive)
		place->expression = race_source_expression(
		    sources, place->text, place->statement, place->line.column, writes, hint);
}

const char *sharing_heap_key(struct inst_arena *arena, struct race_code *code,
    const struct race_place *place, struct race_line *allocated)
{
	*allocated = race_allocation_line(arena, code, place);
	return arena_format(arena, "heap\t%s\t%d\t%d",
	    allocated->file != NULL ? allocated->file : "", allocated->line, allocated->column);
}

/* What a finding is about; a line of two variables is of both. */
struct object {
	const char *key, *base, *parts[2];
	struct race_variable variable;
	struct race_line allocated;
};

/* The two shares that use the line most, one of which writes; false: there are none. */
static bool main_shares(const struct sharing_line *line, const struct sharing_share *shares[2])
{
	shares[0] = shares[1] = NULL;
	for (size_t i = 0; i < line->count; i++)
		if (line->shares[i].writes > 0 &&
		    (shares[0] == NULL || line->shares[i].writes > shares[0]->writes))
			shares[0] = &line->shares[i];
	for (size_t i = 0; i < line->count; i++)
		if (&line->shares[i] != shares[0] &&
		    (shares[1] == NULL || uses(&line->shares[i]) > uses(shares[1])))
			shares[1] = &line->shares[i];
	return shares[0] != NULL && shares[1] != NULL;
}

/* Of two neighbouring lines the second share is of the second. */
static unsigned line_of(const struct sharing_line *line, const struct sharing_share *share)
{
	return line->is_near && share == &line->shares[1] ? line->second : 0;
}

/* Where in memory the shares are used; they are brought in the order of that. */
static void order_shares(const struct sharing_line *line, uint64_t among,
    const struct sharing_share *shares[2], unsigned at[2])
{
	for (int i = 0; i < 2; i++)
		at[i] = first_byte(shares[i], among, i == 0) + line_of(line, shares[i]);
	if (at[1] >= at[0])
		return;
	const struct sharing_share *first = shares[0];
	const unsigned first_at = at[0];
	shares[0] = shares[1];
	shares[1] = first;
	at[0] = at[1];
	at[1] = first_at;
}

static void name_static(struct finding_state *state, const struct sharing_line *line,
    const unsigned at[2], struct object *object)
{
	struct race_variable variables[2] = {{0}};

	for (int i = 0; i < 2; i++) {
		race_code_variable(
		    state->code, line->place.module, line->place.offset + at[i], &variables[i]);
		object->parts[i] = variables[i].name;
	}
	object->variable = variables[0].name != NULL ? variables[0] : variables[1];
	if (object->variable.name == NULL || object->variable.whole == NULL)
		return;
	const char *other = variables[1].whole != NULL ? variables[1].whole : "";
	object->base = object->variable.whole;
	object->key = arena_format(state->sources->arena, "static\t%s\t%s\t%d\t%s",
	    object->variable.whole, object->variable.file != NULL ? object->variable.file : "",
	    object->variable.line, strcmp(other, object->variable.whole) > 0 ? other : "");
}

/* The variable by which the source accesses the line: of the heap, or of a stack. */
static void name_by_source(struct finding_state *state, const struct sharing_share *shares[2],
    struct object *object, struct sharing_place *place)
{
	for (int i = 0; i < 2; i++) {
		const struct sharing_site *site = main_site(shares[i]);
		if (site == NULL)
			continue;
		sharing_find_source(state->sources, state->code, &site->frame, place);
		sharing_find_expression(state->sources, place, site->writes > 0, NULL);
		if (place->expression == NULL)
			continue;
		object->parts[i] = place->expression;
		if (object->base == NULL)
			object->base =
			    race_expression_base(state->sources->arena, place->expression);
	}
}

static void name_object(struct finding_state *state, const struct sharing_line *line,
    enum sharing_kind kind, const struct sharing_share *shares[2], struct object *object)
{
	unsigned at[2];
	struct inst_arena *arena = state->sources->arena;
	struct sharing_place place = {0};

	*object = (struct object){0};
	order_shares(line, bytes_of_kind(line, kind), shares, at);
	if (line->place.kind == RACE_PLACE_GLOBAL)
		name_static(state, line, at, object);
	if (object->key != NULL)
		return;
	name_by_source(state, shares, object, &place);
	if (line->place.kind == RACE_PLACE_HEAP) {
		object->key =
		    sharing_heap_key(arena, state->code, &line->place, &object->allocated);
		return;
	}
	object->key =
	    arena_format(arena, "other\t%s\t%s\t%s", object->base != NULL ? object->base : "",
		place.line.file != NULL ? place.line.file : "",
		place.line.function != NULL ? place.line.function : "");
}

static struct sharing_finding *find_finding(
    struct finding_state *state, enum sharing_kind kind, const struct object *object)
{
	struct sharing_findings *findings = state->findings;

	for (size_t i = 0; i < findings->count; i++)
		if (findings->items[i].kind == kind &&
		    strcmp(findings->items[i].key, object->key) == 0)
			return &findings->items[i];
	struct sharing_finding *finding =
	    ARENA_ADD(state->sources->arena, findings->items, findings->count, findings->room);
	*finding = (struct sharing_finding){.kind = kind,
	    .key = object->key,
	    .base = object->base,
	    .parts = {object->parts[0], object->parts[1]},
	    .variable = object->variable,
	    .allocated = object->allocated};
	return finding;
}

struct sharing_place *sharing_find_place(
    struct inst_arena *arena, struct sharing_finding *finding, const struct sharing_place *place)
{
	for (size_t i = 0; i < finding->place_count; i++) {
		struct sharing_place *known = &finding->places[i];
		if (place->line.file == NULL || known->line.file == NULL) {
			if (place->line.file == known->line.file && place->offset == known->offset)
				return known;
		} else if (known->line.line == place->line.line &&
			   strcmp(known->line.file, place->line.file) == 0) {
			return known;
		}
	}
	struct sharing_place *added =
	    ARENA_ADD(arena, finding->places, finding->place_count, finding->place_room);
	*added = *place;
	return added;
}

static void add_sites(
    struct finding_state *state, struct sharing_finding *finding, const struct sharing_share *share)
{
	for (size_t i = 0; i < share->count; i++) {
		const struct sharing_site *site = &share->sites[i];
		struct sharing_place found;
		sharing_find_source(state->sources, state->code, &site->frame, &found);
		struct sharing_place *place =
		    sharing_find_place(state->sources->arena, finding, &found);
		sharing_find_expression(state->sources, place, site->writes > 0, finding->base);
		place->reads += site->reads;
		place->writes += site->writes;
		place->members |= sharing_member(share);
	}
}

/* Do threads use bytes of the line that are not of its block? */
static bool is_of_several(const struct sharing_line *line)
{
	for (size_t i = 0; i < line->count; i++)
		if (line->address + first_byte(&line->shares[i], ~UINT64_C(0), false) -
			line->place.start >=
		    line->place.size)
			return true;
	return false;
}

/* The least line that has both lines as they lie, of those that processors have; 0: none. */
static unsigned common_line(const struct sharing_line *line)
{
	for (unsigned bytes = 2 * SHARING_LINE_BYTES; bytes <= SHARING_LONGEST_LINE; bytes *= 2)
		if (line->address / bytes == (line->address + line->second) / bytes)
			return bytes;
	return 0;
}

static void add_near(struct sharing_finding *finding, const struct sharing_line *line)
{
	const unsigned longer = common_line(line);
	const unsigned apart = line->second + first_byte(&line->shares[1], ~UINT64_C(0), false);
	const unsigned stride = apart - first_byte(&line->shares[0], ~UINT64_C(0), true);

	if (finding->lines == 0 || line->distance < finding->distance)
		finding->distance = line->distance;
	if (finding->longer_line == 0 || (longer > 0 && longer < finding->longer_line))
		finding->longer_line = longer;
	if (finding->lines == 0 || line->in_row < finding->in_row)
		finding->in_row = line->in_row;
	if (finding->lines == 0 || stride < finding->stride)
		finding->stride = stride;
}

static void add_line(
    struct finding_state *state, const struct sharing_line *line, enum sharing_kind kind)
{
	const struct sharing_share *shares[2];
	struct object object;

	if (!main_shares(line, shares))
		return;
	name_object(state, line, kind, shares, &object);
	struct sharing_finding *finding = find_finding(state, kind, &object);
	const uint64_t transfers =
	    kind == SHARING_TRUE ? line->true_transfers : line->false_transfers;

	if (finding->lines == 0)
		finding->place = line->place;
	finding->several_blocks |= finding->place.start != line->place.start || is_of_several(line);
	if (line->is_near)
		add_near(finding, line);
	if (finding->example == NULL || transfers > finding->most_transfers) {
		finding->example = line;
		finding->most_transfers = transfers;
	}
	finding->lines++;
	finding->transfers += transfers;
	finding->accesses += line->accesses;
	line_uses_add(&finding->uses, state->reports, line, transfers);
	for (size_t i = 0; i < line->count; i++) {
		finding->members |= sharing_member(&line->shares[i]);
		finding->writes += line->shares[i].writes;
		add_sites(state, finding, &line->shares[i]);
	}
}

int sharing_compare_places(const void *left, const void *right)
{
	const struct sharing_place *first = left, *second = right;
	const uint64_t one = first->reads + first->writes, other = second->reads + second->writes;

	return one != other ? (one < other ? 1 : -1) : first->line.line - second->line.line;
}

/* Processor time that the program takes without noting, about; `costs`: of all transfers. */
static double processor_of(const struct sharing_reports *reports, double costs)
{
	uint64_t recorded = 0;

	for (size_t i = 0; i < reports->count; i++)
		recorded += reports->lines[i].accesses;
	const double rest =
	    reports->processor - reports->overhead - (double)recorded * reports->recorded;
	const double least = costs + (double)reports->calls * line_shortest_access;

	return rest > least ? rest : least;
}

/* Divides what was measured by the estimates, or if these are nothing, by the transfers. */
static void divide_measured(struct sharing_findings *findings, double measured)
{
	double estimated = 0, most = 0;

	for (size_t i = 0; i < findings->count; i++) {
		estimated += findings->items[i].seconds;
		most += findings->items[i].most;
	}
	for (size_t i = 0; i < findings->count; i++) {
		struct sharing_finding *finding = &findings->items[i];
		finding->seconds = estimated > 0.1 * measured
				       ? measured * finding->seconds / estimated
				   : most > 0 ? measured * finding->most / most
					      : 0;
		finding->most = finding->most > finding->seconds ? finding->most : finding->seconds;
	}
}

static void estimate_costs(struct finding_state *state, const struct sharing_reports *reports,
    const struct sharing_plain *plain)
{
	struct sharing_findings *findings = state->findings;
	double all = 0;

	for (size_t i = 0; i < findings->count; i++) {
		struct sharing_finding *finding = &findings->items[i];
		finding->seconds = line_uses_cost(&finding->uses, reports, state->costs);
		finding->most = line_uses_most(&finding->uses, state->costs);
		if (finding->most < finding->seconds)
			finding->most = finding->seconds;
		all += finding->seconds;
	}
	findings->processor = processor_of(reports, all);
	if (sharing_plain_counts(plain)) {
		divide_measured(
		    findings, plain->seconds > plain->on_one ? plain->seconds - plain->on_one : 0);
		findings->processor = plain->seconds;
	}
	for (size_t i = 0; i < findings->count; i++) {
		struct sharing_finding *finding = &findings->items[i];
		const double most = findings->processor - finding->seconds + finding->most;
		finding->share =
		    findings->processor > 0 ? finding->seconds / findings->processor : 0;
		finding->most_share = most > 0 ? finding->most / most : 0;
	}
}

static int compare_findings(const void *left, const void *right)
{
	const struct sharing_finding *first = left, *second = right;

	if (first->seconds != second->seconds)
		return first->seconds < second->seconds ? 1 : -1;
	return strcmp(first->key, second->key);
}

void sharing_findings_make(struct race_sources *sources, struct race_code *code,
    const struct sharing_reports *reports, const struct sharing_costs *costs,
    const struct sharing_plain *plain, struct sharing_findings *findings)
{
	struct finding_state state = {sources, code, reports, costs, findings};

	for (size_t i = 0; i < reports->count; i++) {
		const struct sharing_line *line = &reports->lines[i];
		if (line->is_near)
			add_line(&state, line, SHARING_POSSIBLE);
		if (line->false_transfers > 0)
			add_line(&state, line, SHARING_FALSE);
		if (line->true_transfers > 0)
			add_line(&state, line, SHARING_TRUE);
	}
	estimate_costs(&state, reports, plain);
	for (size_t i = 0; i < findings->count; i++)
		qsort(findings->items[i].places, findings->items[i].place_count,
		    sizeof *findings->items[i].places, sharing_compare_places);
	if (findings->count > 0)
		qsort(findings->items, findings->count, sizeof *findings->items, compare_findings);
}
