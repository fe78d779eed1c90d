/* SPDX-License-Identifier: BSD-3-Clause */
/* For libclang-case.c: a function as libclang exports one. */
__attribute__((visibility("default"))) int clang_imitated_version(void);

int clang_imitated_version(void)
{
	return 30;
}
