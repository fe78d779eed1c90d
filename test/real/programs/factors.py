# SPDX-License-Identifier: BSD-3-Clause
"""SuperLU_DIST by PETSc, one rank: factors of a sparse matrix, and solutions with them. Prints what was found, then its time.

Parts of the factors are added up in the order in which threads compute them, so the sum has not all of its digits.
"""
import glob
import sys
import time

# Debian has a package for each kind of numbers, none of them where Python looks.
sys.path[:0] = glob.glob('/usr/lib/petscdir/petsc*/*-real/lib/python3/dist-packages')
from petsc4py import PETSc  # noqa: E402

side = 150
matrix = PETSc.Mat().createAIJ([side * side] * 2, nnz=5)
for row in range(side * side):
    for column in (row - side, row - 1, row, row + 1, row + side):
        if 0 <= column < side * side and not (abs(column - row) == 1 and column // side != row // side):
            matrix.setValue(row, column, 4.1 if column == row else -1.0)
matrix.assemble()
right, solution = matrix.createVecs()
right.set(1.0)
begin = time.perf_counter()
solver = PETSc.KSP().create()  # one: with a second one SuperLU_DIST 8.1 damages its memory, on every runtime
solver.setOperators(matrix)
solver.setType('preonly')
solver.getPC().setType('lu')
solver.getPC().setFactorSolverType('superlu_dist')
solver.setUp()
for _ in range(20):
    solver.solve(right, solution)
seconds = time.perf_counter() - begin
print('%.9f' % solution.sum())
print(f'seconds factors {seconds:.6f}')
