/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions of shared/code-names.h, for programs that link them. */
#ifndef NAMER_H
#define NAMER_H

#include "shared/code-names.h"

extern const struct code_names_table pomp_code_names __attribute__((visibility("default")));

#endif
