/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One pass over a text that finds OpenMP and pomp pragmas, line markers, and the code that follows
 * each pragma. In preprocessed text every pragma is a line of its own, with macros and `_Pragma`
 * already expanded. The user's own text has continuation lines, comments, `%:` and the operator
 * form; the result is the same for all of them.
 *
 * The scanner does not know what the pragmas mean; the directive table does.
 */
#include "pragma-scan.h"

#include "engine.h"
#include "lexer.h"

#include <limits.h>
#include <string.h>

/* The text of a directive on one line: each comment and each splice becomes a blank or nothing. */
static char *join_lines(struct inst_arena *arena, const char *text, size_t begin, size_t end)
{
	struct inst_buffer joined = {.arena = arena};

	buffer_add(&joined, "", 0);
	while (begin < end) {
		size_t after = skip_blanks(text, end, begin, true);
		size_t splice_only = begin;

		while (splice_only < after && strchr("\\ \t\r\n", text[splice_only]) != NULL &&
		       text[begin] == '\\')
			splice_only++;
		if (after > begin) {
			/* A `\` and newline directly between two letters joins them. */
			if (!(splice_only == after && text[after - 1] == '\n'))
				buffer_add_string(&joined, " ");
			begin = after;
			continue;
		}
		if (text[begin] == '"' || text[begin] == '\'') {
			struct lexer lexer;
			struct token token;

			lexer_init(&lexer, text, end, begin);
			token = lexer_next(&lexer);
			buffer_add(&joined, text + begin, token.end - begin);
			begin = token.end > begin ? token.end : begin + 1;
			continue;
		}
		buffer_add(&joined, text + begin++, 1);
	}
	return joined.data;
}

/* Skips `word` and the blanks after it; NULL if another word is there. */
static const char *after_word(const char *at, const char *word)
{
	size_t length = strlen(word);

	while (*at == ' ' || *at == '\t')
		at++;
	if (strncmp(at, word, length) != 0)
		return NULL;
	at += length;
	if ((*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') || *at == '_' ||
	    (*at >= '0' && *at <= '9'))
		return NULL;
	while (*at == ' ' || *at == '\t')
		at++;
	return at;
}

/* Fills `user` and `words` from what follows `#pragma`; false for any other pragma. */
static bool read_pragma(const char *words, struct inst_pragma *pragma)
{
	const char *at = after_word(words, "omp");
	const char *inst;

	if (at != NULL) {
		inst = after_word(at, "inst");
		pragma->user = inst != NULL;
		pragma->words = inst != NULL ? inst : at;
		return true;
	}
	at = after_word(words, "pomp");
	if (at == NULL)
		return false;
	inst = after_word(at, "inst");
	pragma->user = true;
	pragma->words = inst != NULL ? inst : at;
	return true;
}

static void add_pragma(struct inst_arena *arena, struct inst_scan *scan, struct inst_pragma pragma)
{
	*ARENA_ADD(arena, scan->pragmas, scan->pragma_count, scan->pragma_room) = pragma;
}

/* A C string literal's content (between the quotes), unescaped as far as file names need it. */
static char *unescape(struct inst_arena *arena, const char *text, size_t length)
{
	char *plain = arena_allocate(arena, length + 1);
	size_t used = 0;

	for (size_t i = 0; i < length; i++) {
		int value = 0, digits = 0;

		if (text[i] != '\\' || i + 1 == length) {
			plain[used++] = text[i];
			continue;
		}
		while (digits < 3 && i + 1 < length && text[i + 1] >= '0' && text[i + 1] <= '7') {
			value = value * 8 + text[++i] - '0';
			digits++;
		}
		if (digits == 0)
			value = (unsigned char)text[++i];
		plain[used++] = (char)value;
	}
	return plain;
}

/*
 * The include depth at this point of a scan, and the depth at which a text of the engine's began.
 */
struct include_depth {
	int now;
	int written; /* depth of the last range in `written`, if it is still open; else -1 */
};

/* A text of the engine's ends when the scan returns from the file that contains it. */
static void follow_include(
    struct inst_scan *scan, struct include_depth *depth, char flag, size_t at)
{
	if (flag == '1')
		depth->now++;
	else if (flag == '2' && depth->now > 0)
		depth->now--;
	if (depth->now < depth->written) {
		scan->written[scan->written_count - 1].end = at;
		depth->written = -1;
	}
}

/*
 * Reads `# 12 "file" 1 3` or `#line 12 "file"`. Returns false for any other line. Only the flags 3
 * (system header) and 4 (implicit extern "C") describe the text; 1 and 2 mark the entry to and
 * return from an include.
 */
static bool read_marker(struct inst_arena *arena, struct inst_scan *scan,
    struct include_depth *depth, const char *text, size_t begin, size_t end, size_t next_line)
{
	struct line_origin marker = {.offset = next_line, .flags = ""};
	struct lexer lexer;
	struct token token;
	long line = 0;

	lexer_init(&lexer, text, end, begin + (text[begin] == '#' ? 1 : 2));
	lexer.line_start = false;
	token = lexer_next(&lexer);
	if (token_is(&lexer, &token, "line"))
		token = lexer_next(&lexer);
	if (token.kind != TOKEN_NUMBER)
		return false;
	for (size_t i = token.begin; i < token.end && line < INT_MAX / 10; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
		line = line * 10 + text[i] - '0';
	}
	marker.line = (int)line;
	marker.file = scan->markers[scan->marker_count - 1].file;
	token = lexer_next(&lexer);
	if (token.kind == TOKEN_STRING && token.end - token.begin >= 2)
		marker.file = unescape(arena, text + token.begin + 1, token.end - token.begin - 2);
	while ((token = lexer_next(&lexer)).kind == TOKEN_NUMBER)
		if (token.end - token.begin != 1)
			continue;
		else if (text[token.begin] == '3')
			marker.flags = "3";
		else if (text[token.begin] == '4')
			marker.flags = "3 4";
		else
			follow_include(scan, depth, text[token.begin], begin);
	*ARENA_ADD(arena, scan->markers, scan->marker_count, scan->marker_room) = marker;
	return true;
}

/* Index of the physical line that contains `offset`. */
static size_t line_index(const struct inst_scan *scan, size_t offset)
{
	size_t low = 0, high = scan->line_count;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (scan->lines[middle] <= offset)
			low = middle;
		else
			high = middle;
	}
	return low;
}

size_t scan_line_start(const struct inst_scan *scan, size_t offset)
{
	return scan->lines[line_index(scan, offset)];
}

/* Reads one `#` line. True if it is a line marker. */
static bool scan_directive(struct inst_arena *arena, struct inst_scan *scan,
    struct include_depth *depth, const char *text, size_t length, const struct token *token)
{
	size_t next_line = token->end < length ? token->end + 1 : length;
	size_t after = token->begin + (text[token->begin] == '#' ? 1 : 2);
	char *words;
	const char *pragma_words;

	if (read_marker(arena, scan, depth, text, token->begin, token->end, next_line))
		return true;
	words = join_lines(arena, text, after, token->end);
	pragma_words = after_word(words, "pragma");
	if (pragma_words != NULL) {
		struct inst_pragma pragma = {
		    .whole_lines = true,
		    .begin = scan_line_start(scan, token->begin),
		    .end = next_line,
		    .next = length,
		};

		if (read_pragma(pragma_words, &pragma))
			add_pragma(arena, scan, pragma);
	}
	return false;
}

/*
 * Reads `_Pragma("...")` after its identifier; if it is one, returns true with the lexer after it.
 */
static bool scan_operator(
    struct inst_arena *arena, struct inst_scan *scan, struct lexer *lexer, const struct token *name)
{
	struct lexer ahead = *lexer;
	struct token open = lexer_next(&ahead);
	struct token string = lexer_next(&ahead);
	struct token close = lexer_next(&ahead);
	struct inst_pragma pragma = {.begin = name->begin, .end = close.end, .next = lexer->length};
	size_t quote;
	char *words;

	if (open.punctuator != '(' || string.kind != TOKEN_STRING || close.punctuator != ')')
		return false;
	quote = string.begin + (lexer->text[string.begin] == 'L' ? 1 : 0);
	if (lexer->text[quote] != '"' || string.end - quote < 2)
		return false;
	*lexer = ahead;
	words = unescape(arena, lexer->text + quote + 1, string.end - quote - 2);
	if (read_pragma(join_lines(arena, words, 0, strlen(words)), &pragma))
		add_pragma(arena, scan, pragma);
	return true;
}

/*
 * Directives in C++ attributes (OpenMP 5.2, 3.1): `[[omp::directive(...)]]` is one directive,
 * `[[omp::sequence(...)]]` several, the outermost first. They have the meaning of the same pragmas
 * in that order, and become such pragmas when they are instrumented.
 */
enum { MAX_SEQUENCES = 16 }; /* nested in one another */

static const char *const attribute_keywords[] = {"directive", "decl", "sequence"};

static bool is_attribute_keyword(const struct lexer *lexer, const struct token *token)
{
	for (size_t i = 0; i < sizeof attribute_keywords / sizeof *attribute_keywords; i++)
		if (token_is(lexer, token, attribute_keywords[i]))
			return true;
	return false;
}

/* Skips `::`, which the lexer returns as two tokens. */
static bool skip_scope(struct lexer *lexer)
{
	return lexer_next(lexer).punctuator == ':' && lexer_next(lexer).punctuator == ':';
}

/*
 * The text up to the parenthesis that closes the one just read, on one line; the lexer is then
 * after it. NULL if nothing closes it. A macro may have left line markers inside.
 */
static char *read_attribute_words(struct inst_arena *arena, struct lexer *lexer)
{
	struct inst_buffer words = {.arena = arena};
	size_t depth = 1, end = lexer->at;

	buffer_add(&words, "", 0);
	for (;;) {
		struct token token = lexer_next(lexer);

		if (token.kind == TOKEN_END)
			return NULL;
		if (token.kind == TOKEN_DIRECTIVE)
			continue;
		if (token.punctuator != 0 && strchr("([{", token.punctuator) != NULL)
			depth++;
		else if (token.punctuator != 0 && strchr(")]}", token.punctuator) != NULL &&
			 --depth == 0)
			return words.data;
		if (token.begin > end && words.length > 0)
			buffer_add_string(&words, " ");
		buffer_add(&words, lexer->text + token.begin, token.end - token.begin);
		end = token.end;
	}
}

/*
 * Reads items up to `close`. `scoped`: each must have omp:: before its name, as is required outside
 * `[[using omp: ...]]` and sequences. False if one is not an OpenMP directive.
 */
static bool read_attribute_items(struct inst_arena *arena, struct inst_scan *scan,
    struct lexer *lexer, char close, bool scoped, int nesting)
{
	for (;;) {
		struct token token = lexer_next(lexer);
		bool has_scope = token_is(lexer, &token, "omp");

		if (has_scope) {
			if (!skip_scope(lexer))
				return false;
			token = lexer_next(lexer);
		}
		if ((scoped && !has_scope) || !is_attribute_keyword(lexer, &token) ||
		    lexer_next(lexer).punctuator != '(')
			return false;
		if (token_is(lexer, &token, "sequence")) {
			if (nesting == MAX_SEQUENCES ||
			    !read_attribute_items(arena, scan, lexer, ')', false, nesting + 1))
				return false;
		} else {
			char *words = read_attribute_words(arena, lexer);

			if (words == NULL)
				return false;
			add_pragma(
			    arena, scan, (struct inst_pragma){.attribute = true, .words = words});
		}
		token = lexer_next(lexer);
		if (token.punctuator == close)
			return true;
		if (token.punctuator != ',')
			return false;
	}
}

/* Do these brackets contain OpenMP directives? The lexer is after the second bracket. */
static bool mentions_directive(struct lexer lexer)
{
	size_t depth = 2;

	while (depth > 0) {
		struct token token = lexer_next(&lexer);
		struct lexer ahead = lexer;

		if (token.kind == TOKEN_END)
			return false;
		if (token.punctuator == '[')
			depth++;
		else if (token.punctuator == ']')
			depth--;
		else if (token_is(&lexer, &token, "omp") && skip_scope(&ahead)) {
			token = lexer_next(&ahead);
			if (is_attribute_keyword(&ahead, &token))
				return true;
		}
	}
	return false;
}

/*
 * Reads `[[omp::directive(...)]]`, `[[omp::sequence(...)]]` or `[[using omp: ...]]` after its first
 * bracket, which is at `begin`. If it contains only OpenMP directives, adds them and returns true
 * with the lexer after it.
 */
static bool scan_attribute(
    struct inst_arena *arena, struct inst_scan *scan, struct lexer *lexer, size_t begin)
{
	struct lexer ahead = *lexer, inside;
	size_t first = scan->pragma_count;
	struct token token;
	bool scoped = true;

	if (lexer_next(&ahead).punctuator != '[')
		return false;
	inside = ahead;
	token = lexer_next(&inside);
	if (token_is(&inside, &token, "using")) {
		token = lexer_next(&inside);
		if (!token_is(&inside, &token, "omp") || lexer_next(&inside).punctuator != ':')
			return false;
		scoped = false;
	} else {
		inside = ahead;
	}
	if (read_attribute_items(arena, scan, &inside, ']', scoped, 0)) {
		token = lexer_next(&inside);
		if (token.punctuator == ']') {
			for (size_t i = first; i < scan->pragma_count; i++) {
				scan->pragmas[i].begin = begin;
				scan->pragmas[i].end = token.end;
				scan->pragmas[i].next = inside.length;
			}
			*lexer = inside;
			return true;
		}
	}
	scan->pragma_count = first;
	if (mentions_directive(ahead))
		add_pragma(arena, scan,
		    (struct inst_pragma){.attribute = true,
			.mixed = true,
			.begin = begin,
			.end = ahead.at,
			.next = lexer->length,
			.words = "[[omp::]]"});
	return false;
}

/* After `struct`: is this the engine's mark? */
static bool is_mark(const struct lexer *lexer)
{
	struct lexer ahead = *lexer;
	struct token name = lexer_next(&ahead);

	return token_is(&ahead, &name, INST_MARK_NAME) && lexer_next(&ahead).punctuator == ';';
}

/*
 * Begins a written range at the mark, unless the scan is already in one. The mark of preprocessed
 * text comes before the first code, which is usually in a header; its range covers the whole text.
 */
static void begin_written(
    struct inst_arena *arena, struct inst_scan *scan, struct include_depth *depth, size_t begin)
{
	bool preprocessed = strcmp(scan->markers[scan->marker_count - 1].file, INST_MARK_FILE) == 0;

	if (depth->written >= 0)
		return;
	*ARENA_ADD(arena, scan->written, scan->written_count, scan->written_room) =
	    (struct written_range){begin, (size_t)-1};
	depth->written = preprocessed ? 0 : depth->now;
}

bool scan_is_written(const struct inst_scan *scan, size_t offset)
{
	for (size_t i = 0; i < scan->written_count && scan->written[i].begin <= offset; i++)
		if (offset < scan->written[i].end)
			return true;
	return false;
}

bool scan_all_written(const struct inst_scan *scan, size_t length)
{
	if (scan->written_count == 0 || scan->written[scan->written_count - 1].end < length)
		return false;
	for (size_t i = 0; i < scan->pragma_count; i++)
		if (!scan_is_written(scan, scan->pragmas[i].begin))
			return false;
	return true;
}

static void find_lines(
    struct inst_arena *arena, struct inst_scan *scan, const char *text, size_t length)
{
	const char *newline;
	size_t at = 0;

	for (;;) {
		*ARENA_ADD(arena, scan->lines, scan->line_count, scan->line_room) = at;
		newline = at < length ? memchr(text + at, '\n', length - at) : NULL;
		if (newline == NULL)
			return;
		at = (size_t)(newline - text) + 1;
	}
}

void scan_text(struct inst_arena *arena, const char *text, size_t length, const char *file_name,
    struct inst_scan *scan)
{
	struct lexer lexer;
	struct include_depth depth = {0, -1};
	size_t waiting = 0; /* the first pragma whose `next` is still open */
	bool code_seen = false;

	*scan = (struct inst_scan){.first_code = length};
	find_lines(arena, scan, text, length);
	*ARENA_ADD(arena, scan->markers, scan->marker_count, scan->marker_room) =
	    (struct line_origin){0, 1, file_name, ""};
	lexer_init(&lexer, text, length, 0);
	for (;;) {
		struct token token = lexer_next(&lexer);
		bool marker = false;

		if (token.kind == TOKEN_END)
			break;
		if (token.kind == TOKEN_DIRECTIVE)
			marker = scan_directive(arena, scan, &depth, text, length, &token);
		if (token_is(&lexer, &token, "struct") && is_mark(&lexer))
			begin_written(arena, scan, &depth, token.begin);
		if (!marker && !code_seen) {
			code_seen = true;
			scan->first_code = scan_line_start(scan, token.begin);
		}
		if (token.kind == TOKEN_DIRECTIVE ||
		    (token_is(&lexer, &token, "_Pragma") &&
			scan_operator(arena, scan, &lexer, &token)) ||
		    (token.punctuator == '[' && scan_attribute(arena, scan, &lexer, token.begin)))
			continue;
		while (waiting < scan->pragma_count)
			scan->pragmas[waiting++].next = token.begin;
	}
}

struct inst_place scan_place(const struct inst_scan *scan, size_t offset)
{
	size_t low = 0, high = scan->marker_count;
	const struct line_origin *marker;
	size_t line = line_index(scan, offset);
	size_t from;

	while (high - low > 1) {
		size_t middle = low + (high - low) / 2;

		if (scan->markers[middle].offset <= offset)
			low = middle;
		else
			high = middle;
	}
	marker = &scan->markers[low];
	from = line_index(scan, marker->offset);
	return (struct inst_place){
	    .file = marker->file,
	    .flags = marker->flags,
	    .line = marker->line + (int)(line - from),
	    .column = (int)(offset - scan->lines[line]) + 1,
	};
}
