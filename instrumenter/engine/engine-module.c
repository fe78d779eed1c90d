/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The engine as a module that ompinst loads only in the child process that uses it, for two
 * reasons. Loading libclang and LLVM takes longer than a whole configure check, and most commands
 * of a build instrument nothing. Also, a machine without libclang can still compile through
 * ompinst.
 */
#include "engine.h"
#include "engine-module.h"

__attribute__((visibility("default"))) const struct inst_module INST_MODULE_SYMBOL = {
    .rewrite = inst_rewrite,
    .result_free = inst_result_free,
    .lint = inst_lint,
    .lint_free = inst_lint_free,
};
