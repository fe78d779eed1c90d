/* SPDX-License-Identifier: BSD-3-Clause */
/* The place of the library under test, and its harnesses. */
#include "../check.h"

extern struct check_harness *const __start_check_harnesses[];
extern struct check_harness *const __stop_check_harnesses[];

#define EXPORTED __attribute__((visibility("default")))

extern EXPORTED struct check_harness *const *const check_harnesses_begin;
extern EXPORTED struct check_harness *const *const check_harnesses_end;
struct check_harness *const *const check_harnesses_begin = __start_check_harnesses;
struct check_harness *const *const check_harnesses_end = __stop_check_harnesses;
