/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The sentences and remedies of memory errors: which construct's code uses which memory, and why it
 * may not. What is no error of OpenMP's kinds has the sanitizer's words.
 */
#include "explanation.h"

#include <ctype.h>
#include <string.h>

struct explaining {
	struct race_sources *sources;
	struct inst_arena *arena;
	const struct race_finding *finding;
	struct race_words *words;
	const struct race_position *at;
	const char *what;     /* the expression that is used, or "memory" */
	const char *variable; /* with which it begins, or NULL */
	const char *omp;      /* "#pragma omp" or "!$omp" */
};

static void add(struct explaining *explaining, const char *remedy)
{
	struct race_words *words = explaining->words;

	if (words->remedy_count < RACE_MOST_REMEDIES)
		words->remedies[words->remedy_count++] = remedy;
}

static bool is_in_task(const struct explaining *explaining)
{
	const struct race_construct *unit = explaining->at->unit;

	return unit != NULL && (race_construct_has(unit, CONSTRUCT_TASK) ||
				   race_construct_has(unit, CONSTRUCT_TASKLOOP));
}

/* "tasks of the taskloop at a.c:4 read p[1] at a.c:5" */
static const char *beginning(const struct explaining *explaining, const char *one, const char *many)
{
	struct race_subject subject = {"code outside of all parallel regions", false};

	if (!explaining->at->is_outside)
		subject = race_subject_of(explaining->arena, explaining->at, false);

	return arena_format(explaining->arena, "%s %s %s at %s", subject.text,
	    subject.many ? many : one, explaining->what, explaining->words->place[0]);
}

static const char *access_of(const struct explaining *explaining)
{
	return explaining->finding->side[0].writes ? beginning(explaining, "writes", "write")
						   : beginning(explaining, "reads", "read");
}

/* The innermost construct around the access with a clause that lists the variable; or NULL. */
static const struct race_construct *find_listing(
    const struct explaining *explaining, const char **clause)
{
	const struct race_position *at = explaining->at;

	if (explaining->variable == NULL)
		return NULL;
	for (const struct race_construct *construct = at->innermost; construct != NULL;
	     construct = race_parent(at->innermost_text, construct)) {
		*clause = race_listing_clause(construct, explaining->variable);
		if (*clause != NULL)
			return construct;
	}
	return NULL;
}

/* The last construct before the line of the access that has the variable in this clause; or NULL.
 */
static const struct race_construct *find_before(
    const struct explaining *explaining, const char *wanted)
{
	const struct race_text *text = explaining->at->text;
	const struct race_construct *found = NULL;

	for (int i = 0; text != NULL && explaining->variable != NULL && i < text->construct_count;
	     i++) {
		const struct race_construct *construct = &text->constructs[i];
		const char *clause = race_listing_clause(construct, explaining->variable);
		if (construct->line < explaining->finding->side[0].line.line && clause != NULL &&
		    strcmp(clause, wanted) == 0)
			found = construct;
	}
	return found;
}

static const char *construct_text(
    const struct explaining *explaining, const struct race_construct *construct)
{
	const struct race_position *at = explaining->at;

	return race_construct_text(explaining->arena,
	    at->innermost_text != NULL ? at->innermost_text : at->text, construct);
}

static void explain_ended_frame(struct explaining *explaining)
{
	struct inst_arena *arena = explaining->arena;
	const struct race_finding *finding = explaining->finding;
	const char *name = finding->memory.variable, *clause = NULL;
	const char *owner = finding->one_place ? NULL : finding->side[1].line.function;
	const bool by_name =
	    name != NULL && explaining->variable != NULL && strcmp(name, explaining->variable) == 0;
	const bool scope = strstr(finding->memory.error, "scope") != NULL;
	const char *whose = by_name        ? arena_format(arena, "%s is", name)
			    : name != NULL ? arena_format(arena, "the memory is %s", name)
					   : "the memory is a variable";
	const char *end = finding->of_construct && !scope ? "of a construct that has ended"
			  : scope                         ? "in a block that has ended"
			  : owner != NULL ? arena_format(arena, "of %s, which has returned", owner)
					  : "of a function that has returned";

	explaining->words->title =
	    arena_format(arena, "%s, but %s%s %s", access_of(explaining), whose,
		by_name        ? " a variable"
		: name != NULL ? ", a variable"
			       : "",
		end);
	const struct race_construct *listing = find_listing(explaining, &clause);
	if (listing != NULL)
		explaining->words->sharing = arena_format(arena, "%s is in the %s clause of %s%s",
		    explaining->variable, clause, construct_text(explaining, listing),
		    strcmp(clause, "firstprivate") == 0
			? ", which copies the pointer, not what it points to"
			: "");
	if (!is_in_task(explaining)) {
		add(explaining, "memory that lives until its last use");
		return;
	}
	add(explaining,
	    arena_format(arena, "'%s taskwait' before %s ends, or 'taskgroup' around what it does",
		explaining->omp,
		scope || owner == NULL || finding->of_construct ? "the block" : owner));
	if (by_name)
		add(explaining, arena_format(arena, "firstprivate(%s) on %s", name,
				    construct_text(explaining, explaining->at->unit)));
	add(explaining, "memory from the heap, which the task frees");
}

static void explain_freed(struct explaining *explaining)
{
	struct inst_arena *arena = explaining->arena;
	const struct race_finding *finding = explaining->finding;

	if (strstr(finding->memory.error, "double-free") != NULL)
		explaining->words->title = arena_format(arena, "%s, but it was freed%s",
		    beginning(explaining, "frees", "free"),
		    finding->one_place
			? " before"
			: arena_format(arena, " at %s", explaining->words->place[1]));
	else if (finding->of_task)
		explaining->words->title = arena_format(arena,
		    "%s, but the memory was a task's own copy of a variable, and the task has ended",
		    access_of(explaining));
	else
		explaining->words->title =
		    arena_format(arena, "%s, but the memory was freed%s", access_of(explaining),
			finding->one_place
			    ? ""
			    : arena_format(arena, " at %s", explaining->words->place[1]));
	if (finding->of_task)
		add(explaining,
		    "a variable that lives as long as it is used, in place of the copy");
	else if (is_in_task(explaining))
		add(explaining, arena_format(arena, "'%s taskwait' before the memory is freed",
				    explaining->omp));
	else
		add(explaining, "free it after its last use by any thread");
}

static bool is_part_of_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

/* Is the name in the text as a whole word, perhaps in other letters as in Fortran? */
static bool has_word(const char *text, const char *name)
{
	for (const char *at = text; (at = strcasestr(at, name)) != NULL; at++)
		if ((at == text || !is_part_of_name(at[-1])) && !is_part_of_name(at[strlen(name)]))
			return true;
	return false;
}

/* Does a threadprivate directive of the file list the variable? */
static bool is_threadprivate(const struct explaining *explaining)
{
	const struct race_text *text = explaining->at->text;

	for (int i = 0; text != NULL && explaining->variable != NULL && i < text->line_count; i++)
		if (strcasestr(text->lines[i], "threadprivate") != NULL &&
		    has_word(text->lines[i], explaining->variable))
			return true;
	return false;
}

static void explain_null(struct explaining *explaining)
{
	struct inst_arena *arena = explaining->arena;
	const struct race_position *at = explaining->at;

	if (!is_threadprivate(explaining)) {
		explaining->words->title =
		    arena_format(arena, "%s through a null pointer", access_of(explaining));
		return;
	}
	explaining->words->title = arena_format(arena,
	    "%s through a null pointer: %s is threadprivate, and this thread's copy was not set",
	    access_of(explaining), explaining->variable);
	if (at->unit != NULL)
		add(explaining, arena_format(arena, "copyin(%s) on %s", explaining->variable,
				    construct_text(explaining, at->unit)));
	add(explaining, "set the copy of each thread in a parallel region");
}

static void explain_unwritten(struct explaining *explaining)
{
	struct inst_arena *arena = explaining->arena;
	const char *clause = NULL;
	const struct race_construct *listing = find_listing(explaining, &clause);
	const char *use = beginning(explaining, "uses", "use");

	if (listing == NULL && (listing = find_before(explaining, "lastprivate")) != NULL)
		clause = "lastprivate";
	if (listing == NULL || strcmp(clause, "shared") == 0) {
		explaining->words->title = arena_format(arena, "%s, which was never written", use);
		add(explaining, "give it a value first");
		return;
	}
	const bool last = strcmp(clause, "lastprivate") == 0;
	const bool after = last && explaining->finding->side[0].line.line > listing->end;
	explaining->words->title =
	    arena_format(arena, "%s, which was never written: the %s clause of %s %s", use, clause,
		construct_text(explaining, listing),
		after ? "gives it the value of the last iteration, if there is one that writes it"
		      : "makes copies without a value");
	explaining->words->sharing = arena_format(arena, "%s is in the %s clause of %s",
	    explaining->variable, clause, construct_text(explaining, listing));
	if (strcmp(clause, "private") == 0)
		add(explaining,
		    arena_format(arena, "firstprivate(%s) on %s, if the value from before is meant",
			explaining->variable, construct_text(explaining, listing)));
	add(explaining,
	    after ? arena_format(arena, "give %s a value before the loop", explaining->variable)
		  : "write it in each thread or task before it is read");
}

/* The construct around the access that has a section of the variable in this clause; or NULL. */
static const struct race_construct *find_section(
    const struct explaining *explaining, const char **name)
{
	const struct race_position *at = explaining->at;

	for (const struct race_construct *construct = at->innermost;
	     construct != NULL && explaining->variable != NULL;
	     construct = race_parent(at->innermost_text, construct))
		for (size_t i = 0; i < construct->clauses.count; i++) {
			const struct clause *clause = &construct->clauses.clauses[i];
			if (strstr(clause->name, "reduction") == NULL ||
			    clause->arguments == NULL ||
			    !has_word(clause->arguments, explaining->variable))
				continue;
			*name = clause->name;
			return construct;
		}
	return NULL;
}

static void explain_bounds(struct explaining *explaining)
{
	struct inst_arena *arena = explaining->arena;
	const char *name = explaining->finding->memory.variable, *clause = NULL;
	const struct race_construct *listing = find_section(explaining, &clause);

	explaining->words->title = arena_format(arena, "%s, outside of %s", access_of(explaining),
	    name != NULL                                         ? name
	    : explaining->finding->place.kind == RACE_PLACE_HEAP ? "its memory"
								 : "its variable");
	if (listing != NULL)
		add(explaining,
		    arena_format(arena,
			"a section of %s in the %s clause of %s that contains all that "
			"is used",
			explaining->variable, clause, construct_text(explaining, listing)));
	else
		add(explaining, "an index within the bounds");
}

static void explain_other(struct explaining *explaining)
{
	explaining->words->title = arena_format(explaining->arena, "%s: %s",
	    beginning(explaining, "uses", "use"), explaining->finding->memory.error);
}

/* What happened at the second place. */
static void describe_earlier(struct explaining *explaining)
{
	const struct race_finding *finding = explaining->finding;
	struct race_words *words = explaining->words;
	const bool freed = finding->memory.kind == RACE_FREED;

	words->verb[1] = freed ? "frees" : "declares";
	words->expression[1] = freed ? NULL : finding->memory.variable;
	if (finding->one_place) {
		words->verb[1] = words->verb[0];
		words->expression[1] = words->expression[0];
	}
}

/*
 * What an assignment reads through a pointer, if its only subscript or member says so: compilers
 * may give the column of the assignment. NULL: it is not sure.
 */
static const char *read_by_pointer(struct race_sources *sources, const struct race_finding *finding,
    const struct race_words *words)
{
	const struct race_line *line = &finding->side[0].line;
	const char *value = strchr(words->statement[0], '='), *mark;
	size_t length = 0;

	if (finding->side[0].writes || finding->side[0].called != NULL || value == NULL ||
	    words->relation.at[0].text == NULL)
		return NULL;
	mark = strpbrk(value, "[>(%");
	if (mark == NULL || *mark == '(' || *mark == '%' || strpbrk(mark + 1, "[>(%") != NULL)
		return NULL;
	mark -= *mark == '>' && mark[-1] == '-';
	while (isalnum((unsigned char)mark[-1 - (int)length]) || mark[-1 - (int)length] == '_')
		length++;
	return length == 0 ? NULL
			   : race_source_read(sources, words->relation.at[0].text, line->line,
				 line->column, arena_copy(sources->arena, mark - length, length));
}

void race_explain_memory(
    struct race_sources *sources, const struct race_finding *finding, struct race_words *words)
{
	static void (*const explain[])(struct explaining *) = {
	    [RACE_ENDED_FRAME] = explain_ended_frame,
	    [RACE_FREED] = explain_freed,
	    [RACE_OUT_OF_BOUNDS] = explain_bounds,
	    [RACE_NULL_POINTER] = explain_null,
	    [RACE_UNWRITTEN] = explain_unwritten,
	    [RACE_OTHER_MEMORY] = explain_other,
	};
	const struct race_position *at = &words->relation.at[0];
	if (words->expression[0] == NULL)
		words->expression[0] = read_by_pointer(sources, finding, words);
	const char *expression = words->expression[0];
	struct explaining explaining = {sources, sources->arena, finding, words, at,
	    expression != NULL ? expression : "memory", NULL,
	    at->text != NULL && at->text->is_fortran ? "!$omp" : "#pragma omp"};

	if (expression != NULL)
		explaining.variable = race_expression_base(sources->arena, expression);
	if (finding->memory.kind == RACE_UNWRITTEN)
		words->verb[0] = "uses";
	describe_earlier(&explaining);
	explain[finding->memory.kind](&explaining);
}
