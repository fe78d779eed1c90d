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
#include "delimiter.h"
#include "fortran-edits.h"
#include "lane-loops.h"
#include "lexer.h"
#include "race-source.h"
#include "schedule-clause.h"
#include "shared/loop-schedule.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* In front of `simd`, if its lanes are divided. */
#define LANES_OPEN    "parallel for "
#define LANES_OPEN_DO "parallel do "

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
	enum lane_division lanes;
	size_t lanes_begin, lanes_end; /* the statement of the last simd loop in C */
	bool lanes_in_order;           /* ... which was changed, and has ordered regions */
};

static void add_edit(struct division *division, size_t first, size_t end, const char *new_text)
{
	char *text = arena_copy(&division->arena, new_text, strlen(new_text));

	*ARENA_ADD(&division->arena, division->edits, division->count, division->room) =
	    (struct patch_edit){first, end, text};
}

static int compare_edits(const void *left_item, const void *right_item)
{
	const struct patch_edit *left = left_item, *right = right_item;

	return (left->begin > right->begin) - (left->begin < right->begin);
}

/* The edited text behind `heading` (heap), or NULL; frees the arena. */
static char *finish(struct division *division, const char *heading, size_t *length)
{
	if (division->count > 1)
		qsort(division->edits, division->count, sizeof *division->edits, compare_edits);
	const struct patch_text text = {.bytes = division->text,
	    .length = division->length,
	    .edits = division->edits,
	    .count = division->count};
	char *edited = text.count > 0 ? patch_text_apply(&text, 0, text.length, length) : NULL;
	char *whole = edited != NULL ? malloc(strlen(heading) + *length + 1) : NULL;

	if (whole != NULL) {
		memcpy(whole, heading, strlen(heading));
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
	size_t simd;       /* this word in front of all brackets; 0: there is none */
	size_t order, order_end; /* this clause with the comma behind it; end 0: there is none */
};

/* Are the tokens "schedule", "(", a word, ")"? */
static bool is_schedule(const struct lexer *lexer, const struct token *tokens)
{
	return token_is(lexer, &tokens[0], "schedule") && tokens[1].punctuator == '(' &&
	       tokens[2].kind == TOKEN_IDENTIFIER && tokens[3].punctuator == ')';
}

/* Finds the clause `order`; depth: of brackets before the token. */
static void note_order(struct directive_words *words, const struct lexer *lexer,
    const struct token *token, size_t depth)
{
	if (depth == 0 && token_is(lexer, token, "order"))
		words->order = token->begin;
	if (words->order == 0 || (words->order_end != 0 && token->punctuator != ','))
		return;
	if ((depth == 1 && token->punctuator == ')') || token->begin == words->order_end)
		words->order_end = token->end;
}

static struct directive_words read_words(struct division *division, size_t first, size_t end)
{
	enum { CLAUSE = 4 };
	struct directive_words result = {.end = first};
	struct inst_buffer words = {.arena = &division->arena};
	struct token last[CLAUSE] = {{.kind = TOKEN_END}};
	struct lexer lexer;
	struct token token;
	size_t depth = 0;
	bool in_name = true;

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
		in_name &= token.punctuator == 0;
		if (in_name && result.simd == 0 && token_is(&lexer, &token, "simd"))
			result.simd = token.begin;
		if (is_schedule(&lexer, last))
			result.kind = last[2];
		note_order(&result, &lexer, &token, depth);
		depth += token.punctuator == '(';
		depth -= token.punctuator == ')' && depth > 0;
	}
	result.words = words.data;
	return result;
}

/* With order(concurrent), gcc's code divides a dynamic loop by itself, and not rightly. */
static void remove_order(struct division *division, const struct directive_words *words)
{
	if (words->order_end != 0)
		add_edit(division, words->order, words->order_end, "");
}

/* Behind directives: there can be several for one loop, of which #if chooses one. */
static size_t loop_begin(const char *text, size_t length, size_t at)
{
	struct lexer lexer;
	struct token token;

	lexer_init(&lexer, text, length, at);
	do
		token = lexer_next(&lexer);
	while (token.kind == TOKEN_DIRECTIVE);
	return token.begin;
}

/* A directive whose lanes may be divided. end: of its line, or of the operator. */
static void edit_lanes(struct division *division, const struct directive_words *words,
    const struct directive_use *use, size_t end)
{
	const char *text = division->text;
	const bool is_inside = division->lanes_begin < end && end < division->lanes_end;

	if (is_inside && division->lanes_in_order && directive_is(use, CONSTRUCT_ORDERED) &&
	    words->simd != 0)
		add_edit(division, words->simd, words->simd, "threads ");
	if (is_inside || !directive_has(use, CONSTRUCT_SIMD))
		return;
	const struct clause_list clauses = clauses_read(&division->arena, use->clauses);
	division->lanes_end = statement_end(text, division->length, end);
	division->lanes_begin = loop_begin(text, division->length, end);
	division->lanes_in_order = false;
	if (words->simd == 0 || division->lanes_end == 0 || !lane_loop_fits(use, &clauses))
		return;
	division->lanes_in_order = lane_loop_is_ordered(text, division->lanes_end, end);
	if (division->lanes_in_order && division->lanes == LANES_WITHOUT_ORDER) {
		division->lanes_in_order = false;
		return;
	}
	add_edit(division, words->simd, words->simd, LANES_OPEN);
	remove_order(division, words);
	add_edit(division, words->end, words->end,
	    arena_format(&division->arena, " %s%s",
		lane_loop_clauses(&division->arena, &clauses, " ", false),
		division->lanes_in_order ? " ordered" : ""));
}

/*
 * The directive's words [first, end) begin behind "omp". behind: where its line or its operator
 * ends in the code; 0: it is elsewhere.
 */
static void edit_directive(struct division *division, size_t first, size_t end, size_t behind)
{
	const struct directive_words words = read_words(division, first, end);
	const struct directive_use use = directive_read(&division->arena, words.words);
	const struct clause_list clauses = directive_has(&use, CONSTRUCT_FOR)
					       ? clauses_read(&division->arena, use.clauses)
					       : (struct clause_list){.error = NULL};
	const enum change change = change_of(&use, &clauses, division->knows_threads);

	if (change != LEAVE)
		remove_order(division, &words);
	if (change == ADD_CLAUSE)
		add_edit(division, words.end, words.end, " " DIVIDED_LOOP_CLAUSE);
	else if (change == REPLACE_KIND && words.kind.end != 0)
		add_edit(division, words.kind.begin, words.kind.end, DIVIDED_LOOP_KIND);
	if (behind != 0 && division->lanes != NO_LANES)
		edit_lanes(division, &words, &use, behind);
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
static void edit_operator(struct division *division, const struct token *string, size_t behind)
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
		edit_directive(division, word.end, string->end - 1, behind);
}

/* A name and a bracket: does it make a pragma, or is it directive() of an attribute? */
static void edit_call(struct division *division, const struct token *name, struct lexer lexer)
{
	const size_t open = lexer.at;
	const struct lexer inside = lexer;
	struct token first = lexer_next(&lexer);

	if (token_is(&lexer, name, "_Pragma")) {
		const struct token close = lexer_next(&lexer);
		edit_operator(division, &first, lexer.length == division->length ? close.end : 0);
	} else if (token_is(&lexer, &first, "omp")) {
		edit_directive(division, first.end, find_close(inside), 0);
	} else if (token_is(&lexer, name, "directive")) {
		edit_directive(division, open, find_close(inside), 0);
	}
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
				edit_directive(division, word.end, token.end,
				    lexer.length == division->length ? token.end : 0);
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

char *divided_loops_in_c(
    const char *text, size_t length, enum lane_division lanes, size_t *new_length)
{
	struct division division = {.text = text,
	    .length = length,
	    .knows_threads = names_threads(text, length),
	    .lanes = lanes};
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

/* Where the line begins. */
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

/* A directive must not go beyond these. */
static size_t columns_of(const struct race_text *text)
{
	enum { FREE_COLUMNS = 132, FIXED_COLUMNS = 72 };

	return text->is_fixed ? FIXED_COLUMNS : FREE_COLUMNS;
}

static void replace_kind(
    struct division *division, const struct race_text *text, const struct race_construct *construct)
{
	int line;
	const char *word = find_kind(text, construct->line, &line);
	const size_t length = word != NULL ? strcspn(word, " \t)&") : 0;

	if (length == 0 ||
	    strlen(text->lines[line - 1]) + strlen(DIVIDED_LOOP_KIND) - length > columns_of(text))
		return;
	const size_t first = line_offset(division, line) + (size_t)(word - text->lines[line - 1]);
	add_edit(division, first, first + length, DIVIDED_LOOP_KIND);
}

/* A clause on a line of its own is followed by a marker, which keeps the numbers of lines. */
static bool add_clause(struct division *division, const struct text_file *file,
    const struct race_text *text, const struct race_construct *construct, const char *clause)
{
	const struct lint_fix fix = {.change = LINT_CHANGE_ADD,
	    .place = {text->path, construct->line, 0},
	    .directive = true,
	    .at = construct->name,
	    .text = clause};
	struct patch_edit edit = {.text = NULL};
	int next = 2;

	const bool made = fortran_edit_make(file, text->is_fixed, &fix, &edit);
	if (made) {
		for (size_t i = 0; i < edit.begin; i++)
			next += file->bytes[i] == '\n';
		add_edit(division, edit.begin, edit.end,
		    strchr(edit.text, '\n') != NULL
			? arena_format(
			      &division->arena, "%s\n# %d \"%s\"", edit.text, next, text->path)
			: edit.text);
	}
	free(edit.text);
	return made;
}

/* Behind the sentinel: the word in the directive's line, or NULL. */
static const char *find_word(const char *line, const char *word)
{
	const char *sentinel = strchr(line, '$');
	const char *found = sentinel != NULL ? strcasestr(sentinel, word) : NULL;

	return found != NULL && found[-1] == ' ' &&
		       memchr(sentinel, '(', (size_t)(found - sentinel)) == NULL
		   ? found
		   : NULL;
}

static void insert_word(struct division *division, const struct race_text *text, int line,
    const char *at, const char *word)
{
	const size_t offset = line_offset(division, line) + (size_t)(at - text->lines[line - 1]);

	add_edit(division, offset, offset, word);
}

/* The variable of the do statement behind a directive; NULL if it is something else. */
static const char *loop_variable(struct inst_arena *arena, const struct race_text *text, int line)
{
	const char *word;

	/* Comments are blank in the code, and so are directives. */
	do {
		if (line == text->line_count)
			return NULL;
		word = text->code[line] + strspn(text->code[line], " \t");
		line++;
	} while (*word == '#' || *word == '\0');
	if (strncasecmp(word, "do ", 3) != 0)
		return NULL;
	word += 3;
	word += strspn(word, " \t");
	const size_t length =
	    strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
	return word[length + strspn(word + length, " \t")] == '='
		   ? arena_copy(arena, word, length)
		   : NULL; /* concurrent, while, or with a label */
}

/* The directive at the construct's end becomes a comment. */
static void remove_end(struct division *division, const struct race_text *text, int line)
{
	const char *own = line <= text->line_count ? text->lines[line - 1] : "";
	const char *sentinel = strchr(own, '$');
	const size_t offset =
	    line_offset(division, line) + (size_t)(sentinel != NULL ? sentinel - own : 0);

	for (size_t i = 0; i < division->count; i++)
		if (division->edits[i].begin == offset)
			return; /* two directives, of which one is compiled, have one end */
	if (sentinel != NULL && (size_t)(sentinel - own) == strspn(own, " \t!cC*") &&
	    find_word(own, "end") != NULL && find_word(own, "simd") != NULL)
		add_edit(division, offset, offset + 1, "!");
}

static bool is_in_lanes(const struct race_text *text, const struct race_construct *construct)
{
	while (construct->parent >= 0) {
		construct = &text->constructs[construct->parent];
		if (race_construct_has(construct, CONSTRUCT_SIMD))
			return true;
	}
	return false;
}

/* Are there ordered regions in the loop? Their directives are changed. */
static bool put_in_order(struct division *division, const struct race_text *text, int loop)
{
	bool found = false;

	for (int i = loop + 1; i < text->construct_count; i++) {
		const struct race_construct *inner = &text->constructs[i];
		const char *simd =
		    inner->parent == loop && directive_is(&inner->use, CONSTRUCT_ORDERED)
			? find_word(text->lines[inner->line - 1], "simd")
			: NULL;
		if (simd == NULL)
			continue;
		insert_word(division, text, inner->line, simd, "threads ");
		found = true;
	}
	return found;
}

/* Does a clause of its own decide on the last value of the loop variable? */
static bool lists_variable(const struct clause_list *clauses, const char *name)
{
	static const char *const deciding[] = {"private", "lastprivate", "linear"};

	for (size_t i = 0; i < sizeof deciding / sizeof *deciding; i++)
		for (size_t j = 0; j < clauses->count; j++)
			if (strcmp(clauses->clauses[j].name, deciding[i]) == 0 &&
			    clause_lists(&clauses->clauses[j], name))
				return true;
	return false;
}

/*
 * The loop variable has the loop's last value behind it. The clause may make its line longer only
 * by what the words in front of simd leave.
 */
static void edit_fortran_lanes(
    struct division *division, const struct text_file *file, const struct race_text *text, int loop)
{
	struct inst_arena *arena = &division->arena;
	const struct race_construct *construct = &text->constructs[loop];
	const char *line = text->lines[construct->line - 1], *simd = find_word(line, "simd");
	const char *name = loop_variable(arena, text, construct->line);

	if (simd == NULL || name == NULL || is_in_lanes(text, construct) ||
	    !lane_loop_fits(&construct->use, &construct->clauses) ||
	    strlen(line) + strlen(LANES_OPEN_DO) > columns_of(text))
		return;
	const size_t before = division->count;
	insert_word(division, text, construct->line, simd, LANES_OPEN_DO);
	const char *between = text->is_fixed ? "\nc$omp& " : " ";
	const char *last = lists_variable(&construct->clauses, name)
			       ? ""
			       : arena_format(arena, " lastprivate(%s)", name);
	const char *clauses = arena_format(arena, "%s%s%s%*s",
	    lane_loop_clauses(arena, &construct->clauses, between, true), last,
	    put_in_order(division, text, loop) ? " ordered" : "", (int)strlen(LANES_OPEN_DO), "");
	if (add_clause(division, file, text, construct, clauses))
		remove_end(division, text, construct->end);
	else
		division->count = before;
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
		if (find_clause(&construct->clauses, "order") != NULL)
			continue; /* see remove_order() */
		const enum change change =
		    change_of(&construct->use, &construct->clauses, division->knows_threads);

		if (change == ADD_CLAUSE)
			add_clause(division, file, text, construct, DIVIDED_LOOP_CLAUSE);
		else if (change == REPLACE_KIND)
			replace_kind(division, text, construct);
		if (division->lanes != NO_LANES)
			edit_fortran_lanes(division, file, text, i);
	}
	return finish(division, arena_format(&division->arena, "# 1 \"%s\"\n", path), new_length);
}

char *divided_loops_in_fortran(const char *path, enum lane_division lanes, size_t *new_length)
{
	struct division division = {.lanes = lanes};
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
