/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions of Python in call paths. A path's word has the number of a function and the line in it.
 * Code objects may be freed before the program ends, so the texts are copied when a function is
 * first seen, also in a signal handler: into a table of fixed size, without locks.
 *
 * Who sees what: a writer takes an empty entry (its hash becomes ENTRY_IS_WRITTEN), and stores the
 * hash (release) when the texts are complete. A reader that finds a hash (acquire) may read them.
 * Of an entry that another thread writes, nothing is known, so one function may have two entries.
 */
#ifndef PYTHON_NAMES_H
#define PYTHON_NAMES_H

#include <stdbool.h>
#include <stdint.h>

enum {
	POMP_PYTHON_FUNCTIONS = 4096, /* 2 MB, used as they fill; further ones have no name */
};

/* UTF-8. Of a longer function the first part is known, of a longer file the last one. */
struct pomp_python_text {
	char function[128];
	char file[376];
};

/* Maps the table; false: memory ran out. */
bool pomp_python_names_prepare(void);

/* Returns the function's number, which is above 0; 0: it can have no name. For handlers. */
uint32_t pomp_python_number(const struct pomp_python_text *text);

/* Returns the texts of a function; of number 0 "Python" and no file. */
const struct pomp_python_text *pomp_python_text(uint32_t number);

#endif
