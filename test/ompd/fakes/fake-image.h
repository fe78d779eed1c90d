/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of a target, and its layout: what the scene is made with. */
#ifndef FAKE_IMAGE_H
#define FAKE_IMAGE_H

#include "fake-target.h"

enum { RECORD_BYTES = 2048 }; /* of every structure */

/* Gives each structure and member its place, for the target's shape. Before anything else. */
void fake_lay_out(struct fake_target *target);

/* So many bytes of the image, all zero; their address. */
uint64_t fake_take(struct fake_target *target, uint64_t bytes);

/* The number at an address, in the target's byte order. */
void fake_store(struct fake_target *target, uint64_t address, uint64_t value, uint32_t width);

/* The address of a member of a record. */
uint64_t fake_member(uint64_t record, const char *field);

/* The exported table, when all roots are there. */
void fake_store_table(struct fake_target *target);

#endif
