! SPDX-License-Identifier: BSD-3-Clause
! simd: two loops are collapsed, and each column begins with what the column before it ends with.
! The lanes execute iterations of several columns at once (OpenMP 5.2, 4.4.3 and 10.4). The fixed
! loop reads only what was there before.
program grid
  implicit none
  integer :: cells(9, 12), first(12), i, j

  first = [(j, j = 1, 12)]
  cells = 0
  !$omp simd collapse(2)
  do j = 1, 12
     do i = 1, 9
#ifdef FIXED
        cells(i, j) = first(j) + i
#else
        if (i > 1 .or. j == 1) then
           cells(i, j) = j + i ! race: write cells
        else
           cells(i, j) = cells(9, j - 1) - 7 ! race: write cells; race: read cells
        end if
#endif
     end do
  end do
  do j = 1, 12
     if (any(cells(:, j) /= [(i + j, i = 1, 9)])) stop 1
  end do
end program
