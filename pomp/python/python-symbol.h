/* SPDX-License-Identifier: BSD-3-Clause */
/* What the program's interpreter exports. */
#ifndef PYTHON_SYMBOL_H
#define PYTHON_SYMBOL_H

/* Returns the symbol's address; NULL: the program has none. A static program has no interpreter. */
void *pomp_python_symbol(const char *name);

#endif
