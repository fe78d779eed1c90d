/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Arrays by numbers: those of allocations, and behind them variables of static storage. What a
 * thread counts is in a table of its own, which stays when the thread ends.
 *
 * Who sees what: words and counts are relaxed. A word says by one compare-and-exchange who was
 * first; two allocations of one place may lose a change of each other's sizes.
 */
#include "first-touch.h"

#include "hash-mix.h"
#include "noted-lines.h"
#include "page-nodes.h"
#include "static-arrays.h"

#include <sys/mman.h>
#include <unistd.h>

enum {
	PAGE = 1 << PAGE_SHIFT,
	LEAST_BLOCK = 512, /* bytes; rows of a matrix may be smaller than a page */
	MOST_STATIC = 4096,
	MOST_ARRAYS = HEAP_MOST_ALLOCATIONS + MOST_STATIC,
	MOST_TRIES = 16,
	COUNT_ROOM = 1 << 10,
	FEWEST_PAGES = 16, /* of an array in the log */
};

struct touched_array {
	_Atomic uintptr_t start;      /* of the latest block */
	_Atomic uintptr_t first, end; /* of all blocks there were */
	const struct allocation *allocation;
	_Atomic uint64_t size, largest; /* usable bytes of all blocks, now and at most */
	_Atomic uint64_t blocks;
	_Atomic uint64_t placed, remote; /* uses whose page's node is known, and not the thread's */
};

/* Of one thread; only that writes, except `pages` of memory that ends. */
struct touch_thread {
	struct touch_thread *next; /* in the list of all; constant */
	uint32_t number;
	_Atomic int32_t member;  /* in the team that it was in first; -1: none */
	_Atomic int32_t node;    /* where it was in its latest epoch, or -1 */
	uint32_t epoch;          /* of the node */
	_Atomic uint32_t *pages; /* on several nodes: accesses to each page; else NULL */
	struct touch_count counts[COUNT_ROOM];
};

_Atomic uint64_t *page_words;

/* Written when an array's memory begins and ends. */
static struct touched_array arrays[MOST_ARRAYS];
static _Atomic(struct touch_thread *) newest;
static unsigned static_count, node_count = 1;
static size_t largest_array; /* of what has more than all memory only parts can be touched */

static void *reserve(size_t size)
{
	void *memory = mmap(
	    NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (memory == MAP_FAILED)
		return NULL;
	madvise(memory, size, MADV_DONTDUMP);
	madvise(memory, size, MADV_NOHUGEPAGE);
	return memory;
}

static uint32_t array_of(uint64_t word)
{
	return (uint32_t)((word & PAGE_ARRAY) >> PAGE_ARRAY_SHIFT);
}

/* The pages that are within the memory; false: there is none. */
static bool whole_pages(uintptr_t start, size_t size, uintptr_t *first, uintptr_t *end)
{
	*first = (start + PAGE - 1) & -(uintptr_t)PAGE;
	*end = (start + size) & -(uintptr_t)PAGE;
	return *first < *end;
}

/* A page that is partly the block's becomes the array's if no other has it, or if it is half. */
static void begin_part(uintptr_t from, uintptr_t to, uint64_t fresh)
{
	_Atomic uint64_t *word = page_word_at(from);
	const uint64_t had = load_relaxed(word);

	if (from >= to || (had & PAGE_ARRAY) == fresh || (had != 0 && to - from < PAGE / 2))
		return;
	store_relaxed(word, fresh);
}

static void begin_pages(uintptr_t start, size_t size, uint32_t number)
{
	const uint64_t fresh = (uint64_t)number << PAGE_ARRAY_SHIFT;
	uintptr_t first, end;

	if (!whole_pages(start, size, &first, &end)) {
		const uintptr_t border = (start + PAGE) & -(uintptr_t)PAGE;
		const uintptr_t to = start + size;
		begin_part(start, to < border ? to : border, fresh);
		begin_part(border, to, fresh);
		return;
	}
	begin_part(start, first, fresh);
	for (uintptr_t page = first; page < end; page += PAGE)
		store_relaxed(page_word_at(page), fresh);
	begin_part(end, start + size, fresh);
}

/* The array has so many bytes more. */
static void grow(struct touched_array *array, uintptr_t start, size_t size)
{
	const uint64_t all = add_relaxed(&array->size, size) + size;

	store_relaxed(&array->start, start);
	if (add_relaxed(&array->blocks, 1) == 0 || start < load_relaxed(&array->first))
		store_relaxed(&array->first, start);
	if (start + size > load_relaxed(&array->end))
		store_relaxed(&array->end, start + size);
	if (all > load_relaxed(&array->largest))
		store_relaxed(&array->largest, all);
}

void first_touch_block_begin(uintptr_t start, size_t size, const struct allocation *allocation)
{
	if (page_words == NULL || allocation == NULL || size < LEAST_BLOCK || size > largest_array)
		return;
	struct touched_array *array = &arrays[allocation->number];
	array->allocation = allocation;
	grow(array, start, size);
	begin_pages(start, size, allocation->number);
}

static void begin_static(uintptr_t start, size_t size)
{
	if (static_count == MOST_STATIC)
		return;
	const uint32_t number = HEAP_MOST_ALLOCATIONS + static_count++;
	grow(&arrays[number], start, size);
	begin_pages(start, size, number);
}

/* Adds up what threads have used of some pages, whose nodes are known as long as they exist. */
static void place_pages(uintptr_t first, size_t count)
{
	int nodes[PAGE_NODES_AT_ONCE];

	page_nodes_of(first, count, nodes);
	for (struct touch_thread *thread = load_acquire(&newest); thread != NULL;
	     thread = thread->next) {
		const int32_t here = load_relaxed(&thread->node);
		for (size_t i = 0; thread->pages != NULL && i < count; i++) {
			const uintptr_t page = (first >> PAGE_SHIFT) + i;
			const uint32_t uses = load_relaxed(&thread->pages[page]);
			const uint32_t number =
			    array_of(load_relaxed(page_word_at(page << PAGE_SHIFT)));
			if (uses == 0)
				continue;
			store_relaxed(&thread->pages[page], 0);
			if (nodes[i] < 0 || here < 0 || number == 0)
				continue;
			add_relaxed(&arrays[number].placed, uses);
			if (nodes[i] != here)
				add_relaxed(&arrays[number].remote, uses);
		}
	}
}

static void place_memory(uintptr_t start, size_t size)
{
	const uintptr_t end = start + size;

	if (node_count < 2)
		return;
	for (uintptr_t at = start & -(uintptr_t)PAGE; at < end;
	     at += (uintptr_t)PAGE_NODES_AT_ONCE * PAGE) {
		const size_t rest = (end - at + PAGE - 1) / PAGE;
		place_pages(at, rest < PAGE_NODES_AT_ONCE ? rest : PAGE_NODES_AT_ONCE);
	}
}

void first_touch_block_end(uintptr_t start, size_t size)
{
	uintptr_t first, end;

	if (page_words == NULL || size < LEAST_BLOCK)
		return;
	const uint32_t number = array_of(load_relaxed(page_word_at(start + size / 2)));
	if (number == 0)
		return;
	struct touched_array *array = &arrays[number];
	const uint64_t had = load_relaxed(&array->size);
	store_relaxed(&array->size, had > size ? had - size : 0);
	if (!whole_pages(start, size, &first, &end))
		return;
	place_memory(first, end - first);
	for (uintptr_t page = first; page < end; page += PAGE)
		store_relaxed(page_word_at(page), 0);
}

/* The thread's table; NULL: there is no memory. */
static struct touch_thread *table_of(struct noting_thread *self)
{
	struct touch_thread *table = self->touches;

	if (table == NULL) {
		table = reserve(sizeof *table);
		if (table == NULL)
			return NULL;
		table->number = self->number;
		store_relaxed(&table->member, -1);
		store_relaxed(&table->node, -1);
		if (node_count > 1)
			table->pages =
			    reserve(sizeof *table->pages << (PAGE_SPACE_BITS - PAGE_SHIFT));
		self->touches = table;
		table->next = load_relaxed(&newest);
		while (!exchange_if_release(&newest, &table->next, table))
			;
	}
	if (self->member >= 0 && load_relaxed(&table->member) < 0)
		store_relaxed(&table->member, self->member);
	return table;
}

/* Counts in the item of the place; without a free one it is left out. */
static void count(struct noting_thread *self, struct touch_thread *table,
    const struct touch_count *what, uint64_t weight)
{
	const uint64_t hash = hash_mix(hash_mix(what->array, what->place), what->kind);

	for (unsigned i = 0; i < MOST_TRIES; i++) {
		struct touch_count *item = &table->counts[(hash + i) % COUNT_ROOM];
		const uint64_t had = load_relaxed(&item->count);
		if (had == 0) {
			item->kind = what->kind;
			item->array = what->array;
			item->place = what->place;
			item->writes = what->writes;
			noting_callers(self, item->callers, TOUCH_CALLERS);
		} else if (item->place != what->place || item->array != what->array ||
			   item->kind != what->kind) {
			continue;
		}
		store_release(&item->count, had + weight);
		return;
	}
}

static uint64_t place_bits(uintptr_t place)
{
	return hash_mix(1, place) << PAGE_PLACE_SHIFT & PAGE_PLACE;
}

void first_touch_page(struct noting_thread *self, uintptr_t address, uintptr_t place)
{
	_Atomic uint64_t *word = page_word_at(address);
	uint64_t had = load_relaxed(word);
	const uint64_t own = (self->tag >> THREAD_SHIFT & PAGE_TOUCHER) | place_bits(place) |
			     (uint64_t)self->epoch << PAGE_EPOCH_SHIFT;

	while (had != 0 && (had & PAGE_TOUCHER) == 0)
		if (exchange_if_release(word, &had, (had & PAGE_ARRAY) | own)) {
			struct touch_thread *table = table_of(self);
			if (table != NULL)
				count(self, table,
				    &(struct touch_count){
					.kind = self->member < 0 ? TOUCH_SERIAL : TOUCH_IN_TEAM,
					.array = array_of(had),
					.place = place,
					.writes = true},
				    1);
			return;
		}
}

void first_touch_begin(bool is_asked)
{
	const long pages = sysconf(_SC_PHYS_PAGES);

	largest_array = pages > 0 ? (size_t)pages * (size_t)sysconf(_SC_PAGESIZE) : SIZE_MAX;
	node_count = page_nodes_count();
	if (!is_asked && node_count == 1)
		return;
	page_words = reserve(sizeof *page_words << (PAGE_SPACE_BITS - PAGE_SHIFT));
	if (page_words == NULL)
		return;
	static_arrays_find(PAGE, begin_static);
}

static void count_on_page(
    const struct noting_thread *self, struct touch_thread *table, uintptr_t address)
{
	_Atomic uint32_t *page = &table->pages[address >> PAGE_SHIFT];

	if (table->epoch != self->epoch || load_relaxed(&table->node) < 0) {
		table->epoch = self->epoch;
		store_relaxed(&table->node, page_nodes_here());
	}
	store_relaxed(page, load_relaxed(page) + self->period);
}

/* What a thread does in the epoch of its first touch is the initialization, and no use. */
void first_touch_count(struct noting_thread *self, uint64_t word, const struct touch_access *access)
{
	const bool is_early =
	    ((word ^ (uint64_t)self->epoch << PAGE_EPOCH_SHIFT) & PAGE_EPOCH) == 0;

	if (is_early &&
	    (!self->is_in_task || ((word ^ place_bits(access->place)) & PAGE_PLACE) == 0))
		return;
	struct touch_thread *table = table_of(self);
	if (table == NULL)
		return;
	const bool is_own = (word & PAGE_TOUCHER) == (self->tag >> THREAD_SHIFT & PAGE_TOUCHER);
	count(self, table,
	    &(struct touch_count){.kind = (is_own ? TOUCH_OWN : TOUCH_OTHERS) + access->is_shared,
		.array = array_of(word),
		.place = access->place,
		.writes = access->writes},
	    self->period);
	if (table->pages != NULL)
		count_on_page(self, table, access->address);
}

static void put_counts(
    const struct touch_log *log, const struct touch_thread *thread, uint32_t array)
{
	static const char *const kinds[] = {[TOUCH_SERIAL] = "serial",
	    [TOUCH_IN_TEAM] = "team",
	    [TOUCH_OWN] = "own",
	    [TOUCH_OWN_SHARED] = "own-shared",
	    [TOUCH_OTHERS] = "others",
	    [TOUCH_OTHERS_SHARED] = "others-shared"};
	bool has_head = false;

	for (const struct touch_count *item = thread->counts; item < thread->counts + COUNT_ROOM;
	     item++) {
		const uint64_t counted = load_acquire(&item->count);
		if (counted == 0 || item->array != array)
			continue;
		if (!has_head)
			log->put(SHARING_SHARE "\t%u\t%d\t0\t0\t0\t0\n", thread->number,
			    load_relaxed(&thread->member));
		has_head = true;
		log->put(SHARING_PAGES "\t%s\t%lu\t%d", kinds[item->kind], counted, item->writes);
		log->put_place(item->place);
		for (unsigned i = 0; i < TOUCH_CALLERS && item->callers[i] != 0; i++) {
			log->put(SHARING_CALLER);
			log->put_place(item->callers[i]);
		}
	}
}

static void put_array(const struct touch_log *log, uint32_t number)
{
	struct touched_array *array = &arrays[number];
	const uintptr_t start = load_relaxed(&array->start), first = load_relaxed(&array->first);
	const struct heap_block block = {start, load_relaxed(&array->largest), array->allocation};
	const size_t range = load_relaxed(&array->end) - first;

	/* Those that are far apart are too many pages to ask for. */
	if (range < largest_array)
		place_memory(first, range);
	log->put(SHARING_ARRAY "\t%lu\t%lu\t%u\t%lu\t%lu", load_relaxed(&array->blocks), block.size,
	    node_count, load_relaxed(&array->placed), load_relaxed(&array->remote));
	log->put_object(start, &block);
	for (const struct touch_thread *thread = load_acquire(&newest); thread != NULL;
	     thread = thread->next)
		put_counts(log, thread, number);
	log->put(SHARING_END "\n");
}

void first_touch_put(const struct touch_log *log)
{
	static uint64_t pages[MOST_ARRAYS];

	for (const struct touch_thread *thread = load_acquire(&newest); thread != NULL;
	     thread = thread->next)
		for (size_t i = 0; i < COUNT_ROOM; i++) {
			const struct touch_count *item = &thread->counts[i];
			const uint64_t counted = load_acquire(&item->count);
			if (counted != 0 &&
			    (item->kind == TOUCH_SERIAL || item->kind == TOUCH_IN_TEAM))
				pages[item->array] += counted;
		}
	for (uint32_t number = 1; number < MOST_ARRAYS; number++)
		if (pages[number] >= FEWEST_PAGES)
			put_array(log, number);
}
