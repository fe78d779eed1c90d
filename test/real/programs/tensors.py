# SPDX-License-Identifier: BSD-3-Clause
"""PyTorch: convolutions with gradients, products of matrices, and the method of conjugate gradients, whose sparse
matrix is made of shifted vectors: many short regions. Prints what was found, then its times.

Sums are divided among threads, so they are printed without their last digits of single precision.
"""
import time

import torch


def timed(name, work):
    begin = time.perf_counter()
    work()
    return f'seconds {name} {time.perf_counter() - begin:.6f}'


def convolve():
    layer = torch.nn.Conv2d(8, 16, 3)
    images = torch.rand(8, 8, 96, 96, requires_grad=True)
    for _ in range(30):
        total = layer(images).relu().mean()
        total.backward()
    print('convolution %.4f %.4f' % (total.item(), layer.weight.grad.abs().sum().item()))


def multiply():
    matrix = torch.rand(600, 600)
    for _ in range(60):
        matrix = (matrix @ matrix).softmax(1)
    print('product %.3f' % matrix.sum().item())


def apply_matrix(vector):
    """Two and a bit on the diagonal, -1 beside it."""
    result = 2.01 * vector
    result[1:] -= vector[:-1]
    result[:-1] -= vector[1:]
    return result


def conjugate_gradients():
    right = torch.rand(200000, dtype=torch.float64)
    solution, rest = torch.zeros_like(right), right.clone()
    direction, square = rest.clone(), rest.dot(rest)
    for _ in range(400):
        image = apply_matrix(direction)
        step = square / direction.dot(image)
        solution += step * direction
        rest -= step * image
        square, before = rest.dot(rest), square
        direction = rest + (square / before) * direction
    print('gradients %.6f %.1e' % (solution.sum().item(), (apply_matrix(solution) - right).abs().max().item() + 1e-9))


torch.manual_seed(0)
print(torch.get_num_threads(), 'threads')
print('\n'.join([timed('convolve', convolve), timed('multiply', multiply), timed('gradients', conjugate_gradients)]))
