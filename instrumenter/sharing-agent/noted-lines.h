/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is noted of each cache line. In the first place two words for each line of memory, in a
 * reserved part of the address space of which only touched pages exist: a quarter of the memory
 * that the program touches. They say which thread used the line last, in which epoch (between two
 * barriers of its team), and which of the line's sixteen words it read and wrote. Only when a
 * second thread uses the line in the same epoch, and one of them writes, the line gets a record
 * with the accesses of each thread (line-records.h).
 *
 * Who sees what: all words are relaxed. Two threads can note an access to one line at the same
 * time, so a first access may get lost; a state with a record is stored by one compare-and-exchange
 * that releases the record's fields, and a thread that finds it acquires them.
 *
 *   state   bits 0..15 words read, 16..31 words written, 32..43 epoch, 44..53 thread,
 *           61: some accesses were of parts of words, so that not all bytes of the words are meant,
 *           62: no record could be had, 63: bits 0..47 are the record's address
 *   sample  bits 0..47 an instruction that used the line, 48..63 how many samples there were
 */
#ifndef SHARING_NOTED_LINES_H
#define SHARING_NOTED_LINES_H

#include "noting-thread.h"

#include "sharing-format.h"

#include <stddef.h>

struct noted_line {
	_Atomic uint64_t state, sample;
};

enum {
	LINE_SHIFT = 6,
	WRITTEN_SHIFT = 16,
	EPOCH_SHIFT = 32,
	THREAD_SHIFT = 44,
	ADDRESS_BITS = 47,
	SAMPLE_SHIFT = 48
};

#define LINE_WORDS       (UINT64_C(0xffff))
#define LINE_EPOCHS      (UINT64_C(0xfff))
#define LINE_SEVERAL     (UINT64_C(0x3ff)) /* in place of a thread: several, which only read */
#define LINE_PARTS       (UINT64_C(1) << 61)
#define LINE_OWNER       (~UINT64_C(0) << EPOCH_SHIFT & ~LINE_PARTS)
#define LINE_UNRECORDED  (UINT64_C(1) << 62)
#define LINE_HAS_RECORD  (UINT64_C(1) << 63)
#define LINE_ADDRESS     ((UINT64_C(1) << SAMPLE_SHIFT) - 1)
#define LINE_SAMPLES_END (UINT64_C(1) << 16)

/* One for each line of the address space; NULL: nothing is noted. Constant after the begin. */
extern struct noted_line *noted_lines;

/* Reserves them; false: the address space cannot be had. */
bool noted_lines_begin(void);

/* An access to memory within one line. */
struct noted_access {
	uintptr_t address;
	uint32_t size;
	bool writes;
	uintptr_t place; /* return address of the access call */
};

static inline struct noted_line *noted_line_at(uintptr_t address)
{
	return &noted_lines[(address & ((UINT64_C(1) << ADDRESS_BITS) - 1)) >> LINE_SHIFT];
}

/* The words of the line that the access touches, as bits of a state. */
static inline uint64_t noted_words(uintptr_t address, uint32_t size, bool writes)
{
	const unsigned first = address / SHARING_WORD_BYTES % 16;
	const unsigned last = (address + size - 1) / SHARING_WORD_BYTES % 16;
	const uint64_t words = ((UINT64_C(2) << last) - 1) & ~((UINT64_C(1) << first) - 1);

	return words << (writes ? WRITTEN_SHIFT : 0) |
	       ((address | size) % SHARING_WORD_BYTES != 0 ? LINE_PARTS : 0);
}

/* All other cases than those below. */
void note_slowly(struct noting_thread *self, const struct noted_access *access);

/* A sample is due: the thread's access is one of about sixteen. */
void note_sample(struct noting_thread *self, struct noted_line *line, uintptr_t place);

/* The access is within one line. */
static inline void note_within_line(
    struct noting_thread *self, uintptr_t address, uint32_t size, bool writes, uintptr_t place)
{
	struct noted_line *line = noted_line_at(address);
	const uint64_t state = load_relaxed(&line->state);
	const uint64_t words = noted_words(address, size, writes);
	const uint64_t owner = state & LINE_OWNER;

	if ((owner == self->tag || (owner == self->tag_of_several && !writes)) &&
	    (state & words) == words) {
		if (--self->countdown == 0)
			note_sample(self, line, place);
		return;
	}
	note_slowly(self, &(struct noted_access){address, size, writes, place});
}

/* What every access call does. */
static inline void note_access(uintptr_t address, size_t size, bool writes, uintptr_t place)
{
	struct noting_thread *self = &noting_self;

	if (self->tag == 0 && !noting_thread_begin(self))
		return;
	while (size > 0) {
		const size_t left = SHARING_LINE_BYTES - address % SHARING_LINE_BYTES;
		const size_t now = size < left ? size : left;
		note_within_line(self, address, (uint32_t)now, writes, place);
		address += now;
		size -= now;
	}
}

/* The memory begins anew: a block is allocated or freed. What was noted of whole lines ends. */
void noted_lines_forget(uintptr_t start, size_t size);

/* Ends the epoch of all lines that exist, for near-lines.h. Not for signal handlers. */
void noted_lines_end_all(void);

#endif
