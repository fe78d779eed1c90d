/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes SARIF 2.1.0 (OASIS, Static Analysis Results Interchange Format), which code hosts and
 * editors show next to the source: one run of one tool. Between the calls the caller may use the
 * JSON writer to add to the open result.
 *
 *   sarif_start(&sarif, out, "ompreport");
 *   sarif_put_rule(&sarif, ...);       for each rule
 *   sarif_open_results(&sarif);
 *   sarif_open_result(&sarif, ...); sarif_put_place(&sarif, ...); sarif_close_result(&sarif);
 *   sarif_finish(&sarif);
 */
#ifndef COMMON_SARIF_WRITER_H
#define COMMON_SARIF_WRITER_H

#include "common/json-writer.h"

struct sarif_writer {
	struct json_writer json;
};

/* A place in a file; a line or column of 0 is unknown. */
struct sarif_place {
	const char *file; /* as the user wrote it; becomes a URI */
	uint64_t line, end_line, column;
	const char *message; /* for a related place; NULL: none */
};

void sarif_start(struct sarif_writer *sarif, FILE *out, const char *tool);
void sarif_put_rule(struct sarif_writer *sarif, const char *id, const char *text);
void sarif_open_results(struct sarif_writer *sarif);

/* level: "error", "warning" or "note". */
void sarif_open_result(
    struct sarif_writer *sarif, const char *rule, const char *level, const char *message);
void sarif_put_place(struct sarif_writer *sarif, const struct sarif_place *place);
void sarif_put_related(struct sarif_writer *sarif, const struct sarif_place *places, size_t count);

/*
 * The result's one fix: its replacements, of which each names its file. Columns are UTF-16 units,
 * and the end is behind the range (3.30.8).
 */
struct sarif_range {
	const char *file;
	uint64_t line, column, end_line, end_column;
};

void sarif_open_fix(struct sarif_writer *sarif, const char *description);
void sarif_put_replacement(
    struct sarif_writer *sarif, const struct sarif_range *range, const char *text);
void sarif_close_fix(struct sarif_writer *sarif);
void sarif_close_result(struct sarif_writer *sarif);
void sarif_finish(struct sarif_writer *sarif);

#endif
