/* SPDX-License-Identifier: BSD-3-Clause */
/* Whole numbers and times as values of options. */
#ifndef OPTION_NUMBERS_H
#define OPTION_NUMBERS_H

#include "common/option-table.h"

/* Reads a whole number between the limits at the front of the text; *end points after it. */
bool option_read_number(
    const char *text, unsigned low, unsigned high, const char **end, unsigned *number);

/* Sets an unsigned to the value; false with "expected WHAT between LOW and HIGH". */
bool option_set_number(void *field, const char *value, struct option_reading *reading, unsigned low,
    unsigned high, const char *what);

/* A setter of the option table for an unsigned of seconds: "90", "90s", "5m", "2h". */
bool option_set_seconds(void *field, const char *value, struct option_reading *reading);

#endif
