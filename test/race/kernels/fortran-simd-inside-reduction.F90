! SPDX-License-Identifier: BSD-3-Clause
! simd: threads add columns to an array by lanes, each thread to its own copy of the array.
! In the racy one the lanes also count in one element of the copy (OpenMP 5.2, 5.5.8 and 10.4).
program sums
  implicit none
  integer :: table(16, 60), total(17), i, j

  do j = 1, 60
     table(:, j) = [(i, i = 1, 16)]
  end do
  total = 0
  !$omp parallel do reduction(+ : total)
  do j = 1, 60
     !$omp simd
     do i = 1, 16
        total(i) = total(i) + table(i, j)
#ifndef FIXED
        total(17) = total(17) + 1 ! race: write total; race: read total
#endif
     end do
#ifdef FIXED
     total(17) = total(17) + 16
#endif
  end do
  if (any(total(:16) /= [(60 * i, i = 1, 16)]) .or. total(17) /= 960) stop 1
end program
