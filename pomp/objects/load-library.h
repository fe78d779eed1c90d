/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads our own libraries that libpomp.so needs only for some features. */
#ifndef LOAD_LIBRARY_H
#define LOAD_LIBRARY_H

/*
 * Returns the address of `symbol` in the library with that file name. The library is loaded from
 * libpomp.so's own folder, else from the usual places, and is never unloaded. NULL with a reason,
 * which is valid until the thread's next call of dlerror(). libpomp.a lacks this function: static
 * programs load nothing.
 */
const void *pomp_library_load(const char *name, const char *symbol, const char **reason);

#endif
