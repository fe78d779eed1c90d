/* SPDX-License-Identifier: BSD-3-Clause */
/* Bytes in base64 (RFC 4648), written to a file as they come. All zero but `out` is a beginning. */
#ifndef BASE64_H
#define BASE64_H

#include <stdint.h>
#include <stdio.h>

struct base64 {
	FILE *out;
	/* Bytes that are no whole group of three yet. */
	uint32_t bits;
	int bytes;
};

void base64_put(struct base64 *base64, unsigned byte);
/* A number, seven bits a byte from the lowest, the eighth saying that more follow. */
void base64_put_number(struct base64 *base64, uint64_t number);
/* After the last byte. */
void base64_end(struct base64 *base64);

#endif
