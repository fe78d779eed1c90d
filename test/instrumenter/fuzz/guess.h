/* SPDX-License-Identifier: BSD-3-Clause */
/* What stands in for libclang when the engine is fuzzed: see guess.c. */
#ifndef GUESS_H
#define GUESS_H

#include "statements.h"

extern bool guess_wrongly;

#endif
