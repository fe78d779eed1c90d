/* SPDX-License-Identifier: BSD-3-Clause */
/* Pops frames of any role, and accounts them. */
#ifndef FRAME_CLOSE_H
#define FRAME_CLOSE_H

#include "thread-block.h"

/* The same for a frame of any role. */
void pomp_frame_close(struct pomp_thread *thread, struct pomp_frame *frame, uint64_t now);

/* Closes every frame above `last`. */
void pomp_frame_unwind_to(struct pomp_thread *thread, const struct pomp_frame *last, uint64_t now);

#endif
