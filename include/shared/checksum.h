/* SPDX-License-Identifier: BSD-3-Clause */
/* CRC-32 of IEEE 802.3, as in gzip (RFC 1952) and .gnu_debuglink. */
#ifndef SHARED_CHECKSUM_H
#define SHARED_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

static inline uint32_t checksum_crc32(const unsigned char *bytes, size_t size)
{
	uint32_t sum = UINT32_MAX, table[256];

	for (uint32_t i = 0; i < 256; i++) {
		table[i] = i;
		for (int bit = 0; bit < 8; bit++)
			table[i] = table[i] >> 1 ^ (table[i] & 1 ? UINT32_C(0xedb88320) : 0);
	}
	for (size_t i = 0; i < size; i++)
		sum = table[(sum ^ bytes[i]) & 0xff] ^ sum >> 8;
	return ~sum;
}

#endif
