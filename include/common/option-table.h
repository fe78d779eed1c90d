/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program's options as one table: a row defines an option completely. From the table come
 * parsing, its errors and --help (here) as well as the manual page and the shell completion
 * (option-pages.h). The values go into one struct of the program, each to the field that its row
 * names.
 *
 *   static const struct option_row rows[] = {
 *       {USE_LIST, 0, "--format", "FORMAT", "text (default), json or csv", option_set_choice,
 *   	offsetof(struct options, format), .choices = "text|json|csv"},
 *       {USE_ANY, 'o', "--output", "FILE", "write to FILE", option_set_text,
 *   	offsetof(struct options, output), .expected = "a file name"},
 *   };
 *
 * Options must be spelt out; a value follows "=", or a letter, or is the next word. If an option is
 * repeated, or excludes another, the last one holds.
 */
#ifndef COMMON_OPTION_TABLE_H
#define COMMON_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct option_reading;

/*
 * Reads a value into a field; NULL is no value, for options that do not need one. Returns false for
 * an invalid value, after option_expected().
 */
typedef bool option_reader(void *field, const char *value, struct option_reading *reading);

struct option_row {
	unsigned uses; /* the program's own bits: for which uses the option is meaningful */
	char letter;   /* "-o" for "--output", or 0 */
	const char *name;
	const char *value; /* as --help shows it; NULL: takes no value */
	const char *help;
	option_reader *read;
	size_t field;          /* offset in the struct that is filled in */
	const char *choices;   /* "text|json": all valid values; else NULL */
	const char *expected;  /* describes a value, for option_set_text */
	unsigned constant;     /* for option_set_constant; the first choice's number */
	bool can_lack_a_value; /* "--list" is valid as well as "--list=json" */
};

struct option_table {
	const struct option_row *rows;
	size_t count;
	unsigned use; /* selects the rows that share a bit */
	const char *program;
	const char *subcommand; /* also used in messages; NULL: there are none */
	bool one_word;          /* values only follow "=": the next word is not for the program */
};

/* One option of a command line while its value is read. */
struct option_reading {
	const struct option_row *row;
	char *problem; /* heap */
};

/* Keeps "expected ...", or another description of what is wrong with the value. Returns false. */
bool option_expected(struct option_reading *reading, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

option_reader option_set_flag;     /* bool: true */
option_reader option_set_constant; /* int or enum: the row's constant */
option_reader
    option_set_choice; /* int or enum: constant + the index of the value; no value: the first */
option_reader option_set_text; /* const char *: the value itself, which is not empty */

/* Returns the row for a word that begins with '-', or NULL. */
const struct option_row *option_find(const struct option_table *table, const char *word);

/*
 * Reads the first of the words, which end with NULL, into *options. Returns how many words it
 * consumed: 1 or 2; 0 if the first word is not in the table; -1 for an error, which *error then
 * describes (heap, or NULL when memory ran out).
 */
int option_read(
    const struct option_table *table, const char *const *words, void *options, char **error);

/* The same for a word that must be in the table: returns 1, 2, or -1 with the error. */
int option_read_known(
    const struct option_table *table, const char *const *words, void *options, char **error);

/*
 * Reads all options before the first word that is not an option; "--" also ends them and is
 * consumed. Returns how many words it consumed, or -1 with the error.
 */
int option_read_leading(
    const struct option_table *table, const char *const *words, void *options, char **error);

/* Returns the option that the word most likely means, or NULL. */
const char *option_find_similar(const struct option_table *table, const char *word);

/* Returns "unknown option ...", with the similar one and a reference to the help; heap, or NULL. */
char *option_describe_unknown(const struct option_table *table, const char *word);

/*
 * Prints the lines of --help, each after two blanks; also those of variables, which are rows too.
 */
void option_print_help(FILE *out, const struct option_table *table);

/* Returns the index-th row for the table's use, or NULL after the last one. */
const struct option_row *option_at(const struct option_table *table, size_t index);

#endif
