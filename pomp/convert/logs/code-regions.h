/* SPDX-License-Identifier: BSD-3-Clause */
/* Names for regions of a log that are known by their code: the program was killed before it looked.
 */
#ifndef CODE_REGIONS_H
#define CODE_REGIONS_H

#include "log-reader.h"

#include "shared/trace-convert.h"

/*
 * Gives each such region that has no lines what the conversion's namer finds, or else the place
 * that stands for its file. False when memory ran out.
 */
bool convert_name_regions(struct convert_input *input, const struct trace_conversion *conversion);

#endif
