/* SPDX-License-Identifier: BSD-3-Clause */
/* Names for the lock variables in a log, if the program was killed before it named them. */
#ifndef CODE_LOCKS_H
#define CODE_LOCKS_H

#include "log-reader.h"

#include "shared/trace-convert.h"

/*
 * Gives the acquired lock variables the names that the program would have given them, if it did not
 * and the conversion has a namer. False when memory ran out.
 */
bool convert_name_locks(struct convert_input *input, const struct trace_conversion *conversion);

#endif
