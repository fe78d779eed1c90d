! SPDX-License-Identifier: BSD-3-Clause
! Several loops, sections and singles in one region; constructs one after the other.
subroutine sweep(a, b, n)
  implicit none
  integer, intent(in) :: n
  real(8), intent(inout) :: a(n), b(n)
  integer :: i, j
  real(8) :: total
  total = 0
  !$omp parallel default(shared) private(i, j)
  !$omp do schedule(dynamic)
  do i = 1, n
     a(i) = a(i) * 2
  end do
  !$omp end do

  !$omp do schedule(guided, 4) reduction(+ : total)
  do i = 1, n
     do j = 1, 3
        total = total + a(i) * j
     end do
  end do
  !$omp end do
  !$omp single
  b(1) = total
  !$omp end single
  !$omp do schedule(runtime)
  do i = 2, n
     b(i) = a(i) + total
  end do
  !$omp sections
  !$omp section
  b(2) = 3
  !$omp section
  b(3) = 4
  !$omp end sections
  !$omp critical (one)
  b(4) = b(4) + 1
  !$omp end critical (one)
  !$omp critical (two)
  b(5) = b(5) + 1
  !$omp end critical (two)
  !$omp do ordered schedule(dynamic)
  do i = 1, 10
     b(i) = b(i) * 1.5d0
     !$omp ordered
     total = total + b(i)
     !$omp end ordered
  end do
  !$omp barrier
  !$omp master
  b(7) = total
  !$omp end master
  !$omp barrier
  !$OMP PARALLELDO SCHEDULE(DYNAMIC,2)
  do i = 1, n
     a(i) = a(i) - 1
  end do
  !$omp end parallel
end subroutine

program loops
  implicit none
  real(8) :: a(100), b(100)
  a = 1
  b = 2
  call sweep(a, b, 100)
  print *, sum(a) + sum(b) > 0
end program
