! SPDX-License-Identifier: BSD-3-Clause
! reduction: a loop writes behind the section of an array that the reduction clause has.
program main
   implicit none
   integer :: i, last
   integer, allocatable :: counts(:)

   allocate (counts(4))
   counts = 0
   last = 4
#ifndef FIXED
   last = 5
#endif
   !$omp parallel do num_threads(2) reduction(+:counts)
   do i = 1, last
      counts(i) = counts(i) + 1 ! memory: write
   end do
   print *, counts(1)
end program main
