/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Names for regions in a log that are identified by their code, if the program was killed before it
 * named them.
 */
#ifndef CODE_REGIONS_H
#define CODE_REGIONS_H

#include "log-reader.h"

#include "shared/trace-convert.h"

/*
 * Gives each such region without lines what the conversion's namer finds, or else the place in the
 * code instead of a file. False when memory ran out.
 */
bool convert_name_regions(struct convert_input *input, const struct trace_conversion *conversion);

#endif
