/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes bytes to a file in base64 (RFC 4648) as they come. Initially all members but `out` are
 * zero.
 */
#ifndef BASE64_H
#define BASE64_H

#include <stdint.h>
#include <stdio.h>

struct base64 {
	FILE *out;
	/* Bytes of an incomplete group of three. */
	uint32_t bits;
	int bytes;
};

void base64_put(struct base64 *base64, unsigned byte);
/* A number has seven bits per byte, lowest first; the eighth bit means that more bytes follow. */
void base64_put_number(struct base64 *base64, uint64_t number);
/* Call after the last byte. */
void base64_end(struct base64 *base64);

#endif
