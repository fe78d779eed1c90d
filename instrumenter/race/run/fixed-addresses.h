/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of programs where ThreadSanitizer expects it. */
#ifndef RACE_FIXED_ADDRESSES_H
#define RACE_FIXED_ADDRESSES_H

#include <stdbool.h>

/*
 * In programs that this process starts from now on, libraries are laid out as without
 * randomization; false where that is not allowed.
 */
bool fixed_addresses_set(void);

/* The same where the system randomizes more than ThreadSanitizer can do with. */
void fixed_addresses_set_if_needed(void);

#endif
