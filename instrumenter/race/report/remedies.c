/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Possible fixes of a race, the most likely first. A remedy names the directive or clause and its
 * place. Only the program's author knows whether the program then computes the right results.
 */
#include "explanation.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct advice {
	struct inst_arena *arena;
	struct race_words *words;
	const struct race_finding *finding;
	const char *omp; /* "#pragma omp" or "!$omp" */
};

static void add(struct advice *advice, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

static void add(struct advice *advice, const char *format, ...)
{
	char text[512];
	va_list arguments;

	if (advice->words->remedy_count == RACE_MOST_REMEDIES)
		return;
	va_start(arguments, format);
	int length = vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	if (length < 0)
		return;
	if ((size_t)length >= sizeof text)
		length = sizeof text - 1;
	advice->words->remedies[advice->words->remedy_count++] =
	    arena_copy(advice->arena, text, (size_t)length);
}

/* "x" for a race on the scalar x; NULL for elements, members and unknown memory. */
static const char *scalar(const struct advice *advice)
{
	const char *expression = advice->words->expression[0];

	if (expression == NULL || strpbrk(expression, "[(.>*%") != NULL)
		return NULL;
	return expression;
}

/* Does the line contain an operator that reads what it writes? */
static bool has_update_operator(const char *line)
{
	static const char *const operators[] = {
	    "+=", "-=", "*=", "/=", "&=", "|=", "^=", "++", "--"};

	for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++)
		if (strstr(line, operators[i]) != NULL)
			return true;
	return false;
}

/*
 * The text after the first occurrence of the name as a word, without blanks; NULL if there is none.
 */
static const char *behind_word(const char *text, const char *name)
{
	size_t length = strlen(name);

	for (const char *at = text; (at = strstr(at, name)) != NULL; at++)
		if ((at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_')) &&
		    !isalnum((unsigned char)at[length]) && at[length] != '_')
			return at + length + strspn(at + length, " \t");
	return NULL;
}

/*
 * Has the optimizer moved the other access out of the loop? Then its line does not contain the
 * variable's name.
 */
static bool is_moved(const struct advice *advice)
{
	const struct race_words *words = advice->words;

	return words->expression[0] != NULL && words->expression[1] == NULL &&
	       words->statement[1][0] != '\0' &&
	       behind_word(words->statement[1], words->expression[0]) == NULL;
}

/* Does the statement of the first access contain the name of the written variable a second time? */
static bool names_twice(const struct race_words *words)
{
	const char *first = words->expression[0] != NULL
				? behind_word(words->statement[0], words->expression[0])
				: NULL;

	return words->expression[0] == NULL ||
	       (first != NULL && behind_word(first, words->expression[0]) != NULL);
}

/*
 * Are both accesses one statement that computes the new value from the old one? For such a
 * statement ThreadSanitizer may report only the write, and the read elsewhere. A read by another
 * statement on the line does not count.
 */
static bool is_update(const struct advice *advice)
{
	const struct race_side *side = advice->finding->side;

	return (advice->finding->one_place || is_moved(advice)) && side[0].writes &&
	       (has_update_operator(advice->words->statement[0]) ||
		   (side[0].reads && names_twice(advice->words))) &&
	       !race_reads_another(advice->finding, advice->words);
}

/*
 * The operator with which the line computes the new value: "+" for "sum += x" and "sum = sum - x",
 * "max" for "if (x > m) m = x"; NULL if none is found.
 */
static const char *update_operator(const struct advice *advice)
{
	static const char *const operators[][2] = {{"+=", "+"}, {"-=", "+"}, {"*=", "*"},
	    {"&=", "&"}, {"|=", "|"}, {"^=", "^"}, {"++", "+"}, {"--", "+"}, {"max(", "max"},
	    {"min(", "min"}};
	const char *line = advice->words->statement[0], *name = advice->words->expression[0];

	if (name == NULL || !is_update(advice))
		return NULL;
	for (size_t i = 0; i < sizeof operators / sizeof operators[0]; i++)
		if (strstr(line, operators[i][0]) != NULL)
			return operators[i][1];
	const char *assigned = strchr(line, '=');
	const char *again = assigned != NULL ? behind_word(assigned, name) : NULL;
	if (again != NULL && (*again == '+' || *again == '-'))
		return "+";
	if (again != NULL && *again == '*')
		return "*";
	return strncmp(line, "if", 2) == 0 && strpbrk(line, "<>") != NULL ? "max" : NULL;
}

/* Are both accesses updates of the same scalar, at two places? */
static bool are_two_updates(const struct advice *advice)
{
	const struct race_side *side = advice->finding->side;

	return !advice->finding->one_place && scalar(advice) != NULL && side[0].writes &&
	       side[1].writes && has_update_operator(advice->words->statement[0]) &&
	       has_update_operator(advice->words->statement[1]);
}

/* Has OpenMP's atomic construct a form for the update? */
static bool has_atomic_form(const struct advice *advice)
{
	const char *operator= update_operator(advice);

	return operator!= NULL && strcmp(operator, "max") != 0 && strcmp(operator, "min") != 0;
}

static void advise_atomic(struct advice *advice)
{
	if (are_two_updates(advice))
		add(advice,
		    "'%s atomic' in front of lines %d and %d, if the order of the updates does not "
		    "matter",
		    advice->omp, advice->finding->side[0].line.line,
		    advice->finding->side[1].line.line);
	else if (has_atomic_form(advice))
		add(advice,
		    "'%s atomic' in front of line %d, if the order of the updates does not "
		    "matter",
		    advice->omp, advice->finding->side[0].line.line);
}

/* For a function that a construct calls: clauses of the construct do not reach its variables. */
static void advise_called(struct advice *advice)
{
	const char *name = scalar(advice), *whole = advice->finding->variable.whole;

	if (has_atomic_form(advice) || are_two_updates(advice))
		return;
	if (!is_update(advice) && whole != NULL && strcmp(name, whole) == 0)
		add(advice,
		    "threadprivate(%s), or a local variable in its place, if each thread has a value "
		    "of its own",
		    name);
	add(advice, "'%s critical' around %s, if the order does not matter", advice->omp,
	    advice->finding->one_place ? "it" : "both");
}

static bool is_in_called_function(const struct advice *advice)
{
	const struct race_position *at = advice->words->relation.at;

	return at[0].is_called || at[1].is_called;
}

static void advise_scalar(struct advice *advice, const struct race_construct *construct)
{
	const char *name = scalar(advice), *operator= update_operator(advice);
	const struct race_position *at = &advice->words->relation.at[0];

	if (name == NULL || construct == NULL)
		return;
	if (is_in_called_function(advice)) {
		advise_called(advice);
		return;
	}
	const char *where = race_construct_text(advice->arena, at->around, construct);
	if (operator!= NULL)
		add(advice, "reduction(%s: %s) on %s%s", operator, name, where,
		    strcmp(operator, "max") == 0 ? ", or min" : "");
	else if (!is_update(advice) && !are_two_updates(advice))
		add(advice,
		    "private(%s) on %s, or its declaration inside, if each %s has a value of its own",
		    name, where, race_is_loop(construct) ? "iteration" : "thread");
}

/* Advises for memory that no index of the loop chooses: "p->n", "*p". */
static void advise_object(struct advice *advice)
{
	const char *expression = advice->words->expression[0];

	if (expression != NULL && strpbrk(expression, "[(%") == NULL)
		add(advice, "'%s critical' around %s, if the order does not matter", advice->omp,
		    advice->finding->one_place ? "what reads and writes it"
					       : "both, with all that lies between them");
}

/* The iterations call a function of a library, which makes the accesses. */
static void advise_call(struct advice *advice)
{
	if (strcmp(advice->finding->side[0].called, "strtok") == 0) {
		add(advice, "strtok_r(), which keeps its position in a variable of the caller");
		return;
	}
	add(advice, "'%s critical' around the call%s, if the order does not matter", advice->omp,
	    advice->finding->one_place ? "" : "s");
	add(advice, "an object for each iteration or thread");
}

static void advise_iterations(struct advice *advice)
{
	const struct race_construct *unit = advice->words->relation.at[0].unit;
	const char *operator= update_operator(advice);
	const bool written_only =
	    !advice->finding->side[0].reads && !advice->finding->side[1].reads;

	advise_scalar(advice, unit);
	advise_atomic(advice);
	if (scalar(advice) != NULL)
		return;
	advise_object(advice);
	if (advice->finding->side[0].called != NULL) {
		advise_call(advice);
		return;
	}
	if (operator!= NULL && is_in_called_function(advice))
		return;
	if (operator!= NULL && advice->words->expression[0] != NULL)
		add(advice, "reduction(%s: %s%s) on the loop, over the whole array", operator,
		    race_expression_base(advice->arena, advice->words->expression[0]),
		    strcmp(advice->omp, "!$omp") == 0 ? "" : "[:length]");
	else if (written_only)
		add(advice, "a place of its own for what each iteration writes: here several write "
			    "to the same one");
	else {
		add(advice, "two loops, or another array for what is written, if iterations are to "
			    "read the old values");
		add(advice,
		    "ordered(1) on the loop and '%s ordered depend(sink : ...)', if they are to read "
		    "the new ones",
		    advice->omp);
	}
}

/* "a.c:12" for the side that is later in the source. */
static const char *later_place(const struct advice *advice)
{
	const struct race_side *side = advice->finding->side;

	return advice->words->place[side[1].line.line >= side[0].line.line];
}

static void advise_tasks(struct advice *advice)
{
	const struct race_relation *relation = &advice->words->relation;
	const char *name = advice->words->expression[0];
	bool both = relation->at[0].unit != NULL && relation->at[1].unit != NULL &&
		    race_construct_has(relation->at[0].unit, CONSTRUCT_TASK) &&
		    race_construct_has(relation->at[1].unit, CONSTRUCT_TASK);

	if (!both)
		add(advice, "'%s taskwait' before %s, where the tasks' results are needed",
		    advice->omp, later_place(advice));
	if (relation->same_unit)
		add(advice, "depend(inout : %s) on the task, for siblings",
		    name != NULL ? name : "the variable");
	else if (both)
		add(advice, "depend(%s : %s) and depend(%s : %s) on the tasks, for siblings", "out",
		    name != NULL ? name : "the variable",
		    advice->finding->side[1].writes ? "inout" : "in",
		    name != NULL ? name : "the variable");
	if (both && !relation->same_unit)
		add(advice, "'%s taskwait' between the tasks", advice->omp);
	advise_atomic(advice);
	if (!is_update(advice))
		add(advice,
		    "a variable of the task's own (firstprivate), if it needs no other's value");
}

static void advise_barrier(struct advice *advice)
{
	const struct race_relation *relation = &advice->words->relation;
	const char *where =
	    race_construct_text(advice->arena, relation->earlier_text, relation->earlier);

	if (find_clause(&relation->earlier->clauses, "nowait") != NULL)
		add(advice, "%s without nowait", where);
	add(advice, "'%s barrier' behind %s", advice->omp, where);
}

static void advise_team(struct advice *advice)
{
	const struct race_construct *unit = advice->words->relation.at[0].unit;

	advise_scalar(advice, unit);
	advise_atomic(advice);
	if (!advice->finding->one_place)
		add(advice, "'%s barrier' between the two places, where all threads pass it",
		    advice->omp);
	else
		add(advice, "'%s single' around it, if one thread is to do it", advice->omp);
	add(advice, "'%s critical' around %s, if the threads may do it in any order", advice->omp,
	    advice->finding->one_place ? "it" : "both");
}

/* For a race of which at most one side is in a region: no construct orders the other side. */
static void advise_threads(struct advice *advice)
{
	const struct race_position *at = advice->words->relation.at;
	const struct race_position *inside = at[0].unit != NULL ? &at[0] : &at[1];

	add(advice, "a mutex around both accesses, or atomic ones");
	if (inside->unit != NULL)
		add(advice,
		    "the other thread ended and joined before %s begins, or started behind it",
		    race_construct_text(advice->arena, inside->around, inside->unit));
}

static void advise(struct advice *advice)
{
	const struct race_side *side = advice->finding->side;
	int plain = side[0].atomic ? 1 : 0;

	switch (advice->words->relation.rule) {
	case RACE_RULE_ATOMIC:
		add(advice, "'%s atomic %s' in front of line %d", advice->omp,
		    side[plain].writes ? side[plain].reads ? "update" : "write" : "read",
		    side[plain].line.line);
		break;
	case RACE_RULE_CRITICAL:
		add(advice, "both accesses in 'critical' of the same name");
		if (!advice->words->relation.same_unit && !advice->finding->one_place)
			add(advice,
			    "'%s barrier' between the two places, where all threads pass it",
			    advice->omp);
		break;
	case RACE_RULE_ITERATIONS:
		advise_iterations(advice);
		break;
	case RACE_RULE_TASKS:
		advise_tasks(advice);
		break;
	case RACE_RULE_SECTIONS:
		add(advice, "one section for both, if one has to come after the other");
		advise_atomic(advice);
		break;
	case RACE_RULE_BARRIER:
		advise_barrier(advice);
		break;
	case RACE_RULE_TEAM:
		advise_team(advice);
		break;
	case RACE_RULE_TEAMS:
		advise_scalar(advice, advice->words->relation.at[0].unit);
		add(advice, "two 'teams' regions: nothing else orders the teams of one");
		break;
	default:
		advise_threads(advice);
		break;
	}
}

void race_add_remedies(
    struct race_sources *sources, const struct race_finding *finding, struct race_words *words)
{
	const struct race_text *text = words->relation.at[0].text;
	struct advice advice = {sources->arena, words, finding,
	    text != NULL && text->is_fortran ? "!$omp" : "#pragma omp"};

	/* Without the source, only the places are known. */
	if (text != NULL && text->is_there && finding->side[1].is_known)
		advise(&advice);
}
