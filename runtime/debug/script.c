/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What gdb runs when it finds the library: the text of ompd/gdb/autoload.py, in the section where
 * gdb looks for it. gdb first asks its user (auto-load safe-path) and tells how to allow it. With
 * prefix=/usr gdb runs a file in its own folder instead and needs no permission; so there is no
 * section, for which gdb would ask in vain.
 *
 * An entry is the byte 4 (text of Python), a line with a name for it, the text, and a null byte.
 * The section is allocated, because `strip` removes other sections of that name.
 */
#include "gdb-script.h"

#ifdef GDB_SCRIPT
__asm__(".pushsection \".debug_gdb_scripts\", \"aMS\", %progbits, 1\n"
	".byte 4\n"
	".ascii \"ompinst-gdb\\n\"\n"
	".asciz " GDB_SCRIPT "\n"
	".popsection\n");
#endif
