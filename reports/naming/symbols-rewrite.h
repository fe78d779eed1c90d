/* SPDX-License-Identifier: BSD-3-Clause */
/* Names for the regions of an archive, found after the program ran. */
#ifndef SYMBOLS_REWRITE_H
#define SYMBOLS_REWRITE_H

#include "definitions-copy.h"

/*
 * Reads the archive of that anchor and looks for names. 0, or -1 with a message that names neither
 * path nor program in *error (heap).
 */
int symbols_find(struct naming_definitions *definitions, const char *anchor,
    struct code_namer *namer, char **error);

/*
 * Writes the archive's definitions with the names that were found. They are made beside the archive
 * and take the old file's place at once; its events stay as they are. The archive is valid at any
 * moment. 0, or -1 with a message; it is then as it was.
 */
int symbols_write(struct naming_definitions *definitions, const char *anchor, char **error);

#endif
