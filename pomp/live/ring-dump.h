/* SPDX-License-Identifier: BSD-3-Clause */
/* Writes what this process keeps of its latest events (POMP_TRACE_RING). */
#ifndef RING_DUMP_H
#define RING_DUMP_H

/*
 * Makes the next numbered folder and copies the rings into it, for `ompreport recover`. Its path
 * (heap, or NULL) is stored in either case. Returns 0, or an errno: ENOTSUP if no events are kept,
 * ENODATA if there are none yet. Then there is no folder.
 */
int pomp_ring_dump_numbered(char **path);

/* At the start: notes where numbered folders are made. */
void pomp_ring_dump_prepare(void);

#endif
