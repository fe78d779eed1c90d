/* SPDX-License-Identifier: BSD-3-Clause */
/* The sentences of a finding: what it is about, and what changes it. */
#include "sharing-report.h"

#include "explanation.h"

#include "sharing-format.h"

#include <inttypes.h>
#include <string.h>

const char *sharing_name(const struct sharing_finding *finding)
{
	if (finding->variable.whole != NULL)
		return finding->variable.whole;
	return finding->base != NULL ? finding->base : "memory without a known name";
}

const char *sharing_members_text(struct inst_arena *arena, sharing_members members)
{
	struct inst_buffer text = {.arena = arena};
	const char *separator = " ";

	if (members == 0)
		return "several threads";
	buffer_add_string(&text, (members & (members - 1)) == 0 ? "thread" : "threads");
	for (int first = 0; first < SHARING_MOST_MEMBERS; first++) {
		int last = first;
		if ((members >> first & 1) == 0)
			continue;
		while (last + 1 < SHARING_MOST_MEMBERS && (members >> (last + 1) & 1) != 0)
			last++;
		buffer_format(&text, "%s%d", separator, first);
		if (last > first)
			buffer_format(&text, "%s%d", last > first + 1 ? " to " : ", ", last);
		separator = ", ";
		first = last;
	}
	return text.data;
}

const char *sharing_place_text(struct inst_arena *arena, const struct sharing_place *place)
{
	const struct race_side side = {.is_known = true,
	    .line = place->line,
	    .module = place->module,
	    .offset = place->offset};

	return race_place_text(arena, &side);
}

static bool has_index(const char *part)
{
	return part != NULL && strpbrk(part, "[(") != NULL;
}

/* Do threads use different variables or members, not elements of one array? */
static bool are_neighbours(const struct sharing_finding *finding)
{
	const char *first = finding->parts[0], *second = finding->parts[1];

	return first != NULL && second != NULL && strcmp(first, second) != 0 &&
	       !(has_index(first) && has_index(second));
}

/* Is the loop around the first place one whose iterations are divided among threads? */
static const struct sharing_place *shared_loop(const struct sharing_finding *finding)
{
	for (size_t i = 0; i < finding->place_count; i++)
		if (finding->places[i].construct != NULL &&
		    race_construct_has(finding->places[i].construct, CONSTRUCT_FOR))
			return &finding->places[i];
	return NULL;
}

__attribute__((format(printf, 3, 4))) static void add_remedy(
    struct inst_arena *arena, struct sharing_words *words, const char *format, ...)
{
	struct inst_buffer text = {.arena = arena};
	va_list arguments;
	char line[512];

	if (words->remedy_count == SHARING_MOST_REMEDIES)
		return;
	va_start(arguments, format);
	vsnprintf(line, sizeof line, format, arguments);
	va_end(arguments);
	buffer_add_string(&text, line);
	words->remedies[words->remedy_count++] = text.data;
}

static void add_false_remedies(
    struct inst_arena *arena, const struct sharing_finding *finding, struct sharing_words *words)
{
	const char *name = sharing_name(finding);
	const struct sharing_place *loop = shared_loop(finding);
	const bool fortran = finding->place_count > 0 && finding->places[0].text != NULL &&
			     finding->places[0].text->is_fortran;

	if (loop != NULL && finding->lines > 2)
		add_remedy(arena, words,
		    "another schedule of '%s' at %s:%d, whose chunks fill whole lines of %d bytes: "
		    "schedule(static), or a larger chunk",
		    loop->construct->name, race_short_path(loop->text->path), loop->construct->line,
		    SHARING_LINE_BYTES);
	if (fortran)
		add_remedy(arena, words,
		    "elements of %s that are %d bytes apart: a first dimension that fills a line, "
		    "of which one element is used",
		    name, SHARING_LINE_BYTES);
	else if (finding->several_blocks && finding->place.kind == RACE_PLACE_HEAP)
		add_remedy(arena, words,
		    "aligned_alloc(%d, ...) with a size that is a multiple of %d, so that each "
		    "block has lines of its own",
		    SHARING_LINE_BYTES, SHARING_LINE_BYTES);
	else if (are_neighbours(finding))
		add_remedy(arena, words,
		    "_Alignas(%d) (C++: alignas) before %s and before %s, so that each begins a "
		    "line",
		    SHARING_LINE_BYTES, finding->parts[0], finding->parts[1]);
	else
		add_remedy(arena, words,
		    "elements of %s that fill a line each: a structure with _Alignas(%d) (C++: "
		    "alignas), or padding to %d bytes",
		    name, SHARING_LINE_BYTES, SHARING_LINE_BYTES);
	add_remedy(arena, words,
	    "a private variable in the region, which is added to %s once at its end (or a "
	    "reduction)",
	    name);
}

static void add_true_remedies(
    struct inst_arena *arena, const struct sharing_finding *finding, struct sharing_words *words)
{
	const char *name = sharing_name(finding);

	add_remedy(arena, words,
	    "a reduction, or a private copy in each thread, in place of updates of the one %s",
	    name);
	add_remedy(arena, words,
	    "fewer updates: several iterations' work before each (for a lock: before it is set)");
}

static const char *title_of(
    const struct sharing_report *report, const struct sharing_finding *finding)
{
	struct inst_arena *arena = report->arena;
	const char *who = sharing_members_text(arena, finding->members);
	const char *first = finding->parts[0], *second = finding->parts[1];
	const char *lines = finding->lines == 1
				? "one cache line"
				: arena_format(arena, "%zu cache lines", finding->lines);

	if (finding->kind == SHARING_POSSIBLE)
		return arena_format(arena,
		    "%s use neighbouring lines, such as %s and %s, with %u bytes between: %s", who,
		    first != NULL ? first : sharing_name(finding),
		    second != NULL ? second : sharing_name(finding), finding->distance,
		    finding->distance < SHARING_LINE_BYTES
			? "with lines of 128 bytes they would share one, and so they would if the "
			  "memory began elsewhere and is not aligned"
			: "with lines of 128 or 256 bytes they would share one");
	if (finding->kind == SHARING_TRUE)
		return arena_format(arena, "%s use the same bytes of %s, and write them", who,
		    first != NULL ? first : sharing_name(finding));
	if (first != NULL && second != NULL && strcmp(first, second) != 0)
		return arena_format(arena, "%s use different bytes of %s, such as %s and %s", who,
		    lines, first, second);
	return arena_format(arena, "%s use different bytes of %s of %s", who, lines,
	    first != NULL ? first : sharing_name(finding));
}

static const char *object_of(
    const struct sharing_report *report, const struct sharing_finding *finding)
{
	struct inst_arena *arena = report->arena;
	struct race_finding about = {.place = finding->place,
	    .variable = finding->variable,
	    .allocated = finding->allocated};

	if (about.variable.name != NULL)
		about.variable.name = about.variable.whole;
	const char *text = race_object_text(arena, &about);
	if (text == NULL)
		text = "on a thread's stack, or mapped by the program";
	if (finding->place.kind == RACE_PLACE_HEAP && !finding->several_blocks)
		return arena_format(
		    arena, "%s, a block of %" PRIu64 " bytes", text, finding->place.size);
	return text;
}

struct sharing_words sharing_describe(
    const struct sharing_report *report, const struct sharing_finding *finding)
{
	struct sharing_words words = {
	    .title = title_of(report, finding), .object = object_of(report, finding)};

	if (finding->kind == SHARING_FALSE)
		add_false_remedies(report->arena, finding, &words);
	else if (finding->kind == SHARING_POSSIBLE)
		add_remedy(report->arena, &words,
		    "128 bytes for what each thread uses, if the program is to run there");
	else
		add_true_remedies(report->arena, finding, &words);
	return words;
}
