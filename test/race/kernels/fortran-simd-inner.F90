! SPDX-License-Identifier: BSD-3-Clause
! simd: within a loop that threads share, each column is summed up from its top by lanes.
! Columns belong to threads, but the lanes of one thread execute a column's elements at once
! (OpenMP 5.2, 10.4). The fixed loop adds a constant.
program columns
  implicit none
  integer :: table(40, 30), i, j

  table = 1
  !$omp parallel do
  do j = 1, 30
     !$omp simd
     do i = 2, 40
#ifdef FIXED
        table(i, j) = table(i, j) + i - 1
#else
        table(i, j) = table(i, j) + table(i - 1, j) ! race: write table; race: read table
#endif
     end do
     !$omp end simd
  end do
  !$omp end parallel do
  if (any(table(40, :) /= 40)) stop 1
end program
