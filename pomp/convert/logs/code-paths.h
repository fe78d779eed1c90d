/* SPDX-License-Identifier: BSD-3-Clause */
/* The call paths of samples, with names. */
#ifndef CODE_PATHS_H
#define CODE_PATHS_H

#include "log-reader.h"
#include "shared/trace-convert.h"

/* Makes the contexts of all samples; false when memory ran out. */
bool convert_name_paths(struct convert_input *input, const struct trace_conversion *conversion);

#endif
