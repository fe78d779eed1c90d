/* SPDX-License-Identifier: BSD-3-Clause */
/* The kinds of requests to the other processes of a report (reader-request.h). */
#ifndef READER_KIND_H
#define READER_KIND_H

enum reader_kind {
	READER_ANALYSIS, /* struct reader_request */
	/* gathering.h */
	READER_CALL_SUMS,
	READER_EVENT_COUNTS,
	READER_REGION_TIMES,
	READER_SAMPLES,
	READER_KINDS
};

#endif
