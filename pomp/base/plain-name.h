/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The plain name of a call of pomp.h, in addition to the one from POMP_SYMBOL: for objects that
 * were instrumented before POMP_SYMBOL existed, and for code that calls it without the header. It
 * is weak, in case a program that is linked with libpomp.a has a function with that name.
 */
#ifndef PLAIN_NAME_H
#define PLAIN_NAME_H

#include "pomp.h"

/* Used after the definition of the call, in the same file. */
#define PLAIN_NAME(name)                                                                           \
	extern __typeof__(name) plain_##name __asm__(#name)                                        \
	    __attribute__((__weak__, __alias__("__" #name), __visibility__("default")));

#endif
