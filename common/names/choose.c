/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lines of code are near directives, but not always on them. What was measured of gcc 12 to 16,
 * gfortran 12 and clang 19, at -O0 to -O3:
 *
 * - The entry of an outlined function has its directive's line, or one that the directive is
 * continued on.
 * - A call of clang's has it, too.
 * - A call of GCC's has it when the call has a line of its own: parallel, critical, barrier,
 * taskwait. Loops, sections, ordered and taskgroup begin with calls without one. These are in a row
 * of the line table that began earlier, maybe before other calls: then the directive comes after
 * that row's line, and else around it. Of C's loops the optimizer's row has the line of their
 * `for`, which says more than what follows: with a nowait that is the next loop. Fortran's loops
 * have the line of their body.
 *
 * A call at the end of a function may be a jump. Then there is no address that it returns to, and
 * the runtime reports the first one behind the function's beginning.
 *
 * A function that was inlined ends without a mark, so that a call without a line may seem to be
 * in it: where it has no such directive, the function around it is tried.
 */
#include "choose.h"

#include "shared/array.h"

#include <stdlib.h>
#include <string.h>

/* A directive that the code's lines do not lead to is at most so far in front of them, or behind.
 */
enum { REACH_BEFORE = 3, REACH_AFTER = 2 };

/* Code of a construct begins at most so far behind its directive. */
enum { REACH_CODE = 5 };

void names_sources_free(struct sources *sources)
{
	for (size_t i = 0; i < sources->count; i++)
		names_source_free(&sources->source[i]);
	free(sources->source);
	*sources = (struct sources){0};
}

/* The source of that path, read when it is new; NULL when memory ran out. */
static const struct source *source_of(struct sources *sources, const char *path)
{
	struct source source;

	for (size_t i = 0; i < sources->count; i++)
		if (sources->source[i].path != NULL && strcmp(sources->source[i].path, path) == 0)
			return &sources->source[i];
	names_source_read(&source, path);
	if (!ARRAY_PUSH(sources->source, sources->count, sources->room, source)) {
		names_source_free(&source);
		return NULL;
	}
	return &sources->source[sources->count - 1];
}

/* One level of the question while its directive is looked for. */
struct search {
	const struct source *source;
	const char *construct;
	int line;                        /* of the code, 0: none */
	const struct code_level *caller; /* as struct code_levels has it */
	uint64_t call;
	int next;        /* of the code behind it that has another line; 0: none */
	int first, last; /* where directives of the function can be */
	bool is_stale;   /* the line is that of code before an earlier call */
	size_t same;     /* calls like this one since that line began */
	size_t earlier;  /* and since the function began */
	const struct code_level *level;
	bool is_exact; /* calls have lines of their own */
	bool is_near;  /* only directives that code of the function follows closely are meant */
	bool is_last;  /* the call is the function's end: a jump, which the runtime reports so */
};

typedef bool accepts(const struct directive *directive, const char *construct);

/* The same, and a taskloop for its tasks and for the taskgroup around them. */
static bool has_construct(const struct directive *directive, const char *construct)
{
	return names_directive_has(directive, construct) ||
	       ((strcmp(construct, "task") == 0 || strcmp(construct, "taskgroup") == 0) &&
		   names_directive_has(directive, "taskloop"));
}

/* Constructs that end with a barrier, which may be a call of its own. */
static bool ends_with_barrier(const struct directive *directive, const char *construct)
{
	(void)construct;
	return names_directive_has(directive, "for") || names_directive_has(directive, "single") ||
	       names_directive_has(directive, "sections") ||
	       names_directive_has(directive, "workshare") ||
	       names_directive_has(directive, "scope");
}

/* Whether code of the function is on it or follows it: else it may be of a function within. */
static bool is_candidate(const struct search *search, const struct directive *directive)
{
	for (size_t i = 0; search->is_near && i < search->level->row_count; i++) {
		int line = search->level->rows[i].line;
		if (line >= directive->begin && line <= directive->end + REACH_CODE)
			return true;
	}
	return !search->is_near;
}

/* The directive that has the line. */
static const struct directive *find_at(const struct search *search, int line, accepts *accept)
{
	for (size_t i = 0; line > 0 && i < search->source->count; i++) {
		const struct directive *directive = &search->source->directives[i];
		if (directive->begin <= line && line <= directive->end &&
		    accept(directive, search->construct))
			return directive;
	}
	return NULL;
}

/* Of those that begin in [from, to] the one behind so many; of fewer the last. */
static const struct directive *find_after(
    const struct search *search, int from, int to, size_t behind, accepts *accept)
{
	const struct directive *found = NULL;

	for (size_t i = 0; i < search->source->count; i++) {
		const struct directive *directive = &search->source->directives[i];
		if (directive->begin < from || directive->begin > to ||
		    !accept(directive, search->construct) || !is_candidate(search, directive))
			continue;
		found = directive;
		if (behind-- == 0)
			break;
	}
	return found;
}

/* The last one that begins in [from, to]. */
static const struct directive *find_before(
    const struct search *search, int from, int to, accepts *accept)
{
	for (size_t i = search->source->count; i > 0; i--) {
		const struct directive *directive = &search->source->directives[i - 1];
		if (directive->begin >= from && directive->begin <= to &&
		    accept(directive, search->construct) && is_candidate(search, directive))
			return directive;
	}
	return NULL;
}

/* The next greater line of a function's code, 0: none; not where its variables are declared. */
static int next_line(const struct code_level *level, int line)
{
	int next = 0;

	for (size_t i = 0; i < level->row_count; i++) {
		int other = level->rows[i].line;
		if (other > line && !names_level_declares(level, other) &&
		    (next == 0 || other < next))
			next = other;
	}
	return next;
}

/*
 * The first line of a function that does not begin with one: of its code, and not where its
 * variables are declared or the function around it begins, unless it has no others.
 */
static int first_line(const struct code_level *level, int behind)
{
	int own = next_line(level, behind);

	return own > 0 || level->row_count == 0 ? own : level->rows[0].line;
}

/* The directive of a line before the call that got the function, which code of that follows. */
static const struct directive *choose_by_call(const struct search *search)
{
	const struct code_level *caller = search->caller;
	struct search near = *search;

	near.is_near = true;
	for (size_t i = caller != NULL ? caller->row_count : 0; i > 0; i--) {
		if (caller->rows[i - 1].address >= search->call)
			continue;
		const struct directive *found =
		    find_at(search, caller->rows[i - 1].line, has_construct);
		if (found != NULL && is_candidate(&near, found))
			return found;
	}
	return NULL;
}

/*
 * A function that does not begin with a line: one of its lines is at the directive or soon behind.
 * flang's code begins with lines of declarations and of what comes before the construct.
 */
static const struct directive *choose_by_lines(const struct search *search)
{
	const struct directive *found = choose_by_call(search);
	int line = search->line;

	while (found == NULL && line > 0) {
		found = find_at(search, line, has_construct);
		if (found == NULL)
			found = find_before(search, line - REACH_BEFORE, line, has_construct);
		line = next_line(search->level, line);
	}
	return found;
}

/* The outlined function begins at its directive. */
static const struct directive *choose_for_entry(const struct search *search)
{
	const struct directive *found =
	    search->level->begins_with_line ? NULL : choose_by_lines(search);

	if (found == NULL)
		found = find_at(search, search->line, has_construct);

	if (found == NULL)
		found =
		    find_before(search, search->line - REACH_BEFORE, search->line, has_construct);
	if (found == NULL)
		found =
		    find_after(search, search->line, search->line + REACH_AFTER, 0, has_construct);
	return found;
}

/* The function's last barrier, where it is one of its own and not another construct's. */
static const struct directive *choose_last_barrier(const struct search *search)
{
	const struct directive *own =
	    find_before(search, search->first, search->last, names_directive_has);
	const struct directive *other =
	    find_before(search, search->first, search->last, ends_with_barrier);

	return own != NULL && (other == NULL || own->begin > other->begin) ? own : NULL;
}

/* The loop's directive whose statement begins on the line. */
static const struct directive *find_loop_at(const struct search *search)
{
	for (size_t i = 0; search->line > 0 && i < search->source->count; i++) {
		const struct directive *directive = &search->source->directives[i];
		if (directive->statement == search->line &&
		    names_directive_has(directive, search->construct))
			return directive;
	}
	return NULL;
}

static const struct directive *choose_exact(const struct search *search)
{
	const struct directive *found = NULL;

	if (search->is_last && strcmp(search->construct, "barrier") == 0)
		return choose_last_barrier(search);
	if ((search->is_stale || search->is_last) && strcmp(search->construct, "barrier") != 0)
		return NULL;
	found = find_at(search, search->line, has_construct);
	if (found == NULL && strcmp(search->construct, "for") == 0)
		return find_loop_at(search);
	/* flang gives barriers of other constructs their line, and those of their own that before.
	 */
	if (found == NULL && strcmp(search->construct, "barrier") == 0 && search->is_exact &&
	    search->next > search->line && find_at(search, search->line, ends_with_barrier) == NULL)
		return find_after(search, search->line + 1, search->next, 0, names_directive_has);
	return found;
}

/* Whether the code of its block follows the call at once. */
static bool block_follows(const char *construct)
{
	return strcmp(construct, "ordered") == 0 || strcmp(construct, "critical") == 0;
}

/* Whether one routine alone begins it, so that calls in order are directives in order. */
static bool has_own_routine(const char *construct)
{
	return strcmp(construct, "sections") == 0 || strcmp(construct, "single") == 0 ||
	       strcmp(construct, "taskgroup") == 0;
}

static const struct directive *choose_near(const struct search *search)
{
	const struct directive *found = NULL;

	if (search->line == 0)
		return NULL;
	if (search->is_last)
		return find_before(search, search->first, search->last, names_directive_has);
	if (search->is_stale && has_own_routine(search->construct))
		found = find_after(
		    search, search->first, search->last, search->earlier, names_directive_has);
	if (found == NULL && search->next > search->line && block_follows(search->construct))
		found = find_before(search, search->line + 1, search->next, names_directive_has);
	if (found == NULL && search->next > search->line)
		found = find_after(
		    search, search->line + 1, search->next, search->same, names_directive_has);
	if (found == NULL && search->is_stale)
		found = find_after(
		    search, search->line + 1, search->last, search->same, names_directive_has);
	if (found == NULL)
		found = find_before(search, search->first, search->line, names_directive_has);
	if (found == NULL)
		found = find_after(search, search->line, search->last, 0, names_directive_has);
	return found;
}

static const struct directive *choose_nearest(const struct search *search)
{
	struct search near = *search;

	near.is_near = true;
	return choose_near(&near);
}

static const struct directive *choose_implicit(const struct search *search)
{
	const struct directive *found = find_at(search, search->line, ends_with_barrier);

	if (search->is_last)
		found = find_before(search, search->first, search->last, ends_with_barrier);
	if (found == NULL)
		found = find_before(search, search->first, search->line, ends_with_barrier);
	if (found == NULL)
		found = find_after(search, search->line, search->last, 0, ends_with_barrier);
	return found;
}

/* The row that has the address; SIZE_MAX: it is in front of all. */
static size_t find_row(const struct code_level *level, uint64_t address)
{
	size_t low = 0, high = level->row_count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		if (level->rows[middle].address <= address)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 ? low - 1 : SIZE_MAX;
}

static struct search search_of(const struct module *module, const struct code_question *question,
    const struct code_levels *levels, size_t index)
{
	const struct code_level *level = &levels->level[index];
	struct search search = {.construct = question->construct,
	    .level = level,
	    .is_exact = levels->are_exact,
	    .first = INT32_MAX};
	bool is_entry = question->place.at == CODE_ENTRY;
	/* A call is in front of the address that it returns to. */
	uint64_t address = question->place.offset - !is_entry;
	size_t row = find_row(level, address);

	for (size_t i = 0; i < level->row_count; i++) {
		int line = level->rows[i].line;
		search.first = line < search.first ? line : search.first;
		search.last = line > search.last ? line : search.last;
	}
	search.first = search.first > REACH_BEFORE ? search.first - REACH_BEFORE : 1;
	if (is_entry && !level->begins_with_line) {
		search.line = first_line(level, levels->behind);
		search.caller = levels->caller;
		search.call = levels->call;
	}
	if (row == SIZE_MAX || (is_entry && !level->begins_with_line))
		return search;
	/* Of rows at one address the first is that of the function's beginning. */
	while (is_entry && row > 0 && level->rows[row - 1].address == level->rows[row].address)
		row--;
	search.line = level->rows[row].line;
	search.is_last = !is_entry && address == level->rows[0].address;
	for (size_t i = row + 1; !is_entry && i < level->row_count && search.next == 0; i++)
		if (level->rows[i].line != search.line)
			search.next = level->rows[i].line;
	while (row > 0 && level->rows[row - 1].line == search.line)
		row--;
	if (!is_entry && !levels->are_exact) {
		struct calls calls =
		    names_module_calls(module, level->rows[row].address, question->place.offset);
		search.is_stale = calls.all > 0;
		search.same = calls.same;
		search.earlier =
		    names_module_calls(module, level->rows[0].address, question->place.offset).same;
	}
	return search;
}

/* A source that was changed after the program was built has its directives elsewhere. */
static bool is_usable(const struct source *source, const struct module *module)
{
	return source != NULL && source->is_read &&
	       (module->changed_at == 0 || source->changed_at <= module->changed_at);
}

typedef const struct directive *chooser(const struct search *search);

/* Asks level by level, from the innermost; false when none has such a directive. */
static bool choose_by(
    struct choice *choice, const struct search *searches, size_t count, chooser *choose)
{
	for (size_t i = 0; i < count; i++) {
		if (searches[i].source == NULL)
			continue;
		choice->directive = choose(&searches[i]);
		if (choice->directive != NULL) {
			choice->level = i;
			choice->line = searches[i].line;
			return true;
		}
	}
	return false;
}

static void choose_by_all(struct choice *choice, const struct code_question *question,
    const struct search *searches, size_t count)
{
	if (question->place.at == CODE_ENTRY) {
		/* The function itself: what was inlined at its beginning is not meant. */
		if (choose_by(choice, searches + count - 1, 1, choose_for_entry))
			choice->level = count - 1;
		return;
	}
	if (choose_by(choice, searches, count, choose_exact))
		return;
	if (strcmp(question->construct, "barrier") == 0 &&
	    choose_by(choice, searches, count, choose_implicit)) {
		choice->is_other = true;
		return;
	}
	if (!choose_by(choice, searches, count, choose_nearest))
		choose_by(choice, searches, count, choose_near);
}

struct choice names_choose_directive(struct sources *sources, const struct module *module,
    const struct code_question *question, const struct code_levels *levels)
{
	struct choice choice = {0};
	struct search *searches = calloc(levels->count, sizeof(*searches));

	if (searches == NULL)
		return choice;
	if (question->place.at == CODE_ENTRY)
		choice.level = levels->count - 1;
	for (size_t i = 0; i < levels->count; i++) {
		const struct code_level *level = &levels->level[i];
		searches[i] = search_of(module, question, levels, i);
		const struct source *source =
		    level->file != NULL ? source_of(sources, level->file) : NULL;
		searches[i].source = is_usable(source, module) ? source : NULL;
	}
	/* Sources may have moved while more were read. */
	for (size_t i = 0; i < levels->count; i++)
		if (searches[i].source != NULL)
			searches[i].source = source_of(sources, levels->level[i].file);
	choice.line = searches[choice.level].line;
	choose_by_all(&choice, question, searches, levels->count);
	free(searches);
	return choice;
}
