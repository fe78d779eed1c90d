/* SPDX-License-Identifier: BSD-3-Clause */
/* What the engine's module exports: its functions, under one name. */
#ifndef ENGINE_MODULE_H
#define ENGINE_MODULE_H

#include "engine.h"
#include "lint.h"

#define INST_MODULE_FILE   "ompinst-engine.so"
#define INST_MODULE_SYMBOL ompinst_engine
#define INST_MODULE_NAME   "ompinst_engine"

struct inst_module {
	int (*rewrite)(const struct inst_input *input, const struct inst_options *options,
	    struct inst_result *result, char **error);
	void (*result_free)(struct inst_result *result);
	int (*lint)(const struct inst_input *input, lint_set checks, struct lint_result *result,
	    char **error);
	void (*lint_free)(struct lint_result *result);
};

extern const struct inst_module INST_MODULE_SYMBOL;

#endif
