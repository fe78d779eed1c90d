/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes annotations for other programs. */
#ifndef SARIF_H
#define SARIF_H

#include <stdio.h>

#include "annotations.h"

/* Least shares of the thread time for a result in SARIF, and for one that is a warning. */
#define ANNOTATION_NOTE    0.01
#define ANNOTATION_WARNING 0.05

/* SARIF 2.1.0 (OASIS): a result for each annotation from ANNOTATION_NOTE on. */
void annotations_write_sarif(FILE *out, const struct annotations *annotations);

#endif
