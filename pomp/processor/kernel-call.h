/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * System calls without the C library, for code that must not touch what that has for each thread:
 * signal handlers, and the observer, which it does not know. Only where KERNEL_CALLS is defined.
 */
#ifndef KERNEL_CALL_H
#define KERNEL_CALL_H

#include <fcntl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#if defined __x86_64__ || defined __aarch64__
#define KERNEL_CALLS 1

/* Returns the call's result, which is negative for errors. */
static inline long kernel(
    long number, long one, long two, long three, long four, long five, long six)
{
#if defined __x86_64__
	long result;
	register long r10 __asm__("r10") = four;
	register long r8 __asm__("r8") = five;
	register long r9 __asm__("r9") = six;

	__asm__ volatile("syscall"
			 : "=a"(result)
			 : "a"(number), "D"(one), "S"(two), "d"(three), "r"(r10), "r"(r8), "r"(r9)
			 : "rcx", "r11", "memory");
	return result;
#else
	register long x8 __asm__("x8") = number;
	register long x0 __asm__("x0") = one;
	register long x1 __asm__("x1") = two;
	register long x2 __asm__("x2") = three;
	register long x3 __asm__("x3") = four;
	register long x4 __asm__("x4") = five;
	register long x5 __asm__("x5") = six;

	__asm__ volatile("svc 0"
			 : "+r"(x0)
			 : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5)
			 : "memory");
	return x0;
#endif
}

/* Returns something that changes when a filter of the thread's system calls (seccomp) is added. */
static inline long kernel_filters(void)
{
	return kernel(SYS_prctl, PR_GET_SECCOMP, 0, 0, 0, 0, 0) << 1 |
	       kernel(SYS_prctl, PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0, 0);
}

/* Reads what a file begins with, as read_text() does. */
static inline bool kernel_read_text(const char *path, char *text, size_t room)
{
	long file = kernel(SYS_openat, AT_FDCWD, (long)path, O_RDONLY | O_CLOEXEC, 0, 0, 0);
	long length = 0;

	if (file >= 0) {
		length = kernel(SYS_read, file, (long)text, (long)room - 1, 0, 0, 0);
		kernel(SYS_close, file, 0, 0, 0, 0, 0);
	}
	text[length > 0 ? length : 0] = '\0';
	return length > 0;
}

/* Takes a number and the space before it: decimal, or hexadecimal with 0x. */
static inline uint64_t take_number(const char **text)
{
	uint64_t value = 0, base = 10;

	while (**text == ' ')
		++*text;
	if ((*text)[0] == '0' && (*text)[1] == 'x') {
		base = 16;
		*text += 2;
	}
	for (;; ++*text) {
		unsigned digit = (unsigned char)**text;
		if (digit >= '0' && digit <= '9')
			digit -= '0';
		else if (base == 16 && digit >= 'a' && digit <= 'f')
			digit -= 'a' - 10;
		else
			return value;
		value = value * base + digit;
	}
}

#endif

#endif
