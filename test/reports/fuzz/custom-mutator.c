/* SPDX-License-Identifier: BSD-3-Clause */
/* libFuzzer's own mutations by turns with those that keep the records' framing. */
#include "mutate.h"

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
	return seed % 4 == 0 ? LLVMFuzzerMutate(data, size, most)
			     : mutate_logs(data, size, most, seed);
}
