! SPDX-License-Identifier: BSD-3-Clause
! task: a recursive sum over halves of an array, whose parent does not wait for one half.
! The sum needs both halves (OpenMP 5.2, 15.5). The fixed one waits behind the second task.
module halves
  implicit none
contains
  recursive subroutine add_up(values, n, total)
    integer, intent(in) :: n, values(n)
    integer, intent(out) :: total
    integer :: low, high, middle

    if (n <= 8) then
       total = sum(values) ! race: write high
       return
    end if
    middle = n / 2
    low = 0
    high = 0
    !$omp task shared(values, low) firstprivate(middle)
    call add_up(values(1:middle), middle, low)
    !$omp end task
#ifndef FIXED
    !$omp taskwait
#endif
    !$omp task shared(values, high) firstprivate(middle, n)
    call add_up(values(middle + 1:n), n - middle, high)
    !$omp end task
#ifdef FIXED
    !$omp taskwait
#endif
    total = low + high ! race: write total; race: read high
#ifndef FIXED
    !$omp taskwait
#endif
  end subroutine
end module

program recursion
  use halves
  implicit none
  integer :: values(128), total, i

  values = [(i, i = 1, 128)]
  !$omp parallel
  !$omp single
  call add_up(values, 128, total)
  !$omp end single
  !$omp end parallel
  if (total /= 8256) stop 1
end program
