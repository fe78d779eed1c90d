! SPDX-License-Identifier: BSD-3-Clause
! worksharing: a loop with the clause ordered has its access outside of the ordered region.
! Only the regions are executed in the order of the iterations (OpenMP 5.2, 15.10.2). In the
! fixed one the access is inside.
program in_order
  implicit none
  integer :: chain(0:120), last, i

  chain = 0
  last = 0
  !$omp parallel do ordered schedule(static, 1)
  do i = 1, 120
#ifndef FIXED
     last = last + i ! race: write last
#endif
     !$omp ordered
#ifdef FIXED
     last = last + i
#endif
     chain(i) = chain(i - 1) + 1
     !$omp end ordered
  end do
  if (last /= 7260 .or. chain(120) /= 120) stop 1
end program
