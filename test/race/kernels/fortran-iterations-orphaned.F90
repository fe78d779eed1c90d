! SPDX-License-Identifier: BSD-3-Clause
! iterations: a loop in a subroutine of a module that a region calls, with one conflict.
! The fixed one has none.
module sweeps
  implicit none
contains
  subroutine level(values)
    integer, intent(inout) :: values(:)
    integer :: i

    !$omp do
    do i = 1, size(values) - 1
       values(i) = 9 ! race: write values
#ifndef FIXED
       if (i == 700) values(i + 1) = 9 ! race: write values
#endif
    end do
    !$omp end do
  end subroutine
end module

program orphaned
  use sweeps
  implicit none
  integer :: heights(1001)

  heights = 0
  !$omp parallel
  call level(heights)
  !$omp end parallel
  if (any(heights(1:1000) /= 9)) stop 1
end program
