/* SPDX-License-Identifier: BSD-3-Clause */
/* Libraries of ours that libpomp.so loads only where they are needed, for what they bring. */
#ifndef LOAD_LIBRARY_H
#define LOAD_LIBRARY_H

/*
 * The address of `symbol` in the library of that file name, which is loaded from libpomp.so's own
 * folder, else from where libraries are, and never unloaded. NULL with a reason, which is valid
 * until the thread's next call of dlerror(). libpomp.a lacks this: static programs load nothing.
 */
const void *pomp_library_load(const char *name, const char *symbol, const char **reason);

#endif
