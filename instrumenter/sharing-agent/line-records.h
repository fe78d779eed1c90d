/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Records of the lines that several threads use in one epoch, at least one of them writing. Each
 * thread counts in a share of its own, so that counting moves no line between threads. When the
 * first thread comes in a later epoch, what the shares have of the last one is judged: threads
 * that used the same bytes share them truly, those that used others do falsely.
 *
 * The estimate of an epoch does not depend on how the time slices of threads fell: a line that two
 * threads use a and b times can change its thread 2 min(a, b) times, and only because of writes.
 */
#ifndef SHARING_LINE_RECORDS_H
#define SHARING_LINE_RECORDS_H

#include "heap-blocks.h"
#include "noted-lines.h"
#include "spin-lock.h"

enum { RECORD_WORDS = SHARING_LINE_BYTES / SHARING_WORD_BYTES, RECORD_SITES = 4 };

/* An instruction that accesses the line; for functions that are called, the call. */
struct share_site {
	uintptr_t place;
	uint64_t reads, writes; /* estimates, by samples */
};

/* Only its thread writes, except when an epoch is judged: nobody is in it then. */
struct line_share {
	struct line_share *next; /* in the record; constant */
	uint32_t thread;         /* tag's number; 0: several threads, before there was the record */
	int32_t member;
	uint32_t epoch;
	uint32_t reads[RECORD_WORDS], writes[RECORD_WORDS]; /* of the epoch, by the first word */
	uint64_t bytes_read, bytes_written;                 /* of the epoch: masks */
	uint64_t around_read, around_written; /* of words of which some bytes were used */
	/* Of the epoch: how many of the accesses were made before there was the record, of which it
	 * is not known which of the words in around_* they used. */
	uint64_t earlier;
	/* Of the epoch: in so many ticks the thread made `timed` accesses here, and `calls` in all.
	 */
	uint64_t ticks, timed, calls;
	/* When the last sample was taken; 0: the thread has not been here in the epoch. */
	uint64_t mark_tick, mark_calls, mark_counted, counted;
	uint64_t atomics; /* of the epoch: writes that are atomic */
	/* Of the epoch: accesses in tasks, changes seen by them, of these those for bytes that the
	 * owner before has used, too. */
	uint64_t of_tasks, changes, same_changes;
	/*
	 * Bytes used since the line was last taken over by a task, and by the owner before it until
	 * then. The next owner reads them while the thread may still write.
	 */
	_Atomic uint64_t own_read, own_written, before_read, before_written;
	/* Of judged epochs; seldom: reads of words that the thread seldom writes. */
	uint64_t all_reads, all_writes, all_atomics, all_seldom;
	uint64_t all_bytes_read, all_bytes_written;
	struct share_site sites[RECORD_SITES];
};

struct line_record {
	struct line_record *next; /* in the list of all; constant */
	uintptr_t address;        /* constant */
	struct heap_block block;  /* of the access that has led to the record; size 0: none */
	struct spin_lock lock;
	uint32_t epoch; /* from here on under the lock */
	uint64_t false_transfers, true_transfers, epochs, accesses, common_bytes;
	uint64_t ticks, timed, calls;
	_Atomic(struct line_share *) last;   /* of the thread whose task has used the line last */
	_Atomic(struct line_share *) shares; /* a new one is released */
};

/* What a line's state says of the threads before the record. */
struct earlier_share {
	uint32_t thread;        /* 0: several */
	uint64_t read, written; /* masks of words */
	bool has_parts;         /* which bytes of the words is not known */
	bool in_tasks; /* as the access that leads to the record: of the earlier ones it is not
			  known */
	uint64_t accesses;
	uintptr_t place;
};

/* The bytes of the words of a mask. */
uint64_t bytes_of_words(uint64_t words);

/* The record of the line of an address, whose block is kept. NULL: there is no memory, or enough of
 * it has records. */
struct line_record *line_record_new(
    uintptr_t address, uint32_t epoch, const struct earlier_share *earlier);

/* For a record that no other thread has seen; NULL is allowed. */
void line_record_free(struct line_record *record);

/* The thread's access to the record's line. */
void line_record_note(
    struct noting_thread *self, struct line_record *record, const struct noted_access *access);

/* The newest record, after all epochs were judged. */
const struct line_record *line_records_all(void);

/* How many records there are, and how many there could not be. */
uint64_t line_records_count(void);
uint64_t line_records_refused(void);

#endif
