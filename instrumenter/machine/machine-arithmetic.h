/* SPDX-License-Identifier: BSD-3-Clause */
/* A loop that does nothing but arithmetic, with the widest instructions of this processor. */
#ifndef MACHINE_ARITHMETIC_H
#define MACHINE_ARITHMETIC_H

#include <stddef.h>

struct machine_arithmetic {
	void (*run)(size_t steps);
	double operations; /* of a step, with double precision: a multiplication and an addition are
			      two */
};

struct machine_arithmetic machine_choose_arithmetic(void);

#endif
