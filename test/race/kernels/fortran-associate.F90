! SPDX-License-Identifier: BSD-3-Clause
! parallel: an associate name looks like a variable of the block.
! It is associated with the shared variable (OpenMP 5.2, 5.1.1). The fixed one is a variable that
! is declared in a block construct within the region.
program names
  implicit none
  integer :: buffer(4), i, total

  buffer = 0
  total = 0
  !$omp parallel do reduction(+: total)
  do i = 1, 80
#ifdef FIXED
     block
       integer :: slot
#else
     associate (slot => buffer(2))
#endif
       slot = 2 * i ! race: write buffer
       total = total + slot ! race: read buffer
#ifdef FIXED
     end block
#else
     end associate
#endif
  end do
  if (total /= 6480) stop 1
end program
