/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of common/live-profile.h, for the library itself. */
#ifndef LIVE_READER_H
#define LIVE_READER_H

#include "common/live-profile.h"

enum live_result pomp_live_read(const struct live_source *source, struct live_profile *profile);
void pomp_live_release(struct live_profile *profile);
enum live_result pomp_live_read_samples(
    const struct live_source *source, struct live_samples *samples);
void pomp_live_release_samples(struct live_samples *samples);

#endif
