/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A program's options as one table: a row is all that there is to an option. From it come parsing,
 * its errors and --help (here) and the manual page and the shell's completion (option-pages.h). The
 * values go into one struct of the program's, each to the field that its row names.
 *
 *	static const struct option_row rows[] = {
 *	    {USE_LIST, 0, "--format", "FORMAT", "text (default), json or csv", option_set_choice,
 *		offsetof(struct options, format), .choices = "text|json|csv"},
 *	    {USE_ANY, 'o', "--output", "FILE", "write to FILE", option_set_text,
 *		offsetof(struct options, output), .expected = "a file name"},
 *	};
 *
 * Options have their whole names; a value stands behind "=", or behind a letter, or in the next
 * word. Of options that exclude each other, as of one that is repeated, the last one holds.
 */
#ifndef COMMON_OPTION_TABLE_H
#define COMMON_OPTION_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct option_reading;

/*
 * Reads a value into a field; NULL is no value, for options that can do without. False for a wrong
 * one, after option_expected().
 */
typedef bool option_reader(void *field, const char *value, struct option_reading *reading);

struct option_row {
	unsigned uses; /* bits of the program's: what the option has a meaning for */
	char letter;   /* "-o" for "--output", or 0 */
	const char *name;
	const char *value; /* as --help shows it; NULL: takes none */
	const char *help;
	option_reader *read;
	size_t field;          /* offset in the struct that is filled */
	const char *choices;   /* "text|json": all values that there are; else NULL */
	const char *expected;  /* what a value is, for option_set_text */
	unsigned constant;     /* for option_set_constant; the first choice's number */
	bool can_lack_a_value; /* "--list" beside "--list=json" */
};

struct option_table {
	const struct option_row *rows;
	size_t count;
	unsigned use; /* only the rows that share a bit */
	const char *program;
	const char *subcommand; /* for messages, too; NULL: there are none */
	bool one_word; /* values stand behind "=" alone: the next word is not the program's */
};

/* One option of a command line while its value is read. */
struct option_reading {
	const struct option_row *row;
	char *problem; /* heap */
};

/* Keeps "expected ...", or other words on what is wrong with the value. Returns false. */
bool option_expected(struct option_reading *reading, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

option_reader option_set_flag;     /* bool: true */
option_reader option_set_constant; /* int or enum: the row's constant */
option_reader
    option_set_choice; /* int or enum: constant + the index of the value; no value: the first */
option_reader option_set_text; /* const char *: the value itself, which is not empty */

/* The row of a word that begins with '-', or NULL. */
const struct option_row *option_find(const struct option_table *table, const char *word);

/*
 * Reads the first of the words, which end with NULL, into *options. Returns how many words it took:
 * 1 or 2; 0 for one that is not in the table; -1 for a mistake, which *error then says (heap, or
 * NULL when memory ran out).
 */
int option_read(
    const struct option_table *table, const char *const *words, void *options, char **error);

/* The same for a word that has to be in the table: 1, 2, or -1 with the mistake. */
int option_read_known(
    const struct option_table *table, const char *const *words, void *options, char **error);

/*
 * Reads all options in front of the first word that is none; "--" ends them, too, and is taken with
 * them. Returns how many words it took, or -1 with the mistake.
 */
int option_read_leading(
    const struct option_table *table, const char *const *words, void *options, char **error);

/* The option that the word most likely means, or NULL. */
const char *option_find_similar(const struct option_table *table, const char *word);

/* "unknown option ...", with the similar one and where the help is; heap, or NULL. */
char *option_describe_unknown(const struct option_table *table, const char *word);

/* The lines of --help, two blanks before each; those of variables as well, which are rows, too. */
void option_print_help(FILE *out, const struct option_table *table);

/* The index-th row that the table's use has, or NULL behind the last. */
const struct option_row *option_at(const struct option_table *table, size_t index);

#endif
