/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Constructs by their kind and the address of their code. Entries are only added, so that events
 * find theirs without a lock. If a library is unloaded, its address may later belong to another
 * construct. The old entry's module is then no longer at that address, and the new construct gets
 * an entry of its own. When the library is loaded again, the same construct continues its old
 * region.
 *
 * Who sees what:
 *   bucket   release when an entry is ready, pairs with acquire in find(): complete entries are
 *            seen, and also the entries that follow in the list, because each was in the bucket
 *            before the next
 *   data[0]  of the descriptor: written (relaxed) before the descriptor's entry is added to the
 *            bucket
 */
#include "code-table.h"

#include "pomp-atomics.h"
#include "code-module.h"
#include "lasting-memory.h"
#include "process-state.h"
#include "region.h"
#include "shared/precondition.h"

#include <string.h>

enum { BUCKETS = 1 << 13 };

struct entry {
	struct entry *next;
	const void *address;
	const struct pomp_module *module;
	uint32_t construct;
	OMPRegDescr descriptor;
};

static _Atomic(struct entry *) table[BUCKETS];

static _Atomic(struct entry *) *bucket_of(enum construct_id construct, const void *address)
{
	uint64_t key = (uint64_t)(uintptr_t)address * 64 + construct;

	return &table[key * UINT64_C(0x9e3779b97f4a7c15) >> 51];
}

_Static_assert(BUCKETS == UINT64_C(1) << (64 - 51), "as many buckets as the hash has values");

/* What is loaded at an entry's address is only checked for modules that can be unloaded. */
static struct entry *find(struct entry *entry, enum construct_id construct, const void *address)
{
	for (; entry != NULL; entry = entry->next)
		if (entry->address == address && entry->construct == construct &&
		    (likely(entry->module->stays) || pomp_module_is_at(entry->module, address)))
			break;
	return entry;
}

static bool is_same_place(const struct entry *entry, const struct entry *other)
{
	const struct pomp_module *module = entry->module, *before = other->module;

	return entry->construct == other->construct && module->path[0] != '\0' &&
	       (uintptr_t)entry->address - module->bias ==
		   (uintptr_t)other->address - before->bias &&
	       strcmp(module->path, before->path) == 0 &&
	       strcmp(module->build_id, before->build_id) == 0;
}

/*
 * Returns the region that the construct had when its library was loaded before, or 0. Process lock
 * held.
 */
static uint64_t find_earlier(const struct entry *entry)
{
	if (entry->module->stays)
		return 0;
	for (size_t i = 0; i < BUCKETS; i++)
		for (const struct entry *other = load_relaxed(&table[i]); other;
		     other = other->next)
			if (is_same_place(entry, other))
				return load_word_relaxed(&other->descriptor.data[0]);
	return 0;
}

/* Returns an address relative to the module's file; 0 if the address is not in the module. */
static uint64_t offset_in(const struct pomp_module *module, const void *address)
{
	return address != NULL && pomp_module_is_at(module, address)
		   ? (uintptr_t)address - module->bias
		   : 0;
}

static bool give_region(struct entry *entry, struct code_address where, const void *lock)
{
	CHECK(pomp_process_is_locked(), "the caller holds the process lock");

	const struct pomp_module *module = entry->module;
	struct code_place place = {
	    .module = module->path,
	    .build_id = module->build_id,
	    .offset = (uintptr_t)entry->address - module->bias,
	    .at = where.at,
	    .is_gnu = where.is_gnu && !module->shows_loops,
	    .caller = offset_in(module, where.caller),
	};
	uint64_t id = find_earlier(entry);

	if (id != 0) {
		store_word_relaxed(&entry->descriptor.data[0], id);
		return true;
	}
	return pomp_region_register_code(
		   &entry->descriptor, &place, offset_in(module, lock), lock) != NULL;
}

static struct entry *entry_new(
    enum construct_id construct, struct code_address where, const struct pomp_module *module)
{
	struct entry *entry = pomp_lasting_memory(sizeof(*entry));

	if (entry == NULL) {
		pomp_out_of_memory("a region");
		return NULL;
	}
	entry->address = where.address;
	entry->construct = construct;
	entry->module = module;
	entry->descriptor = (OMPRegDescr){
	    .name = construct_name(construct),
	    .sub_name = "",
	    .file_name = "",
	};
	return entry;
}

/*
 * Only one thread at a time adds entries, under the process lock. A thread that misses an entry
 * meanwhile comes here too, and searches again.
 */
static struct entry *add(enum construct_id construct, struct code_address where, const void *lock)
{
	_Atomic(struct entry *) *bucket = bucket_of(construct, where.address);
	const struct pomp_module *module = pomp_module_find(where.address);

	if (module == NULL)
		return NULL;
	pomp_lock_process();
	struct entry *entry = find(load_relaxed(bucket), construct, where.address);
	if (entry == NULL) {
		entry = entry_new(construct, where, module);
		if (entry != NULL && give_region(entry, where, lock)) {
			entry->next = load_relaxed(bucket);
			store_release(bucket, entry);
		} else {
			entry = NULL;
		}
	}
	pomp_unlock_process();
	return entry;
}

OMPRegDescr *pomp_code_find(
    enum construct_id construct, struct code_address where, const void *lock)
{
	struct entry *entry =
	    find(load_acquire(bucket_of(construct, where.address)), construct, where.address);

	if (unlikely(entry == NULL))
		entry = add(construct, where, lock);
	return entry != NULL ? &entry->descriptor : NULL;
}
