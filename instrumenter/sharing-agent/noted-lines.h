/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What is noted of each cache line. In the first place two words for each line of memory, in
 * reserved parts of the address space of which only touched pages exist: a quarter of the memory
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
 *           54..58 what line-moves.h must know of that thread's use,
 *           61: some accesses were of parts of words, so that not all bytes of the words are meant,
 *           62: no record could be had, 63: bits 0..47 are the record's address
 *   sample  bits 0..47 an instruction that used the line, 48..63 how many samples there were
 */
#ifndef SHARING_NOTED_LINES_H
#define SHARING_NOTED_LINES_H

#include "noting-thread.h"

#include "sharing-format.h"

#include <stddef.h>

enum {
	LINE_SHIFT = 6,
	WRITTEN_SHIFT = 16,
	EPOCH_SHIFT = 32,
	THREAD_SHIFT = 44,
	ADDRESS_BITS = 47,
	SAMPLE_SHIFT = 48,
	SAMPLES_IN_PAGE = 4096 / sizeof(uint64_t)
};

#define NOTED_LINES ((uintptr_t)1 << (ADDRESS_BITS - LINE_SHIFT))

#define LINE_WORDS       (UINT64_C(0xffff))
#define LINE_EPOCHS      (UINT64_C(0xfff))
#define LINE_SEVERAL     (UINT64_C(0x3ff)) /* in place of a thread: several, which only read */
#define LINE_PARTS       (UINT64_C(1) << 61)
#define LINE_DIRTY       (UINT64_C(1) << 54) /* it has written the line in earlier epochs */
#define LINE_MOVED       (UINT64_C(1) << 55) /* another thread had it before this epoch */
#define LINE_BY_SERIAL   (UINT64_C(1) << 56) /* it was in no team of several threads */
#define LINE_BY_TASK     (UINT64_C(1) << 57) /* it executed an explicit task */
#define LINE_BY_CHUNKS   (UINT64_C(1) << 58) /* ... in a loop of which it had asked for a chunk */
#define LINE_MARKS       (UINT64_C(0x7f) << 54)
#define LINE_OWNER       (~UINT64_C(0) << EPOCH_SHIFT & ~(LINE_PARTS | LINE_MARKS))
#define LINE_UNRECORDED  (UINT64_C(1) << 62)
#define LINE_HAS_RECORD  (UINT64_C(1) << 63)
#define LINE_ADDRESS     ((UINT64_C(1) << SAMPLE_SHIFT) - 1)
#define LINE_SAMPLES_END (UINT64_C(1) << 16)

/* Reserves them; false: the address space cannot be had. */
bool noted_lines_begin(void);

/* An access to memory within one line. */
struct noted_access {
	uintptr_t address;
	uint32_t size;
	bool writes;
	uintptr_t place; /* return address of the access call */
};

static inline uintptr_t noted_number(uintptr_t address)
{
	return (address & ((UINT64_C(1) << ADDRESS_BITS) - 1)) >> LINE_SHIFT;
}

static inline _Atomic uint64_t *noted_state_at(uintptr_t address)
{
	return &noted_states[noted_number(address)];
}

/*
 * Samples are written often, so that those of neighbouring lines, which different threads may use,
 * are not in one line themselves: within a page of samples the lower bits of the number come first.
 */
static inline _Atomic uint64_t *noted_sample_at(uintptr_t address)
{
	const uintptr_t number = noted_number(address), in_page = number % SAMPLES_IN_PAGE;
	const uintptr_t apart = SHARING_LINE_BYTES / sizeof *noted_states;

	return &noted_states[NOTED_LINES + number - in_page +
			     in_page % (SAMPLES_IN_PAGE / apart) * apart +
			     in_page / (SAMPLES_IN_PAGE / apart)];
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

/* A sample is due: the thread's access is one of about thirty. */
void note_sample(uintptr_t address, bool writes, uintptr_t place) FOR_PROGRAMS("sample");

/* Notes an access of any size at any address. */
void note_access(uintptr_t address, size_t size, bool writes, uintptr_t place)
    FOR_PROGRAMS("access");

/*
 * The same for an address that is a multiple of the size, a power of two up to sixteen. Nearly all
 * accesses are such, and of a line of which the thread has noted the same before.
 */
static inline void note_aligned(uintptr_t address, uint32_t size, bool writes, uintptr_t place)
{
	struct noting_thread *self = &noting_self;
	const uint64_t mask =
	    (UINT64_C(1) << (size + SHARING_WORD_BYTES - 1) / SHARING_WORD_BYTES) - 1;
	const uint64_t words =
	    mask << (address / SHARING_WORD_BYTES % 16 + (writes ? WRITTEN_SHIFT : 0)) |
	    (size % SHARING_WORD_BYTES != 0 ? LINE_PARTS : 0);

	if (self->tag != 0) {
		const uint64_t known =
		    load_relaxed(&self->states[noted_number(address)]) & (LINE_OWNER | words);
		if (known == (self->tag | words) ||
		    (!writes && known == (self->tag_of_several | words))) {
			if (--self->countdown == 0)
				note_sample(address, writes, place);
			return;
		}
	}
	note_access(address, size, writes, place);
}

/* The memory begins anew: a block is allocated or freed. What was noted of whole lines ends. */
void noted_lines_forget(uintptr_t start, size_t size);

/* Ends the epoch of all lines that exist, for near-lines.h. Not for signal handlers. */
void noted_lines_end_all(void);

#endif
