/* SPDX-License-Identifier: BSD-3-Clause */
/* Names for regions that are identified by the address of their code. */
#ifndef NAME_REGIONS_H
#define NAME_REGIONS_H

/*
 * Gives such regions their function, file and lines, or, if these are unknown, the module and the
 * offset, and writes them to the definitions log. Loads nothing if there are no such regions.
 * Prints one line when the library that finds names cannot be used.
 */
void pomp_regions_name(void);

#endif
