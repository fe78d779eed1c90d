/* SPDX-License-Identifier: BSD-3-Clause */
/* The variables of LLVM's and Intel's runtime, which begin with KMP_. */
#ifndef RT_LLVM_H
#define RT_LLVM_H
#include <stdbool.h>

struct rt_variable;

/*
 * Is one of them set, in a process that has code of LLVM's or Intel's compilers as it begins? Those
 * of GNU's programs do not know them, whatever a cluster's profile sets for others.
 */
bool rt_environment_has_llvm(void);

/* Says of each of them that this table does not have that it has no effect. */
void rt_environment_report_unknown(const struct rt_variable *variables);

#endif
