/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reads one compiler command line with the table of arguments. Nothing here runs or decides
 * anything; the wrapper builds its own commands from the parts.
 */
#include "compiler-command.h"
#include "response.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Records what one part means for the whole command. */
static void note_part(struct command *command, const struct command_part *part)
{
	command->roles |= part->role;
	switch (part->role) {
	case ARGUMENT_TO_OBJECT:
		/* If -c and -S both occur, the one that stops earlier counts, in any order. */
		if (command->mode == COMMAND_LINK)
			command->mode = COMMAND_OBJECT;
		break;
	case ARGUMENT_TO_MODULE:
		command->mode = COMMAND_MODULE;
		break;
	case ARGUMENT_TO_ASSEMBLY:
		command->mode = COMMAND_ASSEMBLY;
		break;
	case ARGUMENT_OUTPUT:
		command->output = part->value;
		break;
	case ARGUMENT_OPENMP:
	case ARGUMENT_HIDDEN_OPENMP:
		command->openmp = true;
		break;
	case ARGUMENT_NO_OPENMP:
		command->openmp = false;
		break;
	case ARGUMENT_INPUT:
		command->source_count += part->language != LANGUAGE_LINKER;
		command->has_header |= part->language == LANGUAGE_HEADER;
		break;
	default:
		break;
	}
}

static void read_parts(struct command *command)
{
	const char *forced = NULL;
	enum language forced_language = LANGUAGE_LINKER;
	char **words = command->words.items;

	for (size_t i = 0; i < command->words.count;) {
		struct argument argument = argument_read(words[i], words[i + 1]);
		struct command_part *part = &command->parts[command->part_count++];
		*part = (struct command_part){
		    .role = argument.role,
		    .first = i,
		    .count = argument.words,
		    .value = argument.value,
		    .why = argument.why,
		};
		i += argument.words;
		if (part->role == ARGUMENT_LANGUAGE) {
			forced_language = language_of_option(part->value);
			forced = forced_language == LANGUAGE_LINKER ? NULL : part->value;
		}
		if (part->role == ARGUMENT_INPUT) {
			part->forced = forced;
			part->language = forced != NULL
					     ? forced_language
					     : language_of_file(part->value, command->cxx_driver);
		}
		note_part(command, part);
	}
}

/* Applies -fpreprocessed to all inputs, including those before it. */
static void note_preprocessed(struct command *command)
{
	for (size_t i = 0; i < command->part_count; i++) {
		struct command_part *part = &command->parts[i];
		if (part->language == LANGUAGE_C)
			part->language = LANGUAGE_C_PREPROCESSED;
		else if (part->language == LANGUAGE_CXX)
			part->language = LANGUAGE_CXX_PREPROCESSED;
	}
}

int command_read(const char *const *arguments, bool cxx_driver, struct command *command)
{
	*command = (struct command){.cxx_driver = cxx_driver};
	if (response_expand(arguments, &command->words) != 0 || command->words.failed) {
		command_finish(command);
		return -1;
	}
	if (command->words.count == 0)
		return 0;
	command->parts = calloc(command->words.count, sizeof *command->parts);
	if (command->parts == NULL) {
		command_finish(command);
		return -1;
	}
	read_parts(command);
	if ((command->roles & ARGUMENT_PREPROCESSED) != 0)
		note_preprocessed(command);
	return 0;
}

void command_finish(struct command *command)
{
	words_finish(&command->words);
	free(command->parts);
	*command = (struct command){0};
}

bool command_part_is_instrumentable(const struct command_part *part)
{
	return part->role == ARGUMENT_INPUT &&
	       (part->language == LANGUAGE_C || part->language == LANGUAGE_CXX ||
		   part->language == LANGUAGE_MODULE || part->language == LANGUAGE_C_PREPROCESSED ||
		   part->language == LANGUAGE_CXX_PREPROCESSED);
}

size_t command_count_instrumentable(const struct command *command)
{
	size_t count = 0;

	for (size_t i = 0; i < command->part_count; i++)
		count += command_part_is_instrumentable(&command->parts[i]);
	return count;
}

void command_add(const struct command *command, unsigned roles, struct words *out)
{
	for (size_t i = 0; i < command->part_count; i++) {
		const struct command_part *part = &command->parts[i];
		for (size_t j = 0; (part->role & roles) != 0 && j < part->count; j++)
			words_add(out, command->words.items[part->first + j]);
	}
}

bool command_add_language(const struct command *command, struct words *out)
{
	static const char *const prefixes[] = {"-std=", "-ansi", "-m32", "-m64", "-mx32",
	    "-funsigned-char", "-fsigned-char", "-fshort-enums", "-fms-extensions",
	    "-fplan9-extensions", "-fgnu89-inline", "-fno-exceptions", "-fno-rtti", "-fcoroutines",
	    "-fconcepts", "--target="};
	const struct words *all = &command->words;
	bool standard = false;

	for (size_t i = 0; i < all->count; i++) {
		for (size_t j = 0; j < sizeof prefixes / sizeof prefixes[0]; j++)
			if (strncmp(all->items[i], prefixes[j], strlen(prefixes[j])) == 0)
				words_add(out, all->items[i]);
		standard |=
		    strncmp(all->items[i], "-std=", 5) == 0 || strcmp(all->items[i], "-ansi") == 0;
	}
	return standard;
}

const char *path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash == NULL ? path : slash + 1;
}

char *command_output_of(const struct command *command, const struct command_part *input)
{
	const char *base = path_base(input->value);
	const char *dot = strrchr(base, '.');
	int stem = dot == NULL ? (int)strlen(base) : (int)(dot - base);
	bool llvm = (command->roles & ARGUMENT_LLVM) != 0;
	const char *suffix = command->mode == COMMAND_MODULE     ? ".pcm"
			     : command->mode == COMMAND_ASSEMBLY ? llvm ? ".ll" : ".s"
			     : llvm                              ? ".bc"
								 : ".o";
	char *output = NULL;

	if (command->output != NULL && command->mode != COMMAND_LINK)
		return strdup(command->output);
	return asprintf(&output, "%.*s%s", stem, base, suffix) < 0 ? NULL : output;
}

/*
 * When compiling and linking in one step, gcc and clang use the program's name; without one, gcc
 * prefixes the file name with "a-".
 */
void command_add_dependency_defaults(const struct command *command, bool clang,
    const struct command_part *input, const char *output, struct words *words)
{
	bool unnamed = command->mode == COMMAND_LINK && command->output == NULL;
	const char *named = command->output != NULL ? command->output
			    : unnamed               ? path_base(input->value)
						    : output;
	const char *dot = strrchr(path_base(named), '.');
	int stem = dot != NULL ? (int)(dot - named) : (int)strlen(named);
	/* clang, unlike gcc, uses the same target for -Wp,-MD as for -MD. */
	bool target = (command->roles & ARGUMENT_DEPENDENCY) != 0 ||
		      (clang && (command->roles & ARGUMENT_WP_DEPENDENCY) != 0);

	if ((command->roles & ARGUMENT_DEPENDENCY) != 0 &&
	    (command->roles & ARGUMENT_DEPENDENCY_FILE) == 0) {
		words_add(words, "-MF");
		words_add_format(words, "%s%.*s.d", unnamed && !clang ? "a-" : "", stem, named);
	}
	if (target && (command->roles & ARGUMENT_DEPENDENCY_TARGET) == 0) {
		words_add(words, "-MQ");
		words_add_format(words, "%.*s%s", unnamed ? stem : (int)strlen(named), named,
		    unnamed ? ".o" : "");
	}
}
