! SPDX-License-Identifier: BSD-3-Clause
! Module procedures, tasks and procedures within the program.
module solver
contains
  recursive integer function fib(n) result(r)
    integer, intent(in) :: n
    integer :: a, b
    if (n < 2) then
       r = n
       return
    end if
    !$omp task shared(a)
    a = fib(n - 1)
    !$omp end task
    !$OMP TASK &
    !$OMP& SHARED(b)
    b = fib(n - 2)
    !$OMP END TASK
    !$omp taskwait
    r = a + b
  end function
  subroutine relax(x, n)
    integer, intent(in) :: n
    real(8), intent(inout) :: x(n)
    integer :: i
    !$omp parallel do schedule(dynamic, 8)
    do i = 2, n - 1
       x(i) = x(i) + 0.5d0 * i
    end do
    !$omp end parallel do

    !$omp parallel
    x(1) = x(1)
    !$omp critical (upd)
    x(2) = x(2) + 1
    !$omp end critical (upd)
    !$omp barrier
    !$omp do ordered schedule(static, 1)
    do i = 1, 4
       !$omp ordered
       x(i) = x(i) + 1
       !$omp end ordered
    end do
    !$omp end parallel
  end subroutine
end module
program hello
  use solver
  real(8) :: x(1000)
  integer :: k
  x = 1
  call relax(x, 1000)
  !$omp parallel
  !$omp single
  k = fib(5)
  !$omp end single
  !$omp end parallel
  print *, k
  call inner
contains
  subroutine inner
    !$omp parallel
    x(1) = 3
    !$omp end parallel
  end subroutine
end program
