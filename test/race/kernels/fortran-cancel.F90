! SPDX-License-Identifier: BSD-3-Clause
! cancel: a search is cancelled by the thread that found the element.
! Others go on to their next cancellation point and may find another one (OpenMP 5.2, 16.1). The
! fixed one writes atomically; each place is a right answer.
program search
  implicit none
  integer :: values(600), place, i

  values = [(modulo(i, 20), i = 1, 600)]
  place = 0
  !$omp parallel
  !$omp do schedule(static, 5)
  do i = 1, 600
     if (values(i) == 13) then
#ifdef FIXED
        !$omp atomic write
#endif
        place = i ! race: write place
        !$omp cancel do
     end if
     !$omp cancellation point do
  end do
  !$omp end do
  !$omp end parallel
  if (modulo(place, 20) /= 13) stop 1
end program
