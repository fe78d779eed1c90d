/* SPDX-License-Identifier: BSD-3-Clause */
/* The parts of a report that only findings of first touch have. */
#ifndef SHARING_FIRST_TOUCH_REPORT_H
#define SHARING_FIRST_TOUCH_REPORT_H

#include "sharing-report.h"

#include "common/json-writer.h"

/* Title and remedies. */
void first_touch_describe(
    struct inst_arena *arena, const struct sharing_finding *finding, struct sharing_words *words);

/* Where the pages were touched first, and which other memory that can mean. */
void first_touch_print(struct inst_arena *arena, const struct sharing_finding *finding, FILE *out);

/* How many arrays are only counted, and how they are listed. */
void first_touch_print_summary(const struct sharing_report *report, FILE *out);

void first_touch_put_json(struct json_writer *json, const struct sharing_finding *finding,
    void (*put_place)(struct json_writer *json, const struct sharing_place *place));

#endif
