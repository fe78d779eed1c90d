/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds directives and statements in the user's own text and edits only what has to change: blanks,
 * comments, continuation lines, macros and line ends stay. What the preprocessed text says is
 * compared with the file word by word; nothing is edited where they differ.
 */
#include "fix-edits.h"

#include "fortran-edits.h"
#include "lexer.h"
#include "statement-edits.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ITEMS = 64 };

/* The words of one directive in the user's file. */
struct directive_text {
	const char *text;
	struct lexer lexer;   /* behind the directive's name */
	size_t begin;         /* of the `#` */
	size_t name_end, end; /* of the name, and of the last word */
};

/* Finds the directive of the line: `#pragma omp` and its name as written, or what it begins with.
 */
static bool find_directive(
    const struct text_file *file, int number, const char *name, struct directive_text *directive)
{
	const size_t line = source_find_line(file, number);
	struct lexer lexer;
	struct token token = source_token_from(file, line, &lexer);

	if (token.kind != TOKEN_DIRECTIVE || source_line_begin(file, token.begin) != line)
		return false;
	directive->text = file->bytes;
	directive->begin = token.begin;
	lexer_init(&directive->lexer, file->bytes, token.end, token.begin + 1);
	directive->lexer.line_start = false;
	if (!source_take_words(&directive->lexer, "pragma omp", &directive->name_end) ||
	    !source_take_words(&directive->lexer, name, &directive->name_end))
		return false;
	lexer = directive->lexer;
	directive->end = directive->name_end;
	while ((token = lexer_next(&lexer)).kind != TOKEN_END)
		directive->end = token.end;
	return true;
}

/* Is there nothing but blanks and continuations of the line? */
static bool is_blank(const char *text, size_t begin, size_t end)
{
	for (; begin < end; begin++)
		if (strchr(" \t\r\n\\", text[begin]) == NULL)
			return false;
	return true;
}

/*
 * Removes a word or a whole clause [from, to) of the directive with the blanks in front, and with
 * one comma: the one behind `before`, if there is one, else the one that follows.
 */
static bool remove_range(const struct directive_text *directive, const struct token *before,
    size_t from, size_t to, const struct lexer *behind, struct patch_edit *edit)
{
	struct lexer lexer = *behind;
	struct token next = lexer_next(&lexer);
	const bool comma = before[1].punctuator == ',';
	size_t begin = comma ? before[0].end : before[1].end;

	if (!is_blank(directive->text, comma ? before[1].end : begin, from))
		return false;
	if (!comma && next.punctuator == ',')
		to = next.end;
	edit->begin = begin;
	edit->end = to;
	edit->text = strdup("");
	return edit->text != NULL;
}

/* The items of a clause's list. */
struct item_list {
	struct token open, close;
	struct {
		size_t begin, end;
	} items[MOST_ITEMS];
	size_t count;
};

/* Reads a list whose `(` the lexer has taken; false if it has no end, or too many items. */
static bool read_items(struct lexer *lexer, struct item_list *list)
{
	struct token token;
	size_t depth = 1;
	bool begins = true;

	list->count = 0;
	while ((token = lexer_next(lexer)).kind != TOKEN_END) {
		depth += token.punctuator == '(' || token.punctuator == '[';
		depth -= token.punctuator == ')' || token.punctuator == ']';
		if (depth == 0) {
			list->close = token;
			return list->count > 0;
		}
		if (depth == 1 && token.punctuator == ',') {
			begins = true;
			continue;
		}
		if (begins && list->count == MOST_ITEMS)
			return false;
		if (begins)
			list->items[list->count++].begin = token.begin;
		list->items[list->count - 1].end = token.end;
		begins = false;
	}
	return false;
}

/* Is the item one of the names, "a, b"? */
static bool is_named(const char *item, size_t length, const char *names)
{
	for (const char *at = names; *at != '\0'; at += strspn(at, ", ")) {
		size_t name = strcspn(at, ", ");
		if (name == length && strncmp(at, item, length) == 0)
			return true;
		at += name;
	}
	return false;
}

/* Removes the named items from the list, or the whole clause if none is left; false if none is
 * there. */
static bool remove_items(const struct directive_text *directive, struct lexer *lexer,
    const struct token *before, size_t clause, const char *names, struct patch_edit *edit)
{
	struct item_list list;
	size_t kept = 0, length;
	FILE *out;

	if (!read_items(lexer, &list))
		return false;
	for (size_t i = 0; i < list.count; i++)
		kept += !is_named(directive->text + list.items[i].begin,
		    list.items[i].end - list.items[i].begin, names);
	if (kept == list.count)
		return false;
	if (kept == 0)
		return remove_range(directive, before, clause, list.close.end, lexer, edit);
	edit->begin = list.items[0].begin;
	edit->end = list.items[list.count - 1].end;
	out = open_memstream(&edit->text, &length);
	if (out == NULL)
		return false;
	for (size_t i = 0, written = 0; i < list.count; i++) {
		const char *item = directive->text + list.items[i].begin;
		const size_t size = list.items[i].end - list.items[i].begin;

		if (is_named(item, size, names))
			continue;
		if (written++ > 0) /* as between the first two */
			fwrite(directive->text + list.items[0].end, 1,
			    list.items[1].begin - list.items[0].end, out);
		fwrite(item, 1, size, out);
	}
	return fclose(out) == 0;
}

/* Removes "nowait", or x and y from "shared(x, y)". */
static bool remove_clause(
    const struct directive_text *directive, const char *clause, struct patch_edit *edit)
{
	struct lexer lexer = directive->lexer;
	struct token before[2] = {{.end = directive->name_end}, {.end = directive->name_end}},
		     token;
	char name[256], *item = NULL;
	size_t depth = 0;

	if (strlen(clause) >= sizeof name)
		return false;
	memcpy(name, clause, strlen(clause) + 1);
	if (strchr(name, '(') != NULL) {
		item = strchr(name, '(');
		*item++ = '\0';
		item[strcspn(item, ")")] = '\0';
	}
	while ((token = lexer_next(&lexer)).kind != TOKEN_END) {
		if (depth == 0 && token_is(&lexer, &token, name)) {
			struct lexer ahead = lexer;
			const bool list = lexer_next(&ahead).punctuator == '(';

			if (item == NULL && !list)
				return remove_range(
				    directive, before, token.begin, token.end, &lexer, edit);
			if (item != NULL && list &&
			    remove_items(directive, &ahead, before, token.begin, item, edit))
				return true;
		}
		depth += token.punctuator == '(';
		depth -= token.punctuator == ')' && depth > 0;
		before[0] = before[1];
		before[1] = token;
	}
	return false;
}

static bool add_clause(
    const struct directive_text *directive, const char *clause, struct patch_edit *edit)
{
	edit->begin = edit->end = directive->end;
	return asprintf(&edit->text, " %s", clause) >= 0;
}

/* "critical(a)" becomes "critical(b)"; "" stands for no name. */
static bool rename_critical(
    const struct directive_text *directive, const char *name, struct patch_edit *edit)
{
	struct lexer lexer = directive->lexer;
	size_t end = directive->name_end;

	if (end < directive->end && lexer_next(&lexer).punctuator == '(') {
		lexer_next(&lexer);
		struct token close = lexer_next(&lexer);
		if (close.punctuator != ')')
			return false;
		end = close.end;
	}
	edit->begin = directive->name_end;
	edit->end = end;
	return asprintf(&edit->text, name[0] != '\0' ? "(%s)" : "%s", name) >= 0;
}

/* Puts other words in the place of all behind `#pragma omp`. */
static bool replace_directive(
    const struct directive_text *directive, const char *words, struct patch_edit *edit)
{
	struct lexer lexer;

	lexer_init(&lexer, directive->text, directive->end, directive->begin + 1);
	lexer.line_start = false;
	source_take_words(&lexer, "pragma omp", &edit->begin);
	edit->begin = lexer_next(&lexer).begin;
	edit->end = directive->end;
	edit->text = strdup(words);
	return edit->text != NULL;
}

/* Removes the directive, and its line if nothing else is there. */
static bool remove_directive(
    const struct text_file *file, const struct directive_text *directive, struct patch_edit *edit)
{
	edit->begin = directive->begin;
	edit->end = directive->end;
	edit->end += strspn(file->bytes + edit->end, " \t");
	if (strspn(file->bytes + edit->end, "\r\n") > 0) {
		edit->begin = source_line_begin(file, edit->begin);
		edit->end += (size_t)(file->bytes[edit->end] == '\r') + 1;
	}
	edit->text = strdup("");
	return edit->text != NULL;
}

/* The edit of a directive that is found. */
static bool edit_directive(const struct text_file *file, const struct directive_text *directive,
    const struct lint_fix *fix, struct patch_edit *edit)
{
	switch (fix->change) {
	case LINT_CHANGE_NOTHING:
		return statement_is_always(file, directive->begin, atoi(fix->text));
	case LINT_CHANGE_ADD:
		return add_clause(directive, fix->text, edit);
	case LINT_CHANGE_NAME:
		return rename_critical(directive, fix->text, edit);
	case LINT_CHANGE_OTHER:
		return replace_directive(directive, fix->text, edit);
	case LINT_CHANGE_REMOVE:
		return remove_clause(directive, fix->text, edit);
	case LINT_CHANGE_DELETE:
		return remove_directive(file, directive, edit);
	case LINT_CHANGE_LINE:
		return statement_edit_before(file, directive->begin, false, fix->text, edit);
	default:
		return false;
	}
}

/* As the change, with the directive `text` as a line of the file. */
static bool edit_before(const struct text_file *file, const struct lint_fix *fix,
    const struct directive_text *directive, struct patch_edit *edit)
{
	struct lint_fix line = *fix;
	char *text;
	bool made;

	if (asprintf(&text, "#pragma omp %s", fix->text) < 0)
		return false;
	line.change = LINT_CHANGE_LINE;
	line.text = text;
	made = directive != NULL ? edit_directive(file, directive, &line, edit)
				 : statement_edit_make(file, &line, edit);
	free(text);
	return made;
}

bool fix_edit_make(
    struct patch *patch, const struct lint_fix *fix, size_t *number, struct patch_edit *edit)
{
	struct directive_text directive = {.text = NULL};
	const struct text_file *file;
	bool fixed;

	*edit = (struct patch_edit){0};
	*number = patch_file_number(patch, fix->place.file);
	if (patch->failed || patch->files[*number].text.length == 0)
		return false;
	file = &patch->files[*number].text;
	if (fortran_edit_is_for(fix->place.file, &fixed))
		return fortran_edit_make(file, fixed, fix, edit);
	if (fix->directive && !find_directive(file, fix->place.line, fix->at, &directive))
		return false;
	if (fix->change == LINT_CHANGE_BEFORE)
		return edit_before(file, fix, fix->directive ? &directive : NULL, edit);
	return fix->directive ? edit_directive(file, &directive, fix, edit)
			      : statement_edit_make(file, fix, edit);
}

/* Is it a word of such a directive? Any other may be a macro with clauses. */
static bool is_known_word(const struct lexer *lexer, const struct token *token)
{
	static const char *const words[] = {"parallel", "for", "sections", "task", "taskloop",
	    "master", "masked", "simd", "affinity", "allocate", "collapse", "copyin", "default",
	    "depend", "detach", "final", "firstprivate", "grainsize", "if", "in_reduction",
	    "lastprivate", "linear", "mergeable", "nogroup", "nowait", "num_tasks", "num_threads",
	    "order", "priority", "private", "proc_bind", "reduction", "safelen", "schedule",
	    "shared", "simdlen", "untied"};
	size_t i = 0, count = sizeof words / sizeof words[0];

	while (i < count && !token_is(lexer, token, words[i]))
		i++;
	return i < count;
}

/* Replaces all that stands in the parentheses which follow; false if that has no end. */
static bool replace_in_parentheses(struct lexer *lexer, const char *text, struct patch_edit *edit)
{
	struct item_list list;

	if (lexer_next(lexer).punctuator != '(' || !read_items(lexer, &list))
		return false;
	edit->begin = list.items[0].begin;
	edit->end = list.items[list.count - 1].end;
	edit->text = strdup(text);
	return edit->text != NULL;
}

/*
 * Finds a directive's clause; the lexer then continues behind its name, and has no text if there is
 * no such clause. Returns NULL, or why the directive cannot be edited.
 */
static const char *find_clause(const struct directive_text *directive, const char *construct,
    const char *name, struct lexer *clause)
{
	struct lexer lexer = directive->lexer;
	struct token token;
	size_t depth = 0, clauses = 0;
	bool is_construct = false;

	*clause = (struct lexer){.text = NULL};
	while ((token = lexer_next(&lexer)).kind != TOKEN_END) {
		if (depth == 0 && token.kind == TOKEN_IDENTIFIER) {
			if (!is_known_word(&lexer, &token))
				return "a word of its directive may be a macro with clauses";
			is_construct |= token_is(&lexer, &token, construct);
			if (token_is(&lexer, &token, name)) {
				*clause = lexer;
				clauses++;
			}
		}
		depth += token.punctuator == '(';
		depth -= token.punctuator == ')' && depth > 0;
	}
	return !is_construct || clauses > 1 ? "the file has another directive at this line now"
					    : NULL;
}

/* As fix_edit_clause(), for a directive whose words `#pragma omp` are read. */
static const char *edit_clause(const struct directive_text *directive,
    const struct valued_clause *wanted, struct patch_edit *edit)
{
	struct lexer clause;
	const char *obstacle = find_clause(directive, wanted->construct, wanted->name, &clause);

	if (obstacle != NULL)
		return obstacle;
	if (clause.text != NULL)
		return replace_in_parentheses(&clause, wanted->value, edit)
			   ? NULL
			   : "its clause is not understood";
	edit->begin = edit->end = directive->end;
	return asprintf(&edit->text, " %s(%s)", wanted->name, wanted->value) >= 0
		   ? NULL
		   : "memory ran out";
}

/* The directive at the file's line; returns NULL, or why it cannot be edited. */
static const char *open_directive(struct patch *patch, const char *file, int line, size_t *number,
    struct directive_text *directive)
{
	*directive = (struct directive_text){.text = NULL};
	*number = patch_file_number(patch, file);
	if (patch->failed || patch->files[*number].text.length == 0)
		return "its file cannot be read";
	if (!find_directive(&patch->files[*number].text, line, "", directive))
		return "no '#pragma omp' begins at this line: it is in a macro, or the file has changed";
	return NULL;
}

const char *fix_edit_clause(struct patch *patch, const char *file, int line,
    const struct valued_clause *clause, size_t *number, struct patch_edit *edit)
{
	struct directive_text directive;
	const char *obstacle = open_directive(patch, file, line, number, &directive);

	*edit = (struct patch_edit){0};
	return obstacle != NULL ? obstacle : edit_clause(&directive, clause, edit);
}

/* What stands in the parentheses that follow, from its first token to its last. */
struct clause_expression {
	size_t begin, end;
	struct token last;
	size_t tokens;
	bool is_list; /* has a comma, or a modifier's colon */
};

static bool read_expression(struct lexer *lexer, struct clause_expression *expression)
{
	struct token token = lexer_next(lexer);
	size_t depth = 1;

	*expression = (struct clause_expression){0};
	if (token.punctuator != '(')
		return false;
	while ((token = lexer_next(lexer)).kind != TOKEN_END) {
		depth += token.punctuator == '(';
		depth -= token.punctuator == ')';
		if (depth == 0)
			break;
		if (expression->tokens++ == 0)
			expression->begin = token.begin;
		expression->last = token;
		expression->end = token.end;
		expression->is_list |=
		    depth == 1 && (token.punctuator == ',' || token.punctuator == ':');
	}
	return depth == 0 && expression->tokens > 0;
}

/* The value of a decimal number without a suffix, not 0; 0: it is none. */
static long decimal_of(const char *text, const struct token *token)
{
	long value = 0;

	if (text[token->begin] == '0' || token->end - token->begin > 9)
		return 0;
	for (size_t i = token->begin; i < token->end; i++) {
		if (text[i] < '0' || text[i] > '9')
			return 0;
		value = 10 * value + (text[i] - '0');
	}
	return value;
}

/* The grain as text (heap) for a number as written, as libpomp would calculate it. */
static char *changed_number(const char *grain, long written)
{
	const bool is_factor = grain[0] == '*' || grain[0] == '/';
	const long number = strtol(is_factor ? grain + 1 : grain, NULL, 10);
	long changed = number;
	char *text;

	if (grain[0] == '*')
		changed = number > INT_MAX / written ? INT_MAX : written * number;
	else if (grain[0] == '/')
		changed = written > number ? written / number : 1;
	return asprintf(&text, "%ld", changed) >= 0 ? text : NULL;
}

/* Replaces the number at the end of the clause's expression, or makes a product of that. */
static const char *edit_number(const struct directive_text *directive, struct lexer *clause,
    bool is_limit, const char *grain, struct patch_edit *edit)
{
	struct clause_expression expression;

	if (!read_expression(clause, &expression))
		return "its clause is not understood";
	const long written = decimal_of(directive->text, &expression.last);
	const bool is_number = written > 0 && (is_limit || expression.tokens == 1);
	const int length = (int)(expression.end - expression.begin);

	if (!is_limit && expression.is_list)
		return "its clause is not understood";
	edit->begin = is_number ? expression.last.begin : expression.begin;
	edit->end = expression.end;
	if (is_number)
		edit->text = changed_number(grain, written);
	else if (is_limit)
		return "its clause does not end in a decimal number";
	else if (grain[0] == '/')
		return "the number in its clause is an expression, whose part may be 0";
	else if (grain[0] != '*')
		edit->text = strdup(grain);
	else if (asprintf(&edit->text, "(%.*s) * %s", length, directive->text + edit->begin,
		     grain + 1) < 0)
		edit->text = NULL;
	return edit->text != NULL ? NULL : "memory ran out";
}

const char *fix_edit_grain(struct patch *patch, const char *file, int line, const char *grain,
    size_t *number, struct patch_edit *edit)
{
	static const struct {
		const char *construct, *clause;
		bool is_limit;
	} places[] = {{"taskloop", "grainsize", false}, {"taskloop", "num_tasks", false},
	    {"task", "final", true}, {"task", "if", true}};
	struct directive_text directive;
	const char *obstacle = open_directive(patch, file, line, number, &directive);
	struct lexer clause = {.text = NULL};
	size_t i = 0;

	*edit = (struct patch_edit){0};
	if (obstacle != NULL)
		return obstacle;
	for (; i < sizeof places / sizeof places[0]; i++) {
		obstacle = find_clause(&directive, places[i].construct, places[i].clause, &clause);
		if (obstacle == NULL && clause.text != NULL)
			return edit_number(&directive, &clause, places[i].is_limit, grain, edit);
	}
	return obstacle != NULL ? obstacle : "the file has another directive at this line now";
}
