/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory of programs where ThreadSanitizer expects it, and where it was in the run before. */
#ifndef RACE_FIXED_ADDRESSES_H
#define RACE_FIXED_ADDRESSES_H

/*
 * In programs that this process starts from now on, stacks and libraries are laid out as without
 * randomization, if that is allowed.
 */
void fixed_addresses_set(void);

#endif
