/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The plain name of a call of pomp.h, beside the one of POMP_SYMBOL: for objects that were
 * instrumented before that was there, and for code that calls it without the header. Weak, for a
 * program that is linked with libpomp.a and has a function of that name.
 */
#ifndef PLAIN_NAME_H
#define PLAIN_NAME_H

#include "pomp.h"

/* Behind the call's definition, in the same file. */
#define PLAIN_NAME(name)                                                                           \
	extern __typeof__(name) plain_##name __asm__(#name)                                        \
	    __attribute__((__weak__, __alias__("__" #name), __visibility__("default")));

#endif
