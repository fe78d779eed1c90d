/* SPDX-License-Identifier: BSD-3-Clause */
/* The anchor of an archive: the file that readers open first. */
#ifndef ANCHOR_H
#define ANCHOR_H

#include "archive-output.h"

/* Returns its bytes (heap), or NULL when memory ran out. */
unsigned char *convert_anchor(
    const struct convert_output *output, uint64_t locations, uint64_t definitions, size_t *bytes);

#endif
