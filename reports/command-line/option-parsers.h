/* SPDX-License-Identifier: BSD-3-Clause */
/* How each option's value is read; which option is read how stands in the table of options. */
#ifndef OPTION_PARSERS_H
#define OPTION_PARSERS_H

#include "command.h"

enum { OPTION_WIDTH_MIN = 60, OPTION_WIDTH_MAX = 1000 }; /* columns */

/* Sets the option from its value; NULL, or what was expected instead. */
typedef const char *option_parser(
    struct options *options, const struct command *command, const char *value);

option_parser option_parse_format, option_parse_width, option_parse_rows, option_parse_output,
    option_parse_sort, option_parse_region, option_parse_thread, option_parse_rank,
    option_parse_matrix, option_parse_ompp, option_parse_source, option_parse_filter,
    option_parse_threshold, option_parse_min_change, option_parse_from, option_parse_to,
    option_parse_min_duration, option_parse_perfetto, option_parse_chrome, option_parse_flamegraph,
    option_parse_csv;

#endif
