/* SPDX-License-Identifier: BSD-3-Clause */
/* The variables of LLVM's and Intel's runtime, which begin with KMP_. */
#ifndef RT_LLVM_H
#define RT_LLVM_H
#include <stdbool.h>

struct rt_variable;

/*
 * Is one of these variables set in a process that contains code of LLVM's or Intel's compilers when
 * it begins? GNU's programs do not obey them, whatever a cluster's profile sets for other programs.
 */
bool rt_environment_has_llvm(void);

/* Reports that variables which are not in this table have no effect. */
void rt_environment_report_unknown(const struct rt_variable *variables);

#endif
