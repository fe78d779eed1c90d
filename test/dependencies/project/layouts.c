/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls the libraries that were found, so that the program starts only where the loader finds them.
 */
#include <clang-c/Index.h>
#include <gelf.h>
#include <stdio.h>
#ifdef HAVE_OTF2
#include <otf2/otf2.h>
#endif

int main(void)
{
	CXString version = clang_getClangVersion();

	printf("%s\n", clang_getCString(version));
	clang_disposeString(version);
	printf("elf %d\n", elf_version(EV_CURRENT) != EV_NONE);
#ifdef HAVE_OTF2
	printf("%s\n", imitated_otf2());
#endif
	return 0;
}
