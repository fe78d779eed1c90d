/* SPDX-License-Identifier: BSD-3-Clause */
/* What the report says of data that another thread had before; texts are the arena's. */
#ifndef MOVED_REPORT_H
#define MOVED_REPORT_H

#include "sharing-report.h"

#include "common/json-writer.h"

/* A finding of SHARING_MOVED as a title, and what changes it. */
void moved_describe(const struct sharing_report *report, const struct sharing_finding *finding,
    struct sharing_words *words);

/* The lines of the text that only such findings have. */
void moved_print(
    const struct sharing_report *report, const struct sharing_finding *finding, FILE *out);

/* The members of the JSON object that only such findings have. */
void moved_put_json(struct json_writer *json, const struct sharing_report *report,
    const struct sharing_finding *finding);

#endif
