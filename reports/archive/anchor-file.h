/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Whether the OTF2 library can open an archive. Of some damaged anchor files it reads a count that
 * makes it use all memory, or write where it has none; and it loses memory when it gives up.
 */
#ifndef ANCHOR_FILE_H
#define ANCHOR_FILE_H

/* Why the library must not open the anchor file, in words for a message; NULL: it may. */
const char *anchor_file_trouble(const char *path);

#endif
