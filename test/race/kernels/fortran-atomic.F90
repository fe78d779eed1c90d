! SPDX-License-Identifier: BSD-3-Clause
! synchronization: an element is updated atomically, and set back plainly.
! A plain write beside atomic updates is a race (OpenMP 5.2, 15.8.4). The fixed one is an atomic
! write.
program half_atomic
  implicit none
  integer :: count, i

  count = 0
  !$omp parallel do
  do i = 1, 400
     if (modulo(i, 100) == 50) then
#ifdef FIXED
        !$omp atomic write
#endif
        count = 0 ! race: write count
     else
        !$omp atomic
        count = count + 1 ! race: write count
     end if
  end do
  if (count < 0 .or. count > 396) stop 1
end program
