/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What gdb runs when it finds the library: the text of ompd/gdb/autoload.py, in the section where
 * gdb looks for it. gdb asks its user first (auto-load safe-path) and says how to allow it. With
 * prefix=/usr gdb runs a file of its own folder instead and needs not be allowed to, so there is no
 * section: it would ask for nothing.
 *
 * An entry is the byte 4 (text of Python), a line with a name for it, the text, and a null byte.
 * Allocated, because `strip` takes other sections of that name away.
 */
#include "gdb-script.h"

#ifdef GDB_SCRIPT
__asm__(".pushsection \".debug_gdb_scripts\", \"aMS\", %progbits, 1\n"
	".byte 4\n"
	".ascii \"ompinst-gdb\\n\"\n"
	".asciz " GDB_SCRIPT "\n"
	".popsection\n");
#endif
