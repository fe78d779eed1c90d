/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lines of code are near directives, but not always on them. Measured with gcc 12 to 16, gfortran
 * 12 and clang 19, at -O0 to -O3:
 *
 *   - The entry of an outlined function has the line of its directive, or of one of its
 *     continuation lines.
 *   - A call from clang has such a line, too.
 *   - A call from GCC has it if the call has a line of its own: parallel, critical, barrier,
 *     taskwait. Loops, sections, ordered and taskgroup begin with calls without a line of their
 *     own. Such a call is in a row of the line table that began earlier, maybe before other calls:
 *     then the directive comes after that row's line, otherwise around it. For a loop in C, the
 *     optimizer gives the row the line of the `for` statement. That line is more reliable than the
 *     row that follows, which with a nowait is the next loop. Loops in Fortran have the line of
 *     their body.
 *
 * A call at the end of a function may be a jump. Then it has no return address of its own, and the
 * runtime reports the first address after the beginning of the function.
 *
 * The end of an inlined function is not marked, so a call without a line may seem to be inside it.
 * If the inlined function has no such directive, the enclosing function is tried.
 */
#include "choose.h"

#include "shared/array.h"
#include "shared/precondition.h"
#include "shared/search.h"

#include <stdlib.h>
#include <string.h>

/*
 * A directive that the code's lines do not lead to is at most this many lines before or after them.
 */
enum { REACH_BEFORE = 3, REACH_AFTER = 2 };

/* A construct's code begins at most this many lines after its directive. */
enum { REACH_CODE = 5 };

void names_sources_free(struct sources *sources)
{
	for (size_t i = 0; i < sources->count; i++)
		names_source_free(&sources->source[i]);
	free(sources->source);
	*sources = (struct sources){0};
}

/* Returns the source with that path, and reads it if it is new; NULL when memory ran out. */
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

/* One level of the question during the search for its directive. */
struct search {
	const struct source *source;
	const char *construct;
	int line;                        /* of the code; 0: none */
	const struct code_level *caller; /* as in struct code_levels */
	uint64_t call;
	int next;        /* of the next code with another line; 0: none */
	int first, last; /* the lines between which directives of the function can be */
	bool is_stale;   /* the line belongs to code before an earlier call */
	size_t same;     /* number of calls with the same target since that line began */
	size_t earlier;  /* number of such calls since the function began */
	const struct code_level *level;
	bool is_exact; /* calls have lines of their own */
	bool is_near;  /* accept only directives that code of the function follows closely */
	bool is_last;  /* the call is at the end of the function: a jump, reported this way by the
			  runtime */
};

typedef bool accepts(const struct directive *directive, const char *construct);

/* The same, but also accepts a taskloop for its tasks and for the taskgroup around them. */
static bool has_construct(const struct directive *directive, const char *construct)
{
	return names_directive_has(directive, construct) ||
	       ((strcmp(construct, "task") == 0 || strcmp(construct, "taskgroup") == 0) &&
		   names_directive_has(directive, "taskloop"));
}

/* Constructs that end with a barrier, which may be a separate call. */
static bool ends_with_barrier(const struct directive *directive, const char *construct)
{
	(void)construct;
	return names_directive_has(directive, "for") || names_directive_has(directive, "single") ||
	       names_directive_has(directive, "sections") ||
	       names_directive_has(directive, "workshare") ||
	       names_directive_has(directive, "scope");
}

/*
 * Returns whether the function has code on the directive or soon after it; otherwise it may belong
 * to a nested function.
 */
static bool is_candidate(const struct search *search, const struct directive *directive)
{
	for (size_t i = 0; search->is_near && i < search->level->row_count; i++) {
		int line = search->level->rows[i].line;
		if (line >= directive->begin && line <= directive->end + REACH_CODE)
			return true;
	}
	return !search->is_near;
}

/* Returns the directive on the line. */
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

/*
 * Returns a directive that begins in [from, to], after skipping `behind` of them; the last one if
 * there are fewer.
 */
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

/* Returns the last one that begins in [from, to]. */
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

/*
 * Returns the next greater line of a function's code, except lines where its variables are
 * declared; 0: none.
 */
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
 * Returns the first line of a function that does not begin with one: a line of its code, except
 * lines where its variables are declared or the enclosing function begins, unless there are only
 * such.
 */
static int first_line(const struct code_level *level, int behind)
{
	int own = next_line(level, behind);

	return own > 0 || level->row_count == 0 ? own : level->rows[0].line;
}

/*
 * Returns the directive on a line before the call that received the function, if the function's
 * code follows that directive.
 */
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
 * For a function that does not begin with a line: one of its lines is at the directive or soon
 * after it. flang's code begins with lines of declarations and of what precedes the construct.
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

/* An outlined function begins at its directive. */
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

/*
 * Returns the function's last barrier if it is a barrier directive and not the end of another
 * construct.
 */
static const struct directive *choose_last_barrier(const struct search *search)
{
	const struct directive *own =
	    find_before(search, search->first, search->last, names_directive_has);
	const struct directive *other =
	    find_before(search, search->first, search->last, ends_with_barrier);

	return own != NULL && (other == NULL || own->begin > other->begin) ? own : NULL;
}

/* Returns the directive of the loop whose statement begins on the line. */
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
	/*
	 * flang gives the barrier of another construct that construct's line, and a barrier
	 * directive the line before.
	 */
	if (found == NULL && strcmp(search->construct, "barrier") == 0 && search->is_exact &&
	    search->next > search->line && find_at(search, search->line, ends_with_barrier) == NULL)
		return find_after(search, search->line + 1, search->next, 0, names_directive_has);
	return found;
}

/* Returns whether the code of the construct's block follows the call immediately. */
static bool block_follows(const char *construct)
{
	return strcmp(construct, "ordered") == 0 || strcmp(construct, "critical") == 0;
}

/*
 * Returns whether a routine of its own begins the construct, so that calls and directives have the
 * same order.
 */
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

/* Returns the row that contains the address; SIZE_MAX: it is before all rows. */
static size_t find_row(const struct code_level *level, uint64_t address)
{
	size_t row;

	SEARCH(row, level->row_count, level->rows[row].address <= address);
	return row > 0 ? row - 1 : SIZE_MAX;
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
	/* A call precedes its return address. */
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
	/* Of several rows at one address, the first is that of the function's beginning. */
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

/* If a source changed after the program was built, its directives may have moved. */
static bool is_usable(const struct source *source, const struct module *module)
{
	return source != NULL && source->is_read &&
	       (module->changed_at == 0 || source->changed_at <= module->changed_at);
}

typedef const struct directive *chooser(const struct search *search);

/* Asks level by level, from the innermost; false if none has such a directive. */
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
		/* Only the function itself, not what was inlined at its beginning. */
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
	CHECK(levels->count > 0, "there is a level");

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
	/* The array of sources may have moved while more were read. */
	for (size_t i = 0; i < levels->count; i++)
		if (searches[i].source != NULL)
			searches[i].source = source_of(sources, levels->level[i].file);
	choice.line = searches[choice.level].line;
	choose_by_all(&choice, question, searches, levels->count);
	free(searches);
	return choice;
}
