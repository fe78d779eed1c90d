/* SPDX-License-Identifier: BSD-3-Clause */
/* The sentences of a finding: what it is about, and what changes it. */
#include "sharing-report.h"

#include "explanation.h"

#include "sharing-format.h"

#include <inttypes.h>
#include <string.h>

/* Longer parts are shared only by very many threads. */
enum { MOST_LINES_IN_PART = 32 };

const struct sharing_kind_words sharing_kinds[SHARING_KINDS] = {
    [SHARING_FALSE] = {"false-sharing", "false sharing",
	"threads use different bytes of a cache line, and at least one of them writes",
	"A processor has to get the whole line before it writes some of its bytes, and the others lose "
	"it. So the line goes from thread to thread with the accesses, although no thread needs what "
	"another one has written. The program does the same when the bytes are in different lines."},
    [SHARING_TRUE] = {"true-sharing", "true sharing",
	"threads use the same bytes of a cache line, and at least one of them writes",
	"The line goes from thread to thread with the accesses, because each needs what another one has "
	"written: a counter, a lock, a queue's head. Another place in memory changes nothing; fewer "
	"accesses, or a private copy for each thread, do."},
    [SHARING_POSSIBLE] = {"possible-false-sharing", "possible",
	"threads use neighbouring cache lines, which would be one elsewhere",
	"It costs nothing here. With longer lines, where processors fetch lines in pairs, or if the "
	"memory began elsewhere, threads would use different bytes of one line."},
    [SHARING_TOUCH] = {"first-touch", "first touch",
	"threads use pages of memory that other threads touched first",
	"The system puts a page on the memory node of the thread that touches it first. On a machine with "
	"several nodes other threads' accesses go to another node's memory, and all share its bandwidth, "
	"unless each thread initialises what it uses."},
    [SHARING_MOVED] = {"moved-data", "moved data",
	"threads use, between two barriers, cache lines that other threads had before",
	"The data is not in the caches of the thread that uses it now, and may be in the memory of another "
	"node. A thread that gets the same part each time finds it there."},
};

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
		    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the construct's text */
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

/* With how many threads the parts of an array in a loop would be shorter than a line; 0: unknown.
 */
static unsigned threads_for_short_parts(const struct sharing_finding *finding)
{
	const struct sharing_place *loop = shared_loop(finding);
	const unsigned threads = (unsigned)__builtin_popcountll(finding->members);

	if (loop == NULL || find_clause(&loop->construct->clauses, "schedule") != NULL ||
	    !has_index(finding->parts[0]) || finding->in_row > MOST_LINES_IN_PART)
		return 0;
	return finding->in_row * threads;
}

/* When threads would share a line: "with lines of 128 bytes, or with more than 8 threads". */
static const char *conditions_of(struct inst_arena *arena, const struct sharing_finding *finding)
{
	struct inst_buffer text = {.arena = arena};
	const char *separator = "";
	const unsigned threads = threads_for_short_parts(finding);

	if (finding->longer_line > 0) {
		buffer_format(&text, "with lines of %u bytes", finding->longer_line);
		separator = ", or ";
	}
	if (threads > 0) {
		buffer_format(&text,
		    "%swith more than %u threads, whose parts of the loop are shorter than a line",
		    separator, threads);
		separator = ", or ";
	} else if (finding->stride < SHARING_LINE_BYTES && has_index(finding->parts[0]) &&
		   has_index(finding->parts[1])) {
		buffer_format(&text, "%swith more threads, whose elements are %u bytes apart",
		    separator, finding->stride);
		separator = ", or ";
	}
	if (finding->distance < SHARING_LINE_BYTES || separator[0] == '\0')
		buffer_format(&text, "%sif the memory began elsewhere%s", separator,
		    finding->distance < SHARING_LINE_BYTES ? ", unless it is aligned"
							   : ", with lines of 256 bytes");
	return text.data;
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
		    "%s use neighbouring lines, such as %s and %s, with %u bytes between: they would "
		    "share one %s",
		    who, first != NULL ? first : sharing_name(finding),
		    second != NULL ? second : sharing_name(finding), finding->distance,
		    conditions_of(arena, finding));
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
	/* The pages of a first touch are those of the usable size, which is in the title. */
	if (finding->place.kind == RACE_PLACE_HEAP && !finding->several_blocks &&
	    finding->touch == NULL)
		return arena_format(
		    arena, "%s, a block of %" PRIu64 " bytes", text, finding->place.size);
	return text;
}

/* What the transfers cost, and what --prove has measured of it. */
static void add_cost(const struct sharing_report *report, const struct sharing_finding *finding,
    struct sharing_words *words)
{
	const char *most = "";

	if (finding->most > 1.2 * finding->seconds)
		most = arena_format(report->arena,
		    ", and %.2g s where threads wait for each transfer", finding->most);
	words->cost = arena_format(report->arena,
	    "about %.2g s of processor time here, %.0f %% of the program's%s; the lines can have "
	    "changed their thread %s times",
	    finding->seconds, 100 * finding->share, most,
	    sharing_amount(report->arena, finding->transfers));
	if (finding->unproved != NULL)
		words->proof = arena_format(report->arena, "not tried: %s", finding->unproved);
	else if (finding->before > 0)
		words->proof = arena_format(report->arena,
		    "with each block in lines of its own the program takes %.3g s of processor "
		    "time, in place of %.3g s",
		    finding->after, finding->before);
}

struct sharing_words sharing_describe_lines(
    const struct sharing_report *report, const struct sharing_finding *finding)
{
	struct sharing_words words = {.object = object_of(report, finding)};

	if (finding->kind == SHARING_MOVED)
		return words;
	words.title = title_of(report, finding);
	if (finding->kind == SHARING_FALSE || finding->kind == SHARING_TRUE)
		add_cost(report, finding, &words);
	if (finding->kind == SHARING_FALSE)
		add_false_remedies(report->arena, finding, &words);
	else if (finding->kind == SHARING_POSSIBLE)
		add_remedy(report->arena, &words,
		    "128 bytes, or 256, for what each thread uses, if the program is to run there");
	else if (finding->kind == SHARING_TRUE)
		add_true_remedies(report->arena, finding, &words);
	return words;
}
