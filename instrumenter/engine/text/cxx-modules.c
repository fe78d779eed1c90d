/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * C++20 modules. libclang does not show what is inside `export`, and does not know imported
 * modules. It therefore gets the text with the modules' words blanked out, so that everything keeps
 * its place. Declarations are added after the module's declaration and imports.
 */
#include "cxx-modules.h"

#include "lexer.h"

#include <string.h>

/* The state while a text is searched for modules. */
struct modules {
	struct lexer lexer;
	char *plain;       /* the copy without the modules' words */
	bool declared;     /* the module's own declaration was seen */
	bool open;         /* since then, only imports followed */
	size_t behind;     /* the end of the last of these */
	struct token last; /* the token before the current one */
	size_t depth;      /* of braces: module declarations are at depth 0 */
};

static void blank(struct modules *modules, size_t begin, size_t end)
{
	for (size_t i = begin; i < end; i++)
		if (modules->plain[i] != '\n')
			modules->plain[i] = ' ';
}

static bool begins_declaration(const struct token *last)
{
	return last->kind == TOKEN_END || last->kind == TOKEN_DIRECTIVE ||
	       (last->punctuator != 0 && strchr(";{}", last->punctuator) != NULL);
}

/* The end of `module ...;` or `import ...;` whose first word is `word`; 0 if it is neither. */
static size_t declaration_end(struct lexer lexer, const struct token *word)
{
	struct token next = lexer_next(&lexer);
	bool module = token_is(&lexer, word, "module");

	if (!module && !token_is(&lexer, word, "import"))
		return 0;
	if (next.kind != TOKEN_IDENTIFIER && next.kind != TOKEN_STRING && next.punctuator != ':' &&
	    next.punctuator != '<' && !(module && next.punctuator == ';'))
		return 0;
	while (next.kind != TOKEN_END && next.punctuator != ';')
		next = lexer_next(&lexer);
	return next.kind == TOKEN_END ? 0 : next.end;
}

/* Reads a module declaration or import at `begin` with the word `word`; false if it is neither. */
static bool read_declaration(struct modules *modules, size_t begin, const struct token *word)
{
	struct lexer ahead = modules->lexer;
	size_t end = modules->depth == 0 ? declaration_end(ahead, word) : 0;
	bool named = token_is(&ahead, word, "module") && lexer_next(&ahead).punctuator == 0;

	if (end == 0)
		return false;
	blank(modules, begin, end);
	if (named) {
		modules->declared = true;
		modules->open = true;
	}
	if (modules->open)
		modules->behind = end;
	modules->lexer.at = end;
	return true;
}

/* After `export`: blanks out the word and the braces that it may have. */
static void read_export(struct modules *modules, const struct token *word)
{
	struct lexer ahead = modules->lexer;
	struct token next = lexer_next(&ahead);
	size_t depth = 1;

	if (next.kind == TOKEN_IDENTIFIER) {
		struct lexer before = modules->lexer;
		modules->lexer = ahead;
		if (read_declaration(modules, word->begin, &next))
			return;
		modules->lexer = before;
	}
	modules->open = false;
	blank(modules, word->begin, word->end);
	if (next.punctuator != '{')
		return;
	blank(modules, next.begin, next.end);
	while (depth > 0 && (next = lexer_next(&ahead)).kind != TOKEN_END)
		depth += next.punctuator == '{' ? 1 : next.punctuator == '}' ? (size_t)-1 : 0;
	if (depth == 0)
		blank(modules, next.begin, next.end);
}

/* Decides by the standard: before C++20, `module x;` may declare a variable. */
static bool has_modules(const struct inst_input *input)
{
	for (size_t i = 0; i < input->clang_argument_count && input->cplusplus; i++)
		if (strncmp(input->clang_arguments[i], "-std=", 5) == 0 &&
		    strstr(input->clang_arguments[i], "++2") != NULL)
			return true;
	return false;
}

const char *text_without_modules(
    struct inst_arena *arena, const struct inst_input *input, size_t *first_code)
{
	struct modules modules = {.plain = NULL};
	struct token token;

	if (!has_modules(input) || (memmem(input->text, input->length, "import", 6) == NULL &&
				       memmem(input->text, input->length, "module", 6) == NULL))
		return input->text;
	modules.plain = arena_allocate(arena, input->length + 1);
	memcpy(modules.plain, input->text, input->length);
	lexer_init(&modules.lexer, input->text, input->length, 0);
	modules.last = (struct token){.kind = TOKEN_END};
	while ((token = lexer_next(&modules.lexer)).kind != TOKEN_END) {
		bool begins = begins_declaration(&modules.last);

		modules.last = token;
		if (token.kind == TOKEN_DIRECTIVE)
			continue;
		if (token.punctuator == '{' && modules.plain[token.begin] != ' ')
			modules.depth++;
		else if (token.punctuator == '}' && modules.plain[token.begin] != ' ')
			modules.depth--;
		if (begins && token_is(&modules.lexer, &token, "export"))
			read_export(&modules, &token);
		else if (!begins || token.kind != TOKEN_IDENTIFIER ||
			 !read_declaration(&modules, token.begin, &token))
			modules.open = false;
		if (modules.plain[token.begin] == ' ')
			modules.last = (struct token){.kind = TOKEN_END};
	}
	if (modules.declared) {
		const char *line =
		    memchr(input->text + modules.behind, '\n', input->length - modules.behind);
		*first_code = line != NULL ? (size_t)(line - input->text) + 1 : input->length;
	}
	return modules.plain;
}
