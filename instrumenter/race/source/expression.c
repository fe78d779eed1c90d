/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the expression of a line that is accessed. A compiler gives the column of a statement's
 * operator or of the expression; this depends on compiler and version, so the text decides. What
 * the text does not show stays unknown, because a wrong expression would be worse than none.
 */
#include "race-source.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

static bool is_name(char byte)
{
	return isalnum((unsigned char)byte) || byte == '_';
}

static bool begins_name(const char *line, size_t at)
{
	return (isalpha((unsigned char)line[at]) || line[at] == '_') &&
	       (at == 0 || !is_name(line[at - 1]));
}

/* Offset after the brackets that open at `at`; 0 if they do not close on the line. */
static size_t behind_brackets(const char *line, size_t at)
{
	int depth = 0;

	for (; line[at] != '\0'; at++) {
		if (line[at] == '[' || line[at] == '(')
			depth++;
		else if ((line[at] == ']' || line[at] == ')') && --depth == 0)
			return at + 1;
	}
	return 0;
}

/* Offset of the bracket that the one at `at` closes; at + 1 if it is not on the line. */
static size_t opening_bracket(const char *line, size_t at)
{
	int depth = 0;

	for (size_t i = at + 1; i-- > 0;) {
		if (line[i] == ']' || line[i] == ')')
			depth++;
		else if ((line[i] == '[' || line[i] == '(') && --depth == 0)
			return i;
	}
	return at + 1;
}

/* The end of the expression whose first name begins at `at`: "p->n[3].x". */
static size_t end_of(const char *line, size_t at, bool fortran)
{
	for (;;) {
		while (is_name(line[at]))
			at++;
		size_t next = at + strspn(&line[at], " \t");
		if (line[next] == '[' || (fortran && line[next] == '(')) {
			size_t behind = behind_brackets(line, next);
			if (behind == 0)
				return at;
			at = behind;
		} else if (fortran && line[next] == '%') {
			at = next + 1 + strspn(&line[next + 1], " \t");
		} else if (line[next] == '.' && is_name(line[next + 1])) {
			at = next + 1;
		} else if (line[next] == '-' && line[next + 1] == '>') {
			at = next + 2 + strspn(&line[next + 2], " \t");
		} else {
			return at;
		}
	}
}

/* The beginning of the expression that ends before `end`; `end` itself if there is none. */
static size_t begin_of(const char *line, size_t end, bool fortran)
{
	size_t at = end;

	for (;;) {
		while (at > 0 && (line[at - 1] == ']' || (fortran && line[at - 1] == ')'))) {
			size_t open = opening_bracket(line, at - 1);
			if (open >= at)
				return end;
			at = open;
			while (at > 0 && line[at - 1] == ' ')
				at--;
		}
		size_t name = at;
		while (at > 0 && is_name(line[at - 1]))
			at--;
		if (at == name && at == end)
			return end;
		if (at == name)
			break;
		if (fortran && at > 1 && line[at - 1] == '%')
			at--;
		else if (at > 1 && line[at - 1] == '.' &&
			 (is_name(line[at - 2]) || line[at - 2] == ']'))
			at--;
		else if (at > 2 && line[at - 1] == '>' && line[at - 2] == '-')
			at -= 2;
		else
			break;
	}
	/* In "(*rows)[i]", the brackets around a name belong to the expression. */
	if (line[at] == '[' && at > 0 && line[at - 1] == ')' && opening_bracket(line, at - 1) < at)
		at = opening_bracket(line, at - 1);
	else if (line[at] == '[')
		return end;
	while (at > 0 && line[at - 1] == '*' && !fortran && (at < 2 || !is_name(line[at - 2])))
		at--;
	return at;
}

static const char *cut(struct inst_arena *arena, const char *line, size_t begin, size_t end)
{
	while (end > begin && (line[end - 1] == ' ' || line[end - 1] == '\t'))
		end--;
	return end > begin ? arena_copy(arena, line + begin, end - begin) : NULL;
}

/* Offset of the first assignment operator at or after `at`: its first character. */
static size_t assignment(const char *line, size_t at)
{
	int depth = 0;

	for (; line[at] != '\0'; at++) {
		char byte = line[at], next = line[at + 1];
		if (byte == '(' || byte == '[')
			depth++;
		if (byte == ')' || byte == ']')
			depth--;
		bool plain =
		    byte == '=' && next != '=' && (at == 0 || strchr("=!<>", line[at - 1]) == NULL);
		bool compound = byte != '\0' && strchr("+-*/%&|^", byte) != NULL && next == '=';
		bool shift = (byte == '<' || byte == '>') && next == byte && line[at + 2] == '=';
		bool step = (byte == '+' || byte == '-') && next == byte;
		if (depth <= 0 && (plain || compound || shift || step))
			return at;
	}
	return at;
}

/* The expression to which the operator at the offset assigns: before it, or after it for "++x". */
static const char *assigned(
    struct inst_arena *arena, const char *line, size_t operator, bool fortran)
{
	size_t end = operator;

	while (end > 0 && (line[end - 1] == ' ' || line[end - 1] == '\t'))
		end--;
	size_t begin = begin_of(line, end, fortran);
	if (begin < end)
		return cut(arena, line, begin, end);
	if ((line[operator] == '+' || line[operator] == '-') && line[operator + 1] == line[operator]) {
		size_t name = operator + 2 + strspn(&line[operator + 2], " \t");
		return cut(arena, line, name, end_of(line, name, fortran));
	}
	return NULL;
}

/* Where the line contains the name as a whole word, at or after `at`; -1 if nowhere. */
static long find_name(const char *line, const char *name, size_t at)
{
	size_t length = strlen(name);

	for (; line[at] != '\0'; at++)
		if (begins_name(line, at) && strncmp(&line[at], name, length) == 0 &&
		    !is_name(line[at + length]))
			return (long)at;
	return -1;
}

const char *race_expression_base(struct inst_arena *arena, const char *expression)
{
	size_t begin = 0, end;

	while (expression[begin] != '\0' && !is_name(expression[begin]))
		begin++;
	for (end = begin; is_name(expression[end]); end++)
		;
	return arena_copy(arena, expression + begin, end - begin);
}

const char *race_expression_shape(
    struct inst_arena *arena, const char *expression, bool keeps_constants)
{
	char *shape = arena_copy(arena, expression, strlen(expression));
	size_t length = 0;

	for (const char *at = expression; *at != '\0'; at++) {
		size_t digits = strspn(at + 1, "0123456789");
		if (*at == ' ' || *at == '\t')
			continue;
		shape[length++] = *at;
		if ((*at != '[' && *at != '(') ||
		    (keeps_constants && digits > 0 && strchr("])", at[1 + digits]) != NULL))
			continue;
		size_t behind = behind_brackets(expression, (size_t)(at - expression));
		if (behind == 0)
			break;
		at = &expression[behind - 1];
		shape[length++] = *at;
	}
	shape[length] = '\0';
	return shape;
}

/* Keywords that a compiler can report as the place of a statement. */
static bool is_keyword(const char *line, size_t begin, size_t end, bool fortran)
{
	static const char *const of_c[] = {"return", "if", "else", "for", "while", "do", "switch",
	    "case", "throw", "new", "delete", "sizeof", "const", "auto", NULL};
	static const char *const of_fortran[] = {"print", "write", "read", "call", "if", "else",
	    "elseif", "do", "end", "enddo", "where", "forall", "select", "case", "return", "stop",
	    NULL};
	const char *const *words = fortran ? of_fortran : of_c;

	for (size_t i = 0; words[i] != NULL; i++)
		if (strlen(words[i]) == end - begin &&
		    strncasecmp(line + begin, words[i], end - begin) == 0)
			return true;
	return false;
}

/* A name before a call's parenthesis is not a variable. */
static bool is_called(const char *line, size_t end, bool fortran)
{
	return !fortran && line[end + strspn(&line[end], " \t")] == '(';
}

/* The expression at the column itself. */
static const char *at_column(struct inst_arena *arena, const char *line, size_t at, bool fortran)
{
	size_t begin = at;

	if (line[at] == '[' || line[at] == '.' || (line[at] == '-' && line[at + 1] == '>'))
		begin = begin_of(line, at, fortran);
	else if (line[at] == '*' && !fortran)
		begin = at + 1;
	while (begin > 0 && is_name(line[begin]) && is_name(line[begin - 1]))
		begin--;
	if (!begins_name(line, begin))
		return NULL;
	size_t end = end_of(line, begin, fortran), word = begin;
	while (is_name(line[word]))
		word++;
	if (is_called(line, end, fortran) || is_keyword(line, begin, word, fortran))
		return NULL;
	return cut(arena, line, line[at] == '*' && !fortran ? at : begin, end);
}

/*
 * Offset of the assignment operator for a column: at the column, or after the expression that
 * begins there; else the first of the line.
 */
static size_t assignment_at(const char *line, size_t at, bool fortran)
{
	size_t found = assignment(line, at), end = found;

	while (end > 0 && (line[end - 1] == ' ' || line[end - 1] == '\t'))
		end--;
	bool is_there = found == at || (line[found] != '\0' && begin_of(line, end, fortran) == at);
	return is_there ? found : assignment(line, 0);
}

/* The line, with everything except the statement at the column blanked out. */
static const char *only_statement(
    struct inst_arena *arena, const struct race_text *text, int line, int column)
{
	struct race_range range = race_source_range(text, line, column);
	char *code = arena_copy(arena, text->code[line - 1], range.end);

	for (size_t i = 0; i < range.begin; i++)
		if (code[i] != '\t')
			code[i] = ' ';
	return code;
}

/*
 * Where the line names the variable; after an assignment first, because both sides may contain it.
 */
static const char *named(
    struct inst_arena *arena, const char *line, const char *name, bool writes, bool fortran)
{
	size_t operator= assignment(line, 0);
	long at = writes || line[operator] == '\0' ? -1 : find_name(line, name, operator);

	if (at < 0)
		at = find_name(line, name, 0);
	return at < 0 ? NULL : cut(arena, line, (size_t)at, end_of(line, (size_t)at, fortran));
}

const char *race_source_expression(struct race_sources *sources, const struct race_text *text,
    int line_number, int column, bool writes, const char *hint)
{
	struct inst_arena *arena = sources->arena;
	const char *found = NULL;

	if (line_number < 1 || line_number > text->line_count)
		return NULL;
	const char *line = only_statement(arena, text, line_number, column);
	size_t at = column > 0 && (size_t)column <= strlen(line) ? (size_t)column - 1 : 0;
	if (writes) {
		size_t operator= column> 0 ? assignment_at(line, at, text->is_fortran)
					   : assignment(line, 0);
		if (line[operator] != '\0')
			found = assigned(arena, line, operator, text->is_fortran);
	} else if (column > 0) {
		found = at_column(arena, line, at, text->is_fortran);
	}
	if (hint == NULL ||
	    (found != NULL && strcmp(race_expression_base(arena, found), hint) == 0))
		return found;
	return named(arena, line, hint, writes, text->is_fortran);
}

const char *race_source_read(struct race_sources *sources, const struct race_text *text, int line,
    int column, const char *name)
{
	if (line < 1 || line > text->line_count)
		return NULL;
	return named(sources->arena, only_statement(sources->arena, text, line, column), name,
	    false, text->is_fortran);
}

/* The variable of the loop that begins on the line, or NULL. */
static const char *variable_of_loop(
    struct inst_arena *arena, const struct race_text *text, int line_number)
{
	const char *word = text->is_fortran ? "do" : "for";

	if (line_number > text->line_count)
		return NULL;
	const char *line = text->code[line_number - 1];
	size_t at = strspn(line, " \t");
	if (strncasecmp(&line[at], word, strlen(word)) != 0)
		return NULL;
	at += strlen(word);
	at += strspn(&line[at], " \t(");
	size_t end = end_of(line, at, false);
	return begins_name(line, at) && line[end + strspn(&line[end], " \t")] == '='
		   ? cut(arena, line, at, end)
		   : NULL;
}

const char *race_source_simd_variable(
    struct race_sources *sources, const struct race_text *text, int line)
{
	static const char *const others[] = {"linear", "lastprivate", "reduction", "collapse"};

	for (int i = 0; i < text->construct_count; i++) {
		const struct race_construct *loop = &text->constructs[i];
		if (loop->line != line)
			continue;
		for (size_t j = 0; j < sizeof others / sizeof others[0]; j++)
			if (find_clause(&loop->clauses, others[j]) != NULL)
				return NULL;
		return directive_is(&loop->use, CONSTRUCT_SIMD)
			   ? variable_of_loop(sources->arena, text, line + 1)
			   : NULL;
	}
	return NULL;
}
