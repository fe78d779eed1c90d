/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Implements anchor-file.h. An anchor file is the order of bytes, a name, a version, fields of
 * fixed sizes, three texts, a number of properties, each a name and a value, and counts. Versions
 * newer than the known one may have more behind that.
 */
#include "anchor-file.h"

#include <errno.h>
#include <otf2/otf2.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "memory.h"
#include "shared/text-hash.h"
#include "whole-file.h"

enum {
	VERSION_PROPERTIES = 2, /* the first one with properties and an identifier */
	VERSION_SNAPSHOTS = 3,  /* the first one with counts of snapshots; known, too */
	VERSION_BYTES = 4,      /* of the format and of the library that wrote the archive */
	TEXTS = 3,              /* machine, creator, description */
	END_OF_FILE = 2,
	COMPRESSION_ZLIB = 2, /* of versions before 3.0, whose headers alone name it */
	FIRST_BYTE = 3,
	LITTLE_ENDIAN_MARK = 'B', /* the second byte */
	BIG_ENDIAN_MARK = '#',
};

struct anchor {
	const char *at, *end;
	bool is_big_endian;
};

static const char ends_early[] = "it ends early";
static const char is_damaged[] = "its bytes are not those of an anchor file";

static bool has(const struct anchor *anchor, size_t count)
{
	return (size_t)(anchor->end - anchor->at) >= count;
}

static bool take_text(struct anchor *anchor)
{
	const char *end = memchr(anchor->at, '\0', (size_t)(anchor->end - anchor->at));

	if (!end)
		return false;
	anchor->at = end + 1;
	return true;
}

/* The number in the next bytes, of which there are that many. */
static uint64_t take_number(struct anchor *anchor, size_t count)
{
	uint64_t number = 0;

	for (size_t i = 0; i < count; i++)
		number |= (uint64_t)(unsigned char)anchor->at[i]
			  << 8 * (anchor->is_big_endian ? count - 1 - i : i);
	anchor->at += count;
	return number;
}

static bool is_chunk(uint64_t bytes)
{
	return bytes >= OTF2_CHUNK_SIZE_MIN && bytes <= OTF2_CHUNK_SIZE_MAX;
}

/* The fields of fixed sizes, and the texts. */
static const char *head_trouble(struct anchor *anchor)
{
	uint64_t events, definitions;
	unsigned storage, compression;

	if (!has(anchor, VERSION_BYTES + 4 * sizeof(uint64_t) + 2))
		return ends_early;
	anchor->at += VERSION_BYTES;
	events = take_number(anchor, sizeof(uint64_t));
	definitions = take_number(anchor, sizeof(uint64_t));
	if (!is_chunk(events) || !is_chunk(definitions))
		return is_damaged;
	storage = (unsigned char)*anchor->at++;
	compression = (unsigned char)*anchor->at++;
	if (storage < OTF2_SUBSTRATE_POSIX || storage > OTF2_SUBSTRATE_NONE ||
	    compression < OTF2_COMPRESSION_NONE || compression > COMPRESSION_ZLIB)
		return is_damaged;
	anchor->at += 2 * sizeof(uint64_t); /* two counts */
	for (int i = 0; i < TEXTS; i++) {
		if (!take_text(anchor))
			return ends_early;
	}
	return NULL;
}

static bool is_of_names(char c)
{
	return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
	       c == '_';
}

/* Whether a property can be called that: words of letters, digits and _ with :: between them. */
static bool is_name(const char *text)
{
	int words = 0;

	for (;;) {
		size_t length = 0;

		while (is_of_names(text[length]))
			length++;
		words++;
		if (length == 0)
			return false;
		text += length;
		if (!*text)
			return words > 1;
		if (text[0] != ':' || text[1] != ':')
			return false;
		text += 2;
	}
}

/* Equal for names that differ only in their case, as the library takes them. */
static uint64_t hash_of(const char *name)
{
	uint64_t hash = TEXT_HASH_START;

	for (; *name; name++)
		hash = text_hash_byte(hash,
		    (unsigned char)(*name >= 'a' && *name <= 'z' ? *name - 'a' + 'A' : *name));
	return hash;
}

/* A property's name and value; `names` are those before it. */
static const char *property_trouble(struct anchor *anchor, struct map *names)
{
	const char *name = anchor->at;
	uint64_t hash;

	if (!take_text(anchor))
		return ends_early;
	hash = hash_of(name);
	if (!is_name(name) || map_find(names, hash) != MAP_NONE)
		return is_damaged;
	memory_map_set(names, hash, 0);
	return take_text(anchor) ? NULL : ends_early;
}

static const char *properties_trouble(struct anchor *anchor)
{
	const char *trouble = NULL;
	struct map names = {0};
	uint64_t count;

	if (!has(anchor, sizeof(uint32_t)))
		return ends_early;
	count = take_number(anchor, sizeof(uint32_t));
	for (uint64_t i = 0; i < count && !trouble; i++)
		trouble = property_trouble(anchor, &names);
	map_free(&names);
	if (trouble)
		return trouble;
	if (!has(anchor, sizeof(uint64_t)))
		return ends_early;
	anchor->at += sizeof(uint64_t); /* the identifier */
	return NULL;
}

static const char *trouble_of(struct anchor *anchor)
{
	const char *name, *trouble;
	unsigned version;

	if (!has(anchor, 2))
		return ends_early;
	if (anchor->at[0] != FIRST_BYTE ||
	    (anchor->at[1] != LITTLE_ENDIAN_MARK && anchor->at[1] != BIG_ENDIAN_MARK))
		return is_damaged;
	anchor->is_big_endian = anchor->at[1] == BIG_ENDIAN_MARK;
	anchor->at += 2;
	name = anchor->at;
	if (!take_text(anchor) || strcmp(name, "OTF2") != 0)
		return is_damaged;
	if (!has(anchor, 1))
		return ends_early;
	version = (unsigned char)*anchor->at++;
	if (version == 0)
		return is_damaged;
	trouble = head_trouble(anchor);
	if (!trouble && version >= VERSION_PROPERTIES)
		trouble = properties_trouble(anchor);
	if (trouble || version < VERSION_SNAPSHOTS)
		return trouble;
	if (!has(anchor, 2 * sizeof(uint32_t)))
		return ends_early;
	anchor->at += 2 * sizeof(uint32_t);
	if (version > VERSION_SNAPSHOTS)
		return NULL;
	if (!has(anchor, 1))
		return ends_early;
	return *anchor->at == END_OF_FILE ? NULL : is_damaged;
}

const char *anchor_file_trouble(const char *path)
{
	size_t length;
	char *bytes = whole_file_read(path, &length);
	struct anchor anchor = {bytes, bytes + length, false};
	const char *trouble;

	if (!bytes)
		return errno == EINVAL ? "it is no regular file, or larger than 16 MiB"
				       : strerror(errno);
	trouble = trouble_of(&anchor);
	free(bytes);
	return trouble;
}
