/* SPDX-License-Identifier: BSD-3-Clause */
/* A hash table of texts from which nothing is ever removed. */
#include "python-names.h"

#include "pomp-atomics.h"

#include "shared/text-hash.h"

#include <string.h>
#include <sys/mman.h>

enum {
	ENTRY_IS_WRITTEN = 1,
	MOST_PROBES = 64,
};

struct entry {
	_Atomic uint64_t hash; /* 0: empty */
	struct pomp_python_text text;
};

static struct entry *entries; /* written before the first handler */

bool pomp_python_names_prepare(void)
{
	void *memory = mmap(NULL, POMP_PYTHON_FUNCTIONS * sizeof(*entries), PROT_READ | PROT_WRITE,
	    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (memory == MAP_FAILED)
		return false;
	entries = memory;
	return true;
}

static bool is_equal(const char *one, const char *other)
{
	for (; *one == *other; one++, other++)
		if (*one == '\0')
			return true;
	return false;
}

/* Copies with the NUL; a handler calls no function of the C library. */
static void copy(char *to, const char *from)
{
	while ((*to++ = *from++) != '\0')
		;
}

uint32_t pomp_python_number(const struct pomp_python_text *text)
{
	uint64_t hash = text_hash(text_hash(TEXT_HASH_START, text->function), text->file) | 2;

	for (uint32_t i = 0; i < MOST_PROBES; i++) {
		uint32_t at = (uint32_t)((hash >> 8) + i) % POMP_PYTHON_FUNCTIONS;
		struct entry *entry = &entries[at];
		uint64_t found = load_acquire(&entry->hash);
		if (found == 0 && replace_once(&entry->hash, &found, ENTRY_IS_WRITTEN)) {
			copy(entry->text.function, text->function);
			copy(entry->text.file, text->file);
			store_release(&entry->hash, hash);
			return at + 1;
		}
		if (found == hash && is_equal(entry->text.function, text->function) &&
		    is_equal(entry->text.file, text->file))
			return at + 1;
	}
	return 0;
}

const struct pomp_python_text *pomp_python_text(uint32_t number)
{
	static const struct pomp_python_text unknown = {.function = "Python"};

	if (entries == NULL || number == 0 || number > POMP_PYTHON_FUNCTIONS ||
	    load_acquire(&entries[number - 1].hash) <= ENTRY_IS_WRITTEN)
		return &unknown;
	return &entries[number - 1].text;
}
