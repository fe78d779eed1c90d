/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which loops may be divided otherwise:
 *
 *   no schedule clause   The schedule is the implementation's choice. Static schedules with one
 *                        chunk for all of them keep what programs rely on beyond that: loops of the
 *                        same length give each thread the same iterations. schedule(auto) is the
 *                        same in other words.
 *   schedule(static)     Each thread gets at most one chunk, so a thread that has begun its chunk
 *                        may use what its iteration before has written (a scan made by hand), and
 *                        what it keeps for itself may belong to its iterations of another loop. For
 *                        both it needs a variable that it owns and that lives longer than the loop.
 *                        So the clause stays unless the directive makes the region, too, hands no
 *                        values to its threads by firstprivate or copyin, and the text neither asks
 *                        for numbers of threads nor has variables of threads.
 *
 * A directive with words that are no clauses is left alone, as they may be macros with a schedule;
 * so are clauses with which the schedule may not vary. Directives are read as text, wherever they
 * are: behind #pragma, in _Pragma, in the arguments of a macro that makes a pragma, in attributes.
 */
#include "divided-loops.h"

#include "clause-table.h"
#include "fortran-edits.h"
#include "lexer.h"
#include "race-source.h"
#include "schedule-clause.h"
#include "shared/loop-schedule.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What becomes of a directive. */
enum change { LEAVE, ADD_CLAUSE, REPLACE_KIND };

/* knows_threads: code of the text knows which thread executes it. */
static enum change change_of(
    const struct directive_use *use, const struct clause_list *clauses, bool knows_threads)
{
	const struct schedule_clause written = schedule_clause_read(clauses);
	const bool owns_values = knows_threads || !directive_has(use, CONSTRUCT_PARALLEL) ||
				 find_clause(clauses, "firstprivate") != NULL ||
				 find_clause(clauses, "copyin") != NULL;

	if (!directive_has(use, CONSTRUCT_FOR) || clauses->error != NULL)
		return LEAVE;
	for (size_t i = 0; i < clauses->count; i++)
		if (clauses->clauses[i].rule == NULL ||
		    clause_has_modifier(&clauses->clauses[i], "inscan reproducible"))
			return LEAVE;
	if (find_clause(clauses, "schedule") == NULL)
		return ADD_CLAUSE;
	if (written.modifiers.length > 0 || written.chunk.length > 0)
		return LEAVE;
	return schedule_word_is(&written.kind, "auto") ||
		       (schedule_word_is(&written.kind, "static") && !owns_values)
		   ? REPLACE_KIND
		   : LEAVE;
}

/* The text that is edited. */
struct division {
	struct inst_arena arena;
	const char *text;
	size_t length;
	struct patch_edit *edits; /* by place; they and their texts are in the arena */
	size_t count, room;
	bool knows_threads;
};

static void add_edit(struct division *division, size_t first, size_t end, const char *new_text)
{
	char *text = arena_copy(&division->arena, new_text, strlen(new_text));

	division->edits = arena_grow(&division->arena, division->edits, division->count,
	    &division->room, sizeof *division->edits);
	division->edits[division->count++] = (struct patch_edit){first, end, text};
}

/* The edited text behind `heading` (heap), or NULL; frees the arena. */
static char *finish(struct division *division, const char *heading, size_t *length)
{
	const struct patch_text text = {.bytes = division->text,
	    .length = division->length,
	    .edits = division->edits,
	    .count = division->count};
	char *edited = text.count > 0 ? patch_text_apply(&text, 0, text.length, length) : NULL;
	char *whole = edited != NULL ? malloc(strlen(heading) + *length + 1) : NULL;

	if (whole != NULL) {
		strcpy(whole, heading);
		memcpy(whole + strlen(heading), edited, *length + 1);
		*length += strlen(heading);
	}
	free(edited);
	arena_finish(&division->arena);
	return whole;
}

/* The words of a directive of C. */
struct directive_words {
	const char *words; /* on one line, without comments */
	size_t end;        /* of the last word in the text */
	struct token kind; /* of a schedule clause with this word alone; end 0: there is none */
};

/* Are the tokens "schedule", "(", a word, ")"? */
static bool is_schedule(const struct lexer *lexer, const struct token *tokens)
{
	return token_is(lexer, &tokens[0], "schedule") && tokens[1].punctuator == '(' &&
	       tokens[2].kind == TOKEN_IDENTIFIER && tokens[3].punctuator == ')';
}

static struct directive_words read_words(struct division *division, size_t first, size_t end)
{
	enum { CLAUSE = 4 };
	struct directive_words result = {.end = first};
	struct inst_buffer words = {.arena = &division->arena};
	struct token last[CLAUSE] = {{.kind = TOKEN_END}};
	struct lexer lexer;
	struct token token;

	lexer_init(&lexer, division->text, end, first);
	lexer.line_start = false;
	buffer_add(&words, "", 0);
	while ((token = lexer_next(&lexer)).kind != TOKEN_END) {
		if (token.begin > result.end)
			buffer_add_string(&words, " ");
		buffer_add(&words, division->text + token.begin, token.end - token.begin);
		result.end = token.end;
		memmove(last, last + 1, sizeof last - sizeof *last);
		last[CLAUSE - 1] = token;
		if (is_schedule(&lexer, last))
			result.kind = last[2];
	}
	result.words = words.data;
	return result;
}

/* The directive's words [first, end) begin behind "omp". */
static void edit_directive(struct division *division, size_t first, size_t end)
{
	const struct directive_words words = read_words(division, first, end);
	const struct directive_use use = directive_read(&division->arena, words.words);
	const struct clause_list clauses = directive_has(&use, CONSTRUCT_FOR)
					       ? clauses_read(&division->arena, use.clauses)
					       : (struct clause_list){.error = NULL};
	const enum change change = change_of(&use, &clauses, division->knows_threads);

	if (change == ADD_CLAUSE)
		add_edit(division, words.end, words.end, " " DIVIDED_LOOP_CLAUSE);
	else if (change == REPLACE_KIND && words.kind.end != 0)
		add_edit(division, words.kind.begin, words.kind.end, DIVIDED_LOOP_KIND);
}

/* The offset of the bracket that closes the one behind which the lexer is; 0 if there is none. */
static size_t find_close(struct lexer lexer)
{
	struct token token;
	size_t depth = 1;

	while ((token = lexer_next(&lexer)).kind != TOKEN_END && token.kind != TOKEN_DIRECTIVE) {
		depth += token.punctuator == '(';
		depth -= token.punctuator == ')';
		if (depth == 0)
			return token.begin;
	}
	return 0;
}

/* The words in the string of _Pragma; with an escape they are others than the text's. */
static void edit_operator(struct division *division, const struct token *string)
{
	const char *text = division->text;
	struct lexer lexer;
	struct token word;

	if (string->kind != TOKEN_STRING || text[string->begin] != '"' ||
	    memchr(text + string->begin, '\\', string->end - string->begin) != NULL)
		return;
	lexer_init(&lexer, text, string->end - 1, string->begin + 1);
	word = lexer_next(&lexer);
	if (token_is(&lexer, &word, "omp"))
		edit_directive(division, word.end, string->end - 1);
}

/* A name and a bracket: does it make a pragma, or is it directive() of an attribute? */
static void edit_call(struct division *division, const struct token *name, struct lexer lexer)
{
	const size_t open = lexer.at;
	const struct lexer inside = lexer;
	struct token first = lexer_next(&lexer);

	if (token_is(&lexer, name, "_Pragma"))
		edit_operator(division, &first);
	else if (token_is(&lexer, &first, "omp"))
		edit_directive(division, first.end, find_close(inside));
	else if (token_is(&lexer, name, "directive"))
		edit_directive(division, open, find_close(inside));
}

/* Directives in code, or in the body of a macro. */
static void edit_code(struct division *division, struct lexer lexer)
{
	struct token token, name = {.kind = TOKEN_END};

	while ((token = lexer_next(&lexer)).kind != TOKEN_END) {
		if (token.punctuator == '(' && name.kind == TOKEN_IDENTIFIER)
			edit_call(division, &name, lexer);
		name = token;
		if (token.kind != TOKEN_DIRECTIVE)
			continue;
		struct lexer line;
		lexer_init(&line, division->text, token.end, token.begin + 1);
		line.line_start = false;
		struct token word = lexer_next(&line);
		if (token_is(&line, &word, "define")) {
			edit_code(division, line);
		} else if (token_is(&line, &word, "pragma")) {
			word = lexer_next(&line);
			if (token_is(&line, &word, "omp"))
				edit_directive(division, word.end, token.end);
		}
	}
}

/* Headers declare omp_get_thread_num(void); code calls it with nothing in the brackets. */
static bool names_threads(const char *text, size_t length)
{
	enum { CALL = 3 };
	struct token last[CALL] = {{.kind = TOKEN_END}};
	struct lexer lexer;

	if (memmem(text, length, "threadprivate", strlen("threadprivate")) != NULL)
		return true;
	lexer_init(&lexer, text, length, 0);
	while ((last[CALL - 1] = lexer_next(&lexer)).kind != TOKEN_END) {
		if (token_is(&lexer, &last[2], "thread_local") ||
		    token_is(&lexer, &last[2], "_Thread_local") ||
		    (token_is(&lexer, &last[0], "omp_get_thread_num") &&
			last[1].punctuator == '(' && last[2].punctuator == ')'))
			return true;
		memmove(last, last + 1, sizeof last - sizeof *last);
	}
	return false;
}

char *divided_loops_in_c(const char *text, size_t length, size_t *new_length)
{
	struct division division = {
	    .text = text, .length = length, .knows_threads = names_threads(text, length)};
	struct lexer lexer;

	if (setjmp(division.arena.out_of_memory) != 0) {
		arena_finish(&division.arena);
		return NULL;
	}
	lexer_init(&lexer, text, length, 0);
	edit_code(&division, lexer);
	return finish(&division, "", new_length);
}

/* The kind in the schedule clause of the directive's lines, or NULL; *at: its line. */
static const char *find_kind(const struct race_text *text, int line, int *at)
{
	for (*at = line; *at <= text->line_count; ++*at) {
		const char *own = text->lines[*at - 1], *word = own + strspn(own, " \t");

		if (*at > line && (*word == '\0' || strncasecmp(word + 1, "$omp", 4) != 0))
			break;
		word = strcasestr(own, "schedule");
		word = word != NULL ? word + strlen("schedule") : "";
		word += strspn(word, " \t");
		if (*word == '(')
			return word + 1 + strspn(word + 1, " \t");
	}
	return NULL;
}

static size_t line_offset(const struct division *division, int line)
{
	size_t at = 0;

	for (; line > 1; line--)
		at = (size_t)((const char *)memchr(
				  division->text + at, '\n', division->length - at) -
			      division->text) +
		     1;
	return at;
}

/* The longer word must not go beyond the columns of the form. */
static void replace_kind(
    struct division *division, const struct race_text *text, const struct race_construct *construct)
{
	enum { FREE_COLUMNS = 132, FIXED_COLUMNS = 72 };
	const size_t columns = text->is_fixed ? FIXED_COLUMNS : FREE_COLUMNS;
	int line;
	const char *word = find_kind(text, construct->line, &line);
	const size_t length = word != NULL ? strcspn(word, " \t)&") : 0;

	if (length == 0 ||
	    strlen(text->lines[line - 1]) + strlen(DIVIDED_LOOP_KIND) - length > columns)
		return;
	const size_t first = line_offset(division, line) + (size_t)(word - text->lines[line - 1]);
	add_edit(division, first, first + length, DIVIDED_LOOP_KIND);
}

/* A clause on a line of its own is followed by a marker, which keeps the numbers of lines. */
static void add_clause(struct division *division, const struct text_file *file,
    const struct race_text *text, const struct race_construct *construct)
{
	const struct lint_fix fix = {.change = LINT_CHANGE_ADD,
	    .place = {text->path, construct->line, 0},
	    .directive = true,
	    .at = construct->name,
	    .text = DIVIDED_LOOP_CLAUSE};
	struct patch_edit edit = {.text = NULL};
	int next = 2;

	if (fortran_edit_make(file, text->is_fixed, &fix, &edit)) {
		for (size_t i = 0; i < edit.begin; i++)
			next += file->bytes[i] == '\n';
		add_edit(division, edit.begin, edit.end,
		    strchr(edit.text, '\n') != NULL
			? arena_format(
			      &division->arena, "%s\n# %d \"%s\"", edit.text, next, text->path)
			: edit.text);
	}
	free(edit.text);
}

static char *edit_fortran(
    struct division *division, const struct text_file *file, const char *path, size_t *new_length)
{
	if (setjmp(division->arena.out_of_memory) != 0) {
		arena_finish(&division->arena);
		return NULL;
	}
	struct race_sources sources = {.arena = &division->arena};
	const struct race_text *text = race_source_text(&sources, path);

	for (int i = 0; text->is_fortran && i < text->construct_count; i++) {
		const struct race_construct *construct = &text->constructs[i];
		const enum change change =
		    change_of(&construct->use, &construct->clauses, division->knows_threads);

		if (change == ADD_CLAUSE)
			add_clause(division, file, text, construct);
		else if (change == REPLACE_KIND)
			replace_kind(division, text, construct);
	}
	return finish(division, arena_format(&division->arena, "# 1 \"%s\"\n", path), new_length);
}

char *divided_loops_in_fortran(const char *path, size_t *new_length)
{
	struct division division = {.text = NULL};
	struct text_file file;
	char *edited;

	/* Markers would need escapes. */
	if (strpbrk(path, "\"\\\n") != NULL || text_file_read(path, &file) != 0)
		return NULL;
	division.text = file.bytes;
	division.length = file.length;
	division.knows_threads = strcasestr(file.bytes, "omp_get_thread_num") != NULL ||
				 strcasestr(file.bytes, "threadprivate") != NULL;
	edited = edit_fortran(&division, &file, path, new_length);
	text_file_finish(&file);
	return edited;
}

/* The tokens of a preprocessed text, and those of its pragmas. */
struct token_reader {
	struct lexer lexer, pragma;
	bool in_pragma;
};

static struct token read_token(struct token_reader *reader)
{
	struct token token;

	if (reader->in_pragma && (token = lexer_next(&reader->pragma)).kind != TOKEN_END)
		return token;
	while ((token = lexer_next(&reader->lexer)).kind == TOKEN_DIRECTIVE) {
		lexer_init(&reader->pragma, reader->lexer.text, token.end, token.begin + 1);
		reader->pragma.line_start = false;
		reader->in_pragma = true;
		token = lexer_next(&reader->pragma);
		if (token.kind != TOKEN_NUMBER && token.kind != TOKEN_END)
			return token;
	} /* a line marker */
	reader->in_pragma = false;
	return token;
}

/* Behind the word "schedule": is there a kind that is divided, or that a divided one replaces? */
static bool skip_kind(struct token_reader *reader)
{
	const struct lexer *lexer = &reader->lexer;
	bool opens = read_token(reader).punctuator == '(';
	const struct token kind = read_token(reader), next = read_token(reader);

	if (!opens || next.punctuator == ')')
		return opens &&
		       (token_is(lexer, &kind, "static") || token_is(lexer, &kind, "auto"));
	const char *chunk = lexer->text + read_token(reader).begin;
	return token_is(lexer, &kind, "dynamic") && next.punctuator == ',' &&
	       strtoul(chunk, NULL, 10) == DIVIDED_LOOP_CHUNK &&
	       read_token(reader).punctuator == ')';
}

static struct token read_other_token(struct token_reader *reader)
{
	struct token token = read_token(reader);

	while (token_is(&reader->lexer, &token, "schedule")) {
		struct token_reader behind = *reader;
		if (!skip_kind(&behind))
			break;
		*reader = behind;
		token = read_token(reader);
	}
	return token;
}

bool divided_loops_are_all(const char *text, size_t length, const char *divided, size_t new_length)
{
	struct token_reader one = {.in_pragma = false}, other = one;
	struct token token, same;

	lexer_init(&one.lexer, text, length, 0);
	lexer_init(&other.lexer, divided, new_length, 0);
	do {
		token = read_other_token(&one);
		same = read_other_token(&other);
		if (token.kind != same.kind || token.end - token.begin != same.end - same.begin ||
		    memcmp(text + token.begin, divided + same.begin, token.end - token.begin) != 0)
			return false;
	} while (token.kind != TOKEN_END);
	return true;
}
