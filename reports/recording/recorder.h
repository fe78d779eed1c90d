/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes a recording from an archive in one pass over its events. It keeps everything that the
 * threads did, at 16 bytes for each change.
 */
#ifndef RECORDER_H
#define RECORDER_H

#include "analysis.h"
#include "recording.h"

struct recorder;

/* Keeps at most actions_max actions. */
struct recorder *recorder_new(const struct archive *archive, size_t actions_max);

/* Sets what an analysis needs so that it is recorded. */
void recorder_choose(struct recorder *recorder, struct analysis_choice *choice);

/*
 * Call once, after the last event. Frees the recorder. The caller owns the recording, which is NULL
 * if there were more than actions_max actions.
 */
struct recording *recorder_finish(struct recorder *recorder, const struct analysis *analysis);

#endif
