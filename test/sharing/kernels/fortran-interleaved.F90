! SPDX-License-Identifier: BSD-3-Clause
!
! fortran: schedule(static, 1) gives neighbouring elements to different threads, which update them many times.
!
program interleaved
  implicit none
  integer, parameter :: bins = 64, gap = 16, steps = 320000
  real(8), save, volatile :: values(bins + gap)
  integer :: bin, step

  values = 0
#ifdef FIXED
  ! The array need not begin at a line: the middle is nobody's.
!$omp parallel do schedule(static) private(step)
#else
!$omp parallel do schedule(static, 1) private(step)
#endif
  do bin = 1, bins
     do step = 1, steps
        values(place(bin)) = values(place(bin)) + 0.5d0 ! sharing: false values
     end do
  end do
  if (abs(sum(values) - 0.5d0 * bins * steps) > 1e-6) error stop 'wrong sum'
contains
  pure integer function place(bin)
    integer, intent(in) :: bin

#ifdef FIXED
    place = merge(bin, bin + gap, bin <= bins / 2)
#else
    place = bin
#endif
  end function
end program
