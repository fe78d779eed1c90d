/* SPDX-License-Identifier: BSD-3-Clause */
/* Names the regions of an archive after the program has run. */
#ifndef SYMBOLS_REWRITE_H
#define SYMBOLS_REWRITE_H

#include "definitions-copy.h"

/*
 * Reads the archive with that anchor and looks for names. Returns 0, or -1 with a message in *error
 * (heap) that contains neither path nor program name.
 */
int symbols_find(struct naming_definitions *definitions, const char *anchor,
    struct code_namer *namer, char **error);

/*
 * Writes the archive's definitions with the names found. The new file is made beside the archive
 * and replaces the old one atomically; events are not changed. The archive is valid at any moment.
 * Returns 0, or -1 with a message; the archive is then unchanged.
 */
int symbols_write(struct naming_definitions *definitions, const char *anchor, char **error);

#endif
