/* SPDX-License-Identifier: BSD-3-Clause */
/* `ompinst sharing COMPILER ARGUMENT...`: the user's command, so that accesses can be noted. */
#ifndef SHARING_COMPILE_H
#define SHARING_COMPILE_H

/*
 * The words after `sharing`: a compiler, or a launcher such as ccache and one. Becomes the
 * compiler; returns an exit code only if the compiler cannot be run.
 */
int sharing_compile_main(const char *const *words);

#endif
