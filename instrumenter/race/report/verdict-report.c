/* SPDX-License-Identifier: BSD-3-Clause */
/* What documents say of any finding, race or deadlock: whether it counts, and why not. */
#include "race-report.h"

void race_verdict_json(
    struct json_writer *json, const struct race_verdict *verdict, bool has_baseline)
{
	json_put_boolean(json, "counts", verdict->standing == RACE_COUNTS);
	json_put_text(json, "standing", race_standing_names[verdict->standing]);
	json_put_text(json, "reason", verdict->reason);
	if (has_baseline)
		json_put_text(json, "baseline_state", verdict->in_baseline ? "unchanged" : "new");
	json_put_text(json, "fingerprint", verdict->fingerprint);
}

void race_verdict_sarif(
    struct json_writer *json, const struct race_verdict *verdict, bool has_baseline)
{
	if (has_baseline)
		json_put_text(json, "baselineState", verdict->in_baseline ? "unchanged" : "new");
	if (verdict->standing != RACE_ALLOWED && verdict->standing != RACE_SUPPRESSED)
		return;
	json_open_array(json, "suppressions");
	json_open_object(json, NULL);
	json_put_text(json, "kind", verdict->standing == RACE_ALLOWED ? "inSource" : "external");
	json_put_text(json, "justification", verdict->reason);
	json_close_object(json);
	json_close_array(json);
}
