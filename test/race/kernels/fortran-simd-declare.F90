! SPDX-License-Identifier: BSD-3-Clause
! simd: a simd loop calls a function that counts in a module's variable.
! Lanes of a declare simd function execute at once (OpenMP 5.2, 7.7 and 10.4). The fixed one returns
! what it counts, and the loop reduces it.
module clipping
  implicit none
  integer :: clipped = 0
contains
  integer function clip(value)
    !$omp declare simd(clip)
    integer, intent(in) :: value

    clip = min(value, 50)
#ifndef FIXED
    if (value > 50) clipped = clipped + 1 ! race: write clipped; race: read clipped
#endif
  end function
end module

program clips
  use clipping
  implicit none
  integer :: out(100), i, found

  found = 0
  !$omp simd reduction(+ : found)
  do i = 1, 100
     out(i) = clip(i)
#ifdef FIXED
     found = found + merge(1, 0, i > 50)
#endif
  end do
#ifndef FIXED
  found = clipped
#endif
  if (found /= 50 .or. any(out(51:) /= 50)) stop 1
end program
