/* SPDX-License-Identifier: BSD-3-Clause */
/* The symbols of an ELF file, by address. */
#ifndef SYMBOLS_H
#define SYMBOLS_H

#include <libelf.h>

#include <stddef.h>
#include <stdint.h>

struct symbol {
	uint64_t start, size; /* size 0: up to the next symbol */
	const char *name;     /* in the file's mapping */
};

struct symbols {
	struct symbol *functions; /* ascending */
	size_t function_count, function_room;
	struct symbol *locks; /* of criticals: .gomp_critical_user_NAME and the like */
	size_t lock_count, lock_room;
	struct symbol *variables; /* ascending */
	size_t variable_count, variable_room;
};

/* Adds the symbols of the file's .symtab, or of .dynsym if that is missing, and sorts them. */
void names_symbols_read(struct symbols *symbols, Elf *elf);
void names_symbols_free(struct symbols *symbols);

/* Returns the function with code at the address, or NULL. */
const struct symbol *names_symbols_function(const struct symbols *symbols, uint64_t address);

/* Returns the variable that contains the address, or NULL. */
const struct symbol *names_symbols_variable(const struct symbols *symbols, uint64_t address);

/* Returns the name of the critical whose lock is there (heap), or NULL. */
char *names_symbols_critical(const struct symbols *symbols, uint64_t address);

#endif
