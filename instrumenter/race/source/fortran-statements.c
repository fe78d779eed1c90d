/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Splits a Fortran procedure into statements with the blocks around them. What is not recognised
 * counts as unknown, so that nothing is concluded from it.
 */
#include "fortran-statements.h"

#include <ctype.h>
#include <string.h>

static bool is_name(char byte)
{
	return isalnum((unsigned char)byte) || byte == '_';
}

static bool begins(const char *text, const char *word)
{
	return strncmp(text, word, strlen(word)) == 0;
}

/* The code of a line behind column 6 or the first '&'; *continues: it continues the one before. */
static const char *code_of(const struct race_text *text, int line, bool *continues)
{
	const char *code = text->code[line - 1];

	*continues = false;
	if (text->is_fixed && strlen(code) > 5 && strchr(code, '\t') == NULL) {
		*continues = code[5] != ' ' && code[5] != '0';
		return *continues ? code + 6 : code;
	}
	return code;
}

/* Adds the line's code in lower case without blanks; true if the next line continues it. */
static bool add_code(struct inst_buffer *buffer, const char *code)
{
	size_t length = strlen(code);

	while (length > 0 && isspace((unsigned char)code[length - 1]))
		length--;
	bool goes_on = length > 0 && code[length - 1] == '&';
	code += strspn(code, " \t");
	if (*code == '&')
		code++;
	for (; *code != '\0' && *code != '&'; code++)
		if (!isspace((unsigned char)*code))
			buffer_format(buffer, "%c", tolower((unsigned char)*code));
	return goes_on;
}

/* Behind a name and a colon, as in "outer: do"; the text itself if it has none. */
static const char *without_construct_name(const char *text)
{
	size_t length = 0;

	while (is_name(text[length]))
		length++;
	return length > 0 && text[length] == ':' && text[length + 1] != ':' ? text + length + 1
									    : text;
}

/* The offset of a character outside of brackets, or -1. */
static int find_outside(const char *text, char wanted)
{
	int depth = 0;

	for (int i = 0; text[i] != '\0'; i++) {
		depth += (text[i] == '(') - (text[i] == ')');
		if (depth == 0 && text[i] == wanted)
			return i;
	}
	return -1;
}

/* The offset of the `=` of an assignment, or -1. */
static int find_assignment(const char *text)
{
	int at = find_outside(text, '=');

	return at > 0 && text[at + 1] != '=' && text[at + 1] != '>' &&
		       strchr("=/<>", text[at - 1]) == NULL
		   ? at
		   : -1;
}

/* Behind the bracket that closes the one at the offset, or NULL. */
static const char *behind_bracket(const char *text)
{
	int depth = 0;

	for (; *text != '\0'; text++) {
		depth += (*text == '(') - (*text == ')');
		if (depth == 0)
			return text + 1;
	}
	return NULL;
}

static bool is_loop(const char *text, bool *labelled)
{
	int assignment = find_assignment(text);

	*labelled = begins(text, "do") && isdigit((unsigned char)text[2]);
	return begins(text, "do") &&
	       (text[2] == '\0' || begins(text + 2, "while(") || begins(text + 2, "concurrent(") ||
		   (assignment > 0 && find_outside(text + assignment, ',') > 0));
}

static enum fortran_block opened_block(const char *text, bool *labelled)
{
	const char *condition = strchr(text, '('), *behind;

	if (is_loop(text, labelled))
		return begins(text + 2, "while") || text[2] == '\0' ? FORTRAN_OTHER_BLOCK
								    : FORTRAN_LOOP;
	behind = condition != NULL ? behind_bracket(condition) : NULL;
	if (behind != NULL && begins(text, "if(") && strcmp(behind, "then") == 0)
		return FORTRAN_BRANCH;
	if (behind != NULL && *behind == '\0' &&
	    (begins(text, "selectcase(") || begins(text, "selecttype(") || begins(text, "where(") ||
		begins(text, "forall(") || begins(text, "associate(")))
		return FORTRAN_OTHER_BLOCK;
	return strcmp(text, "block") == 0 ? FORTRAN_OTHER_BLOCK : FORTRAN_NO_BLOCK;
}

static bool closes_block(const char *text)
{
	static const char *const words[] = {
	    "enddo", "endif", "endselect", "endwhere", "endforall", "endassociate", "endblock"};

	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (begins(text, words[i]) && find_assignment(text) < 0)
			return true;
	return false;
}

static bool begins_branch(const char *text)
{
	return strcmp(text, "else") == 0 || begins(text, "elseif(") || begins(text, "elsewhere") ||
	       begins(text, "case(") || strcmp(text, "casedefault") == 0 ||
	       begins(text, "classis(") || begins(text, "typeis(") ||
	       strcmp(text, "classdefault") == 0;
}

static bool begins_procedure(const char *text)
{
	const char *function = strstr(text, "function");

	return begins(text, "program") || begins(text, "subroutine") ||
	       begins(text, "moduleprocedure") || begins(text, "recursivesubroutine") ||
	       begins(text, "puresubroutine") ||
	       (function != NULL && strchr(function, '(') != NULL && !begins(text, "end") &&
		   find_assignment(text) < 0 &&
		   memchr(text, '(', (size_t)(function - text)) == NULL &&
		   strstr(text, "::") == NULL);
}

static bool ends_procedure(const char *text)
{
	return strcmp(text, "end") == 0 || begins(text, "endprogram") ||
	       begins(text, "endsubroutine") || begins(text, "endfunction") ||
	       begins(text, "endprocedure");
}

/* Reads the statement that begins on the line, with its continuations; "" if none does. */
static struct fortran_statement read_statement(
    struct inst_arena *arena, const struct race_text *text, int line)
{
	struct fortran_statement statement = {.line = line, .last = line, .block = -1};
	struct inst_buffer buffer = {.arena = arena};
	bool continues, goes_on;
	const char *code = code_of(text, line, &continues);
	size_t label;

	buffer_add(&buffer, "", 0);
	goes_on = add_code(&buffer, code);
	for (int next = line + 1; next <= text->line_count; next++) {
		code = code_of(text, next, &continues);
		if (code[strspn(code, " \t")] == '\0')
			continue;
		if (!goes_on && !continues)
			break;
		goes_on = add_code(&buffer, code);
		statement.last = next;
	}
	label = strspn(buffer.data, "0123456789");
	statement.labelled = label > 0;
	statement.text = without_construct_name(buffer.data + label);
	statement.shares_line = strchr(statement.text, ';') != NULL;
	return statement;
}

/* A line that only compilers with OpenMP compile: "!$ i = omp_get_thread_num()". */
static bool is_conditional(const char *line)
{
	line += strspn(line, " \t");
	return strchr("!cC*", line[0]) != NULL && line[0] != '\0' && line[1] == '$' &&
	       strchr(" \t0123456789", line[2]) != NULL;
}

static void add_statement(struct inst_arena *arena, struct fortran_procedure *procedure,
    struct fortran_statement statement, int *block)
{
	bool labelled = false;
	const bool branches = begins_branch(statement.text);

	if ((branches || closes_block(statement.text)) && *block >= 0)
		*block = procedure->all[*block].block;
	statement.block = *block;
	statement.opens = branches ? FORTRAN_BRANCH : opened_block(statement.text, &labelled);
	procedure->labels_loops |= labelled;
	*ARENA_ADD(arena, procedure->all, procedure->count, procedure->room) = statement;
	if (statement.opens != FORTRAN_NO_BLOCK)
		*block = procedure->count - 1;
}

struct fortran_procedure race_fortran_procedure(
    struct inst_arena *arena, const struct race_text *text, int line)
{
	struct fortran_procedure procedure = {0};
	int block = -1;

	for (int at = 1; at <= text->line_count;) {
		struct fortran_statement statement = read_statement(arena, text, at);

		at = statement.last + 1;
		if (statement.text[0] == '#' || is_conditional(text->lines[statement.line - 1])) {
			procedure.preprocessed = true;
			continue;
		}
		if (statement.text[0] == '\0')
			continue;
		if (begins_procedure(statement.text)) {
			if (statement.line > line)
				break;
			procedure =
			    (struct fortran_procedure){.preprocessed = procedure.preprocessed};
			block = -1;
		}
		if (strcmp(statement.text, "contains") == 0 && statement.line > line)
			procedure.contains = statement.line;
		add_statement(arena, &procedure, statement, &block);
		if (procedure.contains > 0 ||
		    (statement.last >= line && ends_procedure(statement.text)))
			break;
	}
	return procedure;
}

int race_fortran_names(const char *text, const char *name)
{
	const size_t length = strlen(name);
	int count = 0;

	for (const char *at = text; (at = strstr(at, name)) != NULL; at++)
		count +=
		    (at == text || (!is_name(at[-1]) && at[-1] != '%')) && !is_name(at[length]);
	return count;
}

/* Has the expression one of the two operators outside of brackets, not counting a leading sign? */
static bool has_outside(const char *text, char one, char other)
{
	return find_outside(text + (*text == '-' || *text == '+'), one) >= 0 ||
	       find_outside(text + (*text == '-' || *text == '+'), other) >= 0;
}

static const char *cut(struct inst_arena *arena, const char *text, const char *end)
{
	return arena_copy(arena, text, (size_t)(end - text));
}

/* "x+e", "e+x", "x*e": the operation, with the other operand in *value; or NULL. */
static const char *arithmetic(
    struct inst_arena *arena, const char *text, const char *object, const char **value)
{
	const size_t length = strlen(object), whole = strlen(text);
	const char *rest;

	if (strncmp(text, object, length) == 0 && strchr("+-*", text[length]) != NULL) {
		*value = text + length + 1;
		if (text[length] != '*')
			return "+";
		return text[length + 1] != '*' && !has_outside(*value, '+', '-') ? "*" : NULL;
	}
	if (whole < length + 2 || strcmp(text + whole - length, object) != 0)
		return NULL;
	rest = text + whole - length - 1;
	*value = cut(arena, text, rest);
	if (*rest == '+')
		return "+";
	return *rest == '*' && rest[-1] != '*' && !has_outside(*value, '+', '-') ? "*" : NULL;
}

/* "max(x,e)", "x.and.e": the operation, or NULL. */
static const char *function_or_logical(
    struct inst_arena *arena, const char *text, const char *object, const char **value)
{
	static const char *const functions[] = {"max", "min", "iand", "ior", "ieor"};
	static const char *const logical[] = {".and.", ".or.", ".eqv.", ".neqv."};
	const size_t length = strlen(object);

	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
		const size_t name = strlen(functions[i]);
		const char *inner = text + name + 1;
		int comma;

		if (!begins(text, functions[i]) || text[name] != '(' ||
		    behind_bracket(text + name) != text + strlen(text))
			continue;
		inner = cut(arena, inner, text + strlen(text) - 1);
		comma = find_outside(inner, ',');
		if (comma < 0 || find_outside(inner + comma + 1, ',') >= 0)
			return NULL;
		*value = inner + comma + 1;
		if (strcmp(cut(arena, inner, inner + comma), object) == 0)
			return functions[i];
		*value = cut(arena, inner, inner + comma);
		return strcmp(inner + comma + 1, object) == 0 ? functions[i] : NULL;
	}
	for (size_t i = 0; i < sizeof logical / sizeof *logical; i++)
		if (strncmp(text, object, length) == 0 && begins(text + length, logical[i])) {
			*value = text + length + strlen(logical[i]);
			return strchr(*value, '.') == NULL ? logical[i] : NULL;
		}
	return NULL;
}

/* "if(e>x)x=e" keeps the largest value: the operation, or NULL. */
static const char *kept_extreme(
    struct inst_arena *arena, const char *condition, const struct fortran_access *access)
{
	const int at = find_outside(condition, '>') >= 0 ? find_outside(condition, '>')
							 : find_outside(condition, '<');
	const char *left, *right;

	if (at <= 0 || condition[at + 1] == '=')
		return NULL;
	left = cut(arena, condition, condition + at);
	right = condition + at + 1;
	if (strcmp(left, access->value) == 0 && strcmp(right, access->object) == 0)
		return condition[at] == '>' ? "max" : "min";
	if (strcmp(right, access->value) == 0 && strcmp(left, access->object) == 0)
		return condition[at] == '<' ? "max" : "min";
	return NULL;
}

static struct fortran_access read_assignment(
    struct inst_arena *arena, const char *text, const char *name)
{
	struct fortran_access access = {.use = FORTRAN_OTHER};
	const int at = find_assignment(text);
	const size_t length = strlen(name);

	if (at < 0)
		return access;
	access.object = cut(arena, text, text + at);
	access.value = text + at + 1;
	if (strncmp(text, name, length) != 0 || is_name(text[length])) {
		access.use = FORTRAN_READ;
		return access;
	}
	if (race_fortran_names(access.object, name) > 1)
		return access;
	if (race_fortran_names(access.value, name) == 0) {
		access.use = FORTRAN_WRITE;
	} else if (race_fortran_names(access.value, name) == 1) {
		const char *value = access.value;
		access.operation = arithmetic(arena, value, access.object, &access.value);
		if (access.operation == NULL)
			access.operation =
			    function_or_logical(arena, value, access.object, &access.value);
		access.use = access.operation != NULL ? FORTRAN_UPDATE : FORTRAN_OTHER;
	}
	return access;
}

struct fortran_access race_fortran_access(
    struct inst_arena *arena, const struct fortran_statement *statement, const char *name)
{
	const char *text = statement->text, *behind;
	struct fortran_access access = {.use = FORTRAN_UNUSED};
	bool labelled;

	if (race_fortran_names(text, name) == 0 && !is_loop(text, &labelled))
		return access;
	access.use = FORTRAN_OTHER;
	if (statement->shares_line)
		return access;
	if (is_loop(text, &labelled)) {
		/* "doi=1,n" joins the word and the variable. */
		const int at = find_assignment(text);
		const bool counts = at > 0 && strcmp(cut(arena, text + 2, text + at), name) == 0;
		if (!counts && race_fortran_names(text, name) == 0)
			access.use = FORTRAN_UNUSED;
		else if (!counts)
			access.use = FORTRAN_READ;
		return access;
	}
	if (statement->opens == FORTRAN_BRANCH) {
		access.use = FORTRAN_READ;
		return access;
	}
	if (begins(text, "print") || begins(text, "write("))
		access.use = FORTRAN_READ;
	else if (!begins(text, "if(") && !begins(text, "call"))
		return read_assignment(arena, text, name);
	if (!begins(text, "if("))
		return access;
	behind = behind_bracket(text + 2);
	if (behind == NULL)
		return access;
	const char *condition = cut(arena, text + 3, behind - 1);
	if (race_fortran_names(behind, name) == 0) {
		access.use = FORTRAN_READ;
		return access;
	}
	access = read_assignment(arena, behind, name);
	access.conditional = true;
	if (race_fortran_names(condition, name) > 0) {
		access.operation =
		    access.use == FORTRAN_WRITE ? kept_extreme(arena, condition, &access) : NULL;
		access.use = access.operation != NULL ? FORTRAN_UPDATE : FORTRAN_OTHER;
	}
	return access;
}

/* Is the name an array by the declaration: "dimension", or brackets behind the name? */
static bool is_array(const char *declaration, const char *items, const char *name)
{
	const size_t length = strlen(name);

	for (const char *at = items; (at = strstr(at, name)) != NULL; at++)
		if (race_fortran_names(at, name) > race_fortran_names(at + 1, name) &&
		    at[length] == '(')
			return true;
	return strstr(declaration, "dimension") != NULL;
}

bool race_fortran_is_local(
    const struct fortran_procedure *procedure, const char *name, struct fortran_variable *variable)
{
	static const char *const types[] = {
	    "integer", "real", "doubleprecision", "logical", "complex"};
	static const char *const elsewhere[] = {"common", "equivalence", "save", "namelist",
	    "pointer", "target", "data", "dimension", "allocatable"};
	bool found = false;

	for (int i = 1; i < procedure->count; i++) {
		const char *text = procedure->all[i].text;

		for (size_t j = 0; j < sizeof elsewhere / sizeof *elsewhere; j++)
			if (begins(text, elsewhere[j]) && find_assignment(text) < 0 &&
			    (race_fortran_names(text, name) > 0 || strcmp(text, "save") == 0))
				return false;
		for (size_t j = 0; j < sizeof types / sizeof *types; j++) {
			const char *items = strstr(text, "::");

			if (!begins(text, types[j]))
				continue;
			/* Without "::" the first item is joined with the type. */
			items = items != NULL ? items + 2 : text + strlen(types[j]);
			if (race_fortran_names(items, name) == 0)
				continue;
			if (found || strstr(text, "pointer") != NULL ||
			    strstr(text, "target") != NULL || strstr(text, ",save") != NULL ||
			    procedure->all[i].shares_line)
				return false;
			*variable =
			    (struct fortran_variable){types[j], is_array(text, items, name)};
			found = true;
		}
	}
	return found;
}
