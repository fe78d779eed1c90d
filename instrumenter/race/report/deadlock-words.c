/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The sentences of a cycle of locks. A lock has the name of its variable by debug information or,
 * for one on a stack or in the heap, the expression of the call in the source text.
 */
#include "deadlock-words.h"

#include <ctype.h>
#include <string.h>

/* What is done to a lock, and what the lock is called. */
static const struct {
	const char *noun, *does, *has, *is;
} kinds[] = {
    [RACE_LOCK] = {"lock", "sets", "has set", "set"},
    [RACE_NEST_LOCK] = {"nestable lock", "sets", "has set", "set"},
    [RACE_CRITICAL] = {"critical", "enters", "has entered", "entered"},
    [RACE_MUTEX] = {"mutex", "locks", "has locked", "locked"},
};

/* The text up to the bracket that closes the one in front of it, or to a comma; without '&'. */
static const char *first_argument(struct inst_arena *arena, const char *text)
{
	size_t length = 0;

	text += strspn(text, " \t&");
	for (int depth = 0; text[length] != '\0'; length++) {
		char at = text[length];
		if (depth == 0 && (at == ',' || at == ')' || at == '}' || at == ';'))
			break;
		depth += at == '(' || at == '[' || at == '{';
		depth -= at == ')' || at == ']' || at == '}';
	}
	while (length > 0 && isspace((unsigned char)text[length - 1]))
		length--;
	return length > 0 ? arena_copy(arena, text, length) : NULL;
}

/* "m" of "m.lock()" and "p->lock()"; the object in front of the member. */
static const char *object_before(struct inst_arena *arena, const char *text, const char *member)
{
	size_t end = (size_t)(member - text), begin = end;

	while (begin > 0 && strchr(" \t({;=,!", text[begin - 1]) == NULL)
		begin--;
	return end > begin ? arena_copy(arena, text + begin, end - begin) : NULL;
}

/* The lock that a statement takes, by its text; NULL: it is not known. */
static const char *lock_in(struct inst_arena *arena, const char *statement)
{
	static const char *const routines[] = {"omp_set_lock", "omp_set_nest_lock", "omp_test_lock",
	    "omp_test_nest_lock", "pthread_mutex_lock", "pthread_mutex_trylock"};
	static const char *const guards[] = {"lock_guard", "scoped_lock", "unique_lock"};
	static const char *const members[] = {"->lock", ".lock", "->try_lock", ".try_lock"};

	for (size_t i = 0; i < sizeof routines / sizeof routines[0]; i++) {
		const char *call = strcasestr(statement, routines[i]);
		const char *bracket = call != NULL ? strchr(call, '(') : NULL;
		if (bracket != NULL)
			return first_argument(arena, bracket + 1);
	}
	for (size_t i = 0; i < sizeof guards / sizeof guards[0]; i++) {
		const char *guard = strstr(statement, guards[i]);
		const char *bracket = guard != NULL ? strpbrk(guard, "({") : NULL;
		if (bracket != NULL)
			return first_argument(arena, bracket + 1);
	}
	for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
		const char *member = strstr(statement, members[i]);
		if (member != NULL)
			return object_before(arena, statement, member);
	}
	return NULL;
}

/* The name of the innermost critical construct around the line; NULL: there is none. */
static const char *critical_at(struct race_sources *sources, const struct race_side *side)
{
	const struct race_text *text = race_source_text(sources, side->line.file);
	int index = race_source_construct(text, side->line.line);

	for (; index >= 0; index = text->constructs[index].parent)
		if (race_construct_has(&text->constructs[index], CONSTRUCT_CRITICAL))
			return race_critical_name(&text->constructs[index]);
	return NULL;
}

static const char *name_of(
    struct race_sources *sources, const struct race_lock_object *lock, const struct race_side *side)
{
	struct inst_arena *arena = sources->arena;
	const char *name = lock->kind == RACE_CRITICAL ? lock->critical : lock->variable.name;

	if (name == NULL && side->line.file != NULL)
		name = lock->kind == RACE_CRITICAL
			   ? critical_at(sources, side)
			   : lock_in(arena, race_source_statement(sources,
						race_source_text(sources, side->line.file),
						side->line.line, side->line.column));
	if (lock->kind == RACE_CRITICAL && name != NULL)
		return name[0] != '\0' ? arena_format(arena, "critical (%s)", name)
				       : "critical without a name";
	return name != NULL ? arena_format(arena, "%s %s", kinds[lock->kind].noun, name)
			    : arena_format(arena, "a %s", kinds[lock->kind].noun);
}

static const struct race_text *text_of(struct race_sources *sources, const struct race_side *side)
{
	return side->line.file != NULL ? race_source_text(sources, side->line.file) : NULL;
}

static const char *source_of(struct race_sources *sources, const struct race_side *side)
{
	const struct race_text *text = text_of(sources, side);

	return text != NULL ? race_source_line(sources, text, side->line.line) : "";
}

static struct race_step_words words_of_step(
    struct race_sources *sources, const struct race_lock_step *step)
{
	return (struct race_step_words){
	    .at = race_place_text(sources->arena, &step->at),
	    .since = race_place_text(sources->arena, &step->since),
	    .wanted = name_of(sources, &step->wanted, &step->at),
	    .held = name_of(sources, &step->held, &step->since),
	    .wants = kinds[step->wanted.kind].does,
	    .holds = kinds[step->held.kind].has,
	    .at_source = source_of(sources, &step->at),
	    .since_source = source_of(sources, &step->since),
	    .at_text = text_of(sources, &step->at),
	    .since_text = text_of(sources, &step->since),
	};
}

static const char *title_of(struct inst_arena *arena, const struct race_deadlock *deadlock,
    const struct race_step_words *steps)
{
	struct inst_buffer text = {.arena = arena};

	if (deadlock->threads == 1)
		return arena_format(arena,
		    "the thread %s %s at %s, which it holds since %s: it waits for itself",
		    steps[0].wants, steps[0].wanted, steps[0].at, steps[0].since);
	for (size_t i = 0; i < deadlock->count; i++)
		buffer_format(&text, "%s%s is %s at %s while %s is held", i == 0 ? "" : ", and ",
		    steps[i].wanted, kinds[deadlock->steps[i].wanted.kind].is, steps[i].at,
		    steps[i].held);
	if (deadlock->count == 1)
		buffer_add_string(&text, ", by threads of which each holds what another one wants");
	if (deadlock->threads == 2)
		buffer_add_string(&text, ": two threads can wait for each other");
	else
		buffer_format(&text, ": %zu threads can wait for each other", deadlock->threads);
	return text.data;
}

static void add(struct race_deadlock_words *words, const char *remedy)
{
	if (words->remedy_count < RACE_MOST_REMEDIES)
		words->remedies[words->remedy_count++] = remedy;
}

static void advise_twice(const struct race_deadlock *deadlock, struct race_deadlock_words *words)
{
	switch (deadlock->steps[0].wanted.kind) {
	case RACE_CRITICAL:
		add(words, "another name for the inner 'critical', or none there");
		break;
	case RACE_MUTEX:
		add(words, "unlock it before, or a recursive mutex");
		break;
	default:
		add(words, "unset it before; a nestable lock may be set again by its task");
	}
}

static void advise_order(struct inst_arena *arena, const struct race_deadlock *deadlock,
    struct race_deadlock_words *words)
{
	const struct race_step_words *first = &words->steps[0],
				     *last = &words->steps[deadlock->count - 1];
	const enum race_lock_type kind = deadlock->steps[0].wanted.kind;

	if (race_side_compare(&deadlock->steps[0].at, &deadlock->steps[deadlock->count - 1].at) !=
	    0)
		add(words,
		    arena_format(arena, "one order everywhere: at %s first %s, then %s, as at %s",
			last->since, first->held, first->wanted, first->at));
	else
		add(words, "one order for all threads: of two locks of an array, the one with the "
			   "lower index first");
	if (kind == RACE_LOCK || kind == RACE_NEST_LOCK)
		add(words,
		    "a test routine for the second lock, and the first one unset if it fails");
	else if (kind == RACE_MUTEX)
		add(words, "std::scoped_lock on both, or a try for the second one");
	add(words, "another lock or 'critical' around all of these places");
}

/* Each lock once. */
static void add_objects(struct inst_arena *arena, const struct race_deadlock *deadlock,
    struct race_deadlock_words *words)
{
	words->objects = arena_allocate(arena, (deadlock->count + 1) * sizeof *words->objects);
	for (size_t i = 0; i < deadlock->count; i++) {
		const struct race_lock_object *lock = &deadlock->steps[i].wanted;
		const struct race_finding object = {
		    .place = lock->place, .variable = lock->variable, .allocated = lock->allocated};
		const char *text =
		    lock->kind != RACE_CRITICAL ? race_object_text(arena, &object) : NULL;
		bool again = text == NULL;
		if (text != NULL && lock->variable.name != NULL)
			text = arena_format(arena, "%s %s", kinds[lock->kind].noun, text);
		else if (text != NULL)
			text = arena_format(arena, "%s: %s", words->steps[i].wanted, text);
		for (size_t j = 0; j < words->object_count && !again; j++)
			again = strcmp(words->objects[j], text) == 0;
		if (!again)
			words->objects[words->object_count++] = text;
	}
}

struct race_deadlock_words race_explain_deadlock(
    struct race_sources *sources, const struct race_deadlock *deadlock)
{
	struct inst_arena *arena = sources->arena;
	struct race_step_words *steps = arena_allocate(arena, deadlock->count * sizeof *steps);
	struct race_deadlock_words words = {.steps = steps};

	words.rule = deadlock->threads == 1 ? RACE_RULE_LOCK_TWICE : RACE_RULE_LOCK_ORDER;
	for (size_t i = 0; i < deadlock->count; i++)
		steps[i] = words_of_step(sources, &deadlock->steps[i]);
	words.title = title_of(arena, deadlock, steps);
	add_objects(arena, deadlock, &words);
	if (deadlock->threads == 1)
		advise_twice(deadlock, &words);
	else
		advise_order(arena, deadlock, &words);
	return words;
}
