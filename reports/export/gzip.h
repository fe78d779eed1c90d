/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Writes bytes as a gzip file (RFC 1952) whose blocks are stored (RFC 1951, 3.2.4): for formats
 * that demand gzip, without a library for what is small anyway.
 */
#ifndef GZIP_H
#define GZIP_H

#include <stddef.h>
#include <stdio.h>

void gzip_write(FILE *out, const unsigned char *bytes, size_t size);

#endif
