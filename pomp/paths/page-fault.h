/* SPDX-License-Identifier: BSD-3-Clause */
/* What the registers of an interrupted thread say about page faults. For a signal handler. */
#ifndef PAGE_FAULT_H
#define PAGE_FAULT_H

#include <stdbool.h>

/*
 * Returns whether the signal came while the kernel handled a page fault of the thread: `context` is
 * the handler's third argument. On other processors than x86-64 that is not known: false.
 */
bool pomp_in_page_fault(const void *context);

#endif
