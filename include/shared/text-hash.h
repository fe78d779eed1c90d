/* SPDX-License-Identifier: BSD-3-Clause */
/* FNV-1a, for tables that are looked up by name. */
#ifndef SHARED_TEXT_HASH_H
#define SHARED_TEXT_HASH_H

#include <stdint.h>

#define TEXT_HASH_START UINT64_C(0xcbf29ce484222325)

/* One step of the hash, from the offset basis or from the hash of the preceding bytes. */
static inline uint64_t text_hash_byte(uint64_t hash, unsigned char byte)
{
	return (hash ^ byte) * UINT64_C(0x100000001b3);
}

/* Continues from `hash`, so a key may consist of several texts. */
static inline uint64_t text_hash(uint64_t hash, const char *text)
{
	for (; *text != '\0'; text++)
		hash = text_hash_byte(hash, (unsigned char)*text);
	return hash;
}

#endif
