/* SPDX-License-Identifier: BSD-3-Clause */
/* What each process of a report (readers.h) reads, and with how many threads. */
#ifndef SHARES_H
#define SHARES_H

#include "archive.h"

/* The program's processes from `begin` up to `end`. */
struct share {
	size_t begin, end;
};

/*
 * By reader: neighbours, with as many events as others have, as far as processes allow it. The
 * caller frees the list.
 */
struct share *shares_new(
    const struct archive *archive, const struct archive_process *processes, size_t count);

/* How many threads read `count` processes here: at least one, and at most one for each of them. */
size_t shares_jobs(const struct archive *archive, size_t count);

#endif
