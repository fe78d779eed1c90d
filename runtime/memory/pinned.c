/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A buddy allocator: a shared page is halved until a piece fits closely, and free halves are joined
 * again. Its first unit, one sixty-fourth, contains the notes on the rest and is never given away.
 * One lock protects all; pinning memory takes the system far longer.
 */
#include "pinned.h"
#include "shared/precondition.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

/*
 * Level 0 is the page, level 6 a unit. Nodes are numbered as in a heap: the page is 1, its halves
 * are 2 and 3.
 */
enum { UNIT_LEVEL = 6, UNITS = 1 << UNIT_LEVEL, SMALLEST_PAGE = 4096 };

struct page {
	struct page *previous, *next;
	uint64_t is_free[2]; /* a bit for each node; not set for nodes inside a free or used one */
	unsigned pieces;     /* in use */
};
_Static_assert(sizeof(((struct page *)NULL)->is_free) * 8 == 2 * UNITS, "a bit for each node");
_Static_assert(sizeof(struct page) <= SMALLEST_PAGE / UNITS, "the notes fit into a unit");

/*
 * A fork takes the lock, so that the child finds all data in order. The child's memory is not
 * locked.
 */
static struct {
	pthread_mutex_t lock;
	struct page *pages;
	bool follows_forks;
} pinned = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void lock_pages(void)
{
	pthread_mutex_lock(&pinned.lock);
}

static void unlock_pages(void)
{
	pthread_mutex_unlock(&pinned.lock);
}

static void *map_locked(size_t bytes)
{
	void *base = mmap(
	    NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_LOCKED, -1, 0);

	if (base == MAP_FAILED)
		return NULL;
	if (mlock(base, bytes) != 0) { /* MAP_LOCKED alone does not report a failure */
		munmap(base, bytes);
		return NULL;
	}
	return base;
}

static size_t page_bytes(void)
{
	return (size_t)sysconf(_SC_PAGESIZE);
}

static bool is_shared(size_t bytes)
{
	return bytes <= page_bytes() / 2;
}

/* The deepest level whose nodes have `bytes` bytes, which are at most half a page. */
static unsigned level_for(size_t bytes)
{
	unsigned level = UNIT_LEVEL;

	while (page_bytes() >> level < bytes)
		level--;
	return level;
}

static bool is_free(const struct page *page, unsigned node)
{
	return page->is_free[node / 64] >> node % 64 & 1;
}

static void mark(struct page *page, unsigned node, bool free)
{
	uint64_t bit = UINT64_C(1) << node % 64;

	if (free)
		page->is_free[node / 64] |= bit;
	else
		page->is_free[node / 64] &= ~bit;
}

/* The free nodes of a level as bits; the lowest bit is the first node. */
static uint64_t free_nodes(const struct page *page, unsigned level)
{
	if (level == UNIT_LEVEL)
		return page->is_free[1];
	return page->is_free[0] >> (1U << level) & ((UINT64_C(1) << (1U << level)) - 1);
}

/*
 * A free node of the level or, if there is none, of the deepest level above it; 0: there is none at
 * all.
 */
static unsigned find_node(const struct page *page, unsigned level)
{
	for (; level > 0; level--) {
		uint64_t nodes = free_nodes(page, level);
		if (nodes != 0)
			return (1U << level) + (unsigned)__builtin_ctzll(nodes);
	}
	return 0;
}

/* The list contains the pages that are not full. */
static void link_page(struct page *page)
{
	page->previous = NULL;
	page->next = pinned.pages;
	if (page->next != NULL)
		page->next->previous = page;
	pinned.pages = page;
}

static void unlink_page(const struct page *page)
{
	*(page->previous != NULL ? &page->previous->next : &pinned.pages) = page->next;
	if (page->next != NULL)
		page->next->previous = page->previous;
}

static bool is_full(const struct page *page)
{
	return (page->is_free[0] | page->is_free[1]) == 0;
}

static struct page *new_page(void)
{
	struct page *page = map_locked(page_bytes());

	if (page == NULL)
		return NULL;
	/* Frees the right halves on the way down to the first unit, which stays in use. */
	for (unsigned level = 1; level <= UNIT_LEVEL; level++)
		mark(page, (1U << level) + 1, true);
	link_page(page);
	return page;
}

static void *take_shared(size_t bytes)
{
	unsigned level = level_for(bytes), node = 0;
	struct page *page = pinned.pages;

	while (page != NULL && (node = find_node(page, level)) == 0)
		page = page->next;
	if (page == NULL && (page = new_page()) != NULL)
		node = find_node(page, level);
	if (page == NULL)
		return NULL;
	mark(page, node, false);
	while (node < 1U << level) {
		node *= 2;
		mark(page, node + 1, true);
	}
	page->pieces++;
	if (is_full(page))
		unlink_page(page);
	return (char *)page + (node - (1U << level)) * (page_bytes() >> level);
}

static void give_shared(void *memory, size_t bytes)
{
	size_t offset = (uintptr_t)memory % page_bytes();
	struct page *page = (struct page *)((char *)memory - offset);
	unsigned level = level_for(bytes);
	unsigned node = (1U << level) + (unsigned)(offset / (page_bytes() >> level));

	CHECK(page->pieces > 0, "the piece is in use");
	if (is_full(page))
		link_page(page);
	if (--page->pieces == 0) {
		unlink_page(page);
		munmap(page, page_bytes());
		return;
	}
	for (; is_free(page, node ^ 1); node /= 2)
		mark(page, node ^ 1, false);
	mark(page, node, true);
}

void *rt_pinned_take(size_t bytes)
{
	if (!is_shared(bytes))
		return map_locked(bytes);
	lock_pages();
	if (!pinned.follows_forks)
		pthread_atfork(lock_pages, unlock_pages, unlock_pages);
	pinned.follows_forks = true;
	void *memory = take_shared(bytes);
	unlock_pages();
	return memory;
}

void rt_pinned_give(void *memory, size_t bytes)
{
	CHECK(memory != NULL, "there is memory");
	if (!is_shared(bytes)) {
		munmap(memory, bytes);
		return;
	}
	lock_pages();
	give_shared(memory, bytes);
	unlock_pages();
}
