/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One compiler command line, analysed: what it does, with which inputs, and which of its words
 * belong to which step. The wrapper builds every command that it runs from one of these.
 */
#ifndef COMPILER_COMMAND_H
#define COMPILER_COMMAND_H

#include "arguments.h"
#include "word-list.h"

#include <stdbool.h>

enum command_mode {
	COMMAND_LINK, /* also compile and link in one step */
	COMMAND_OBJECT,
	COMMAND_ASSEMBLY,
	COMMAND_MODULE, /* a compiled module interface, which becomes an object later */
};

/* One option with its value, or one input. */
struct command_part {
	enum argument_role role;
	size_t first, count;    /* words */
	const char *value;      /* as argument_read(); points into the words */
	enum language language; /* inputs: the language that the compiler assumes */
	const char *forced;     /* inputs: the -x that applies; NULL: the suffix decides */
	const char *why;        /* as argument_read() */
};

struct command {
	struct words words; /* response files expanded; without the compiler */
	struct command_part *parts;
	size_t part_count;
	enum command_mode mode;
	const char *output; /* value of the last -o, or NULL */
	bool cxx_driver;
	bool openmp;
	unsigned roles;      /* union of all parts' */
	size_t source_count; /* inputs to be compiled, in any language */
	bool has_header;     /* one of them is a header to be precompiled */
};

/*
 * Analyses the arguments (without the compiler, NULL-terminated). Returns 0, or -1 if they cannot
 * be understood or memory ran out: the command should then run unchanged.
 */
int command_read(const char *const *arguments, bool cxx_driver, struct command *command);

void command_finish(struct command *command);

/* True for an input of a language that the engine reads. */
bool command_part_is_instrumentable(const struct command_part *part);

/* How many of the inputs are in a language that the engine reads. */
size_t command_count_instrumentable(const struct command *command);

/* Adds the words of all parts whose role is in roles, in their order. */
void command_add(const struct command *command, unsigned roles, struct words *out);

/*
 * Adds the words that change the language for libclang, for a text whose macros are already
 * expanded. Returns whether they name the standard.
 */
bool command_add_language(const struct command *command, struct words *out);

/*
 * The file that compiling `input` produces if the mode is not COMMAND_LINK (heap): -o, or the
 * input's name without its folder and with the suffix .o or .s.
 */
char *command_output_of(const struct command *command, const struct command_part *input);

/*
 * For a step that only preprocesses `input`: adds the place of the dependency file and the name of
 * its target, if the user left them to the compiler, which would choose them by an -o that this
 * step does not have. output: as command_output_of(). clang: the compiler is clang.
 */
void command_add_dependency_defaults(const struct command *command, bool clang,
    const struct command_part *input, const char *output, struct words *words);

/* The last component of a path. */
const char *path_base(const char *path);

#endif
