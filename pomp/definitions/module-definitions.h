/* SPDX-License-Identifier: BSD-3-Clause */
/* The files with code that the process has loaded, in the definitions log. */
#ifndef MODULE_DEFINITIONS_H
#define MODULE_DEFINITIONS_H

/* Defines those that are loaded now; the caller holds the process lock. */
void pomp_modules_define(void);

#endif
