! SPDX-License-Identifier: BSD-3-Clause
! worksharing: collapse(2) over a matrix, with a sum for each column.
! The collapsed iterations are divided as one space (OpenMP 5.2, 4.4.3): two threads may have
! parts of one column. The fixed one divides the columns only.
program columns
  implicit none
  integer, parameter :: rows = 45, cols = 7
  integer :: matrix(rows, cols), sums(cols), i, j

  matrix = 2
  sums = 0
#ifdef FIXED
  !$omp parallel do
#else
  !$omp parallel do collapse(2)
#endif
  do j = 1, cols
     do i = 1, rows
        sums(j) = sums(j) + matrix(i, j) ! race: write sums
     end do
  end do
  if (any(sums /= 2 * rows)) stop 1
end program
