! SPDX-License-Identifier: BSD-3-Clause
! iterations: collapse(2), and one cell is also written by the one above it.
! The fixed one has no conflict.
program grid
  implicit none
  integer, parameter :: rows = 40, cols = 30
  integer :: cells(rows + 1, cols), i, j

  cells = 0
  !$omp parallel do collapse(2) shared(cells) &
  !$omp& private(i, j)
  do j = 1, cols
     do i = 1, rows
        cells(i, j) = i + j ! race: write cells
#ifndef FIXED
        if (i == 6 .and. j == 12) cells(i + 1, j) = i + j + 1 ! race: write cells
#endif
     end do
  end do
  do j = 1, cols
     do i = 1, rows
        if (cells(i, j) /= i + j) stop 1
     end do
  end do
end program
