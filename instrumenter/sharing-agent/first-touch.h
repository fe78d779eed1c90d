/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which thread touches each page of an array first, and which threads use it later: the system puts
 * a page where it is first touched. An array is a variable of static storage, or what one place
 * allocates; smaller ones than some hundred bytes are left out.
 *
 * Each page of memory has a word in a reserved part of the address space, of which only those of
 * arrays exist: a five-hundredth of these. It is set when an array begins, once more by one
 * compare-and-exchange at the first access to the page, and not written again before the memory
 * begins anew. Uses are samples of the accesses in later epochs; each thread counts its own.
 *
 *   word  bits 0..9 the thread's tag number (0: not touched), 10..25 the array (0: none),
 *         26..39 hash of the place of the first access, 40..63 its epoch
 */
#ifndef SHARING_FIRST_TOUCH_H
#define SHARING_FIRST_TOUCH_H

#include "heap-blocks.h"

enum {
	PAGE_SHIFT = 12,
	PAGE_SPACE_BITS = 47,
	PAGE_ARRAY_SHIFT = 10,
	PAGE_PLACE_SHIFT = 26,
	PAGE_EPOCH_SHIFT = 40,
	TOUCH_CALLERS = 4,
};

#define PAGE_TOUCHER (UINT64_C(0x3ff))
#define PAGE_ARRAY   (UINT64_C(0xffff) << PAGE_ARRAY_SHIFT)
#define PAGE_PLACE   (UINT64_C(0x3fff) << PAGE_PLACE_SHIFT)
#define PAGE_EPOCH   (~UINT64_C(0) << PAGE_EPOCH_SHIFT)

/* What is counted of a thread, an array and an instruction. */
enum touch_kind {
	TOUCH_NONE,
	TOUCH_SERIAL,  /* pages touched first, outside of regions */
	TOUCH_IN_TEAM, /* pages touched first in a region */
	/* Accesses to pages that the thread has touched first, and to those that another one has;
	 * shared: to lines that another thread uses, too, or has used in the epoch. */
	TOUCH_OWN,
	TOUCH_OWN_SHARED,
	TOUCH_OTHERS,
	TOUCH_OTHERS_SHARED,
};

/* Only its thread writes; `count` is read when the program ends. */
struct touch_count {
	enum touch_kind kind; /* stored before the count */
	uint32_t array;
	uintptr_t place;
	bool writes;
	uintptr_t callers[TOUCH_CALLERS]; /* of the function, at the first of them */
	_Atomic uint64_t count;           /* 0: the item is free */
};

/* An access that is a sample. */
struct touch_access {
	uintptr_t address, place;
	bool writes, is_shared;
};

/* One word for each page; NULL: nothing is noted of pages. Constant after the begin. */
extern _Atomic uint64_t *page_words;

/*
 * Begins to note who touches pages, if the user has asked for it or if memory has several nodes.
 * Behind loaded_files_read().
 */
void first_touch_begin(bool is_asked);

/* An array's memory begins anew, or ends: of `size` usable bytes. */
void first_touch_block_begin(uintptr_t start, size_t size, const struct allocation *allocation);
void first_touch_block_end(uintptr_t start, size_t size);

/* The rest of the two below. */
void first_touch_page(struct noting_thread *self, uintptr_t address, uintptr_t place);
void first_touch_count(
    struct noting_thread *self, uint64_t word, const struct touch_access *access);

static inline _Atomic uint64_t *page_word_at(uintptr_t address)
{
	return &page_words[(address & ((UINT64_C(1) << PAGE_SPACE_BITS) - 1)) >> PAGE_SHIFT];
}

/* The first access to a line: it may be the first to its page. */
static inline void first_touch_line(struct noting_thread *self, uintptr_t address, uintptr_t place)
{
	if (page_words == NULL)
		return;
	const uint64_t word = load_relaxed(page_word_at(address));
	if (word != 0 && (word & PAGE_TOUCHER) == 0)
		first_touch_page(self, address, place);
}

/* The thread's access is a sample, which stands for those of its period. */
static inline void first_touch_use(struct noting_thread *self, const struct touch_access *access)
{
	if (page_words == NULL)
		return;
	const uint64_t word = load_relaxed(page_word_at(access->address));
	if ((word & PAGE_TOUCHER) != 0)
		first_touch_count(self, word, access);
}

/* For the log: text by put(), and OFFSET and MODULE of an address by put_place(). */
struct touch_log {
	void (*put)(const char *format, ...) __attribute__((format(printf, 1, 2)));
	void (*put_place)(uintptr_t address);
	void (*put_object)(uintptr_t address, const struct heap_block *block);
};

/* Puts the arrays of several pages that were touched. */
void first_touch_put(const struct touch_log *log);

#endif
