/* SPDX-License-Identifier: BSD-3-Clause */
/* The nodes of one function's body. */
#ifndef TREE_NODES_H
#define TREE_NODES_H

#include "tree-constructs.h"

#include <clang-c/Index.h>

/* Reads the body of a function, which libclang gives as a compound statement. */
struct tree *tree_read_body(struct tree_pragmas *pragmas, CXCursor body);

#endif
