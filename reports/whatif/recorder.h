/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Makes a recording from an archive, in one pass over its events. It keeps all that the threads
 * did: 16 bytes for each change.
 */
#ifndef RECORDER_H
#define RECORDER_H

#include "analysis.h"
#include "recording.h"

struct recorder;

/* actions_max: the most that is kept. */
struct recorder *recorder_new(const struct archive *archive, size_t actions_max);

/* What an analysis needs to be recorded. */
void recorder_choose(struct recorder *recorder, struct analysis_choice *choice);

/*
 * To be called once, after the last event. The recording is the caller's, NULL where there was more
 * than actions_max; the recorder is freed.
 */
struct recording *recorder_finish(struct recorder *recorder, const struct analysis *analysis);

#endif
