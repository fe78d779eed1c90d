! SPDX-License-Identifier: BSD-3-Clause
! worksharing: loops with and without a schedule clause, and what they may rely on.
! schedule(static) gives each thread at most one chunk, and the same one in loops of one length
! (OpenMP 5.2, 11.5.3); lastprivate, ordered, linear and reductions hold with any division.
program loops
  use omp_lib
  implicit none
  integer, parameter :: n = 509, long = selected_int_kind(15)
  integer :: a(n), b(n), list(n), length, last, index, total, before, i
  integer(long) :: k
  integer :: packed(2 * n)

  !$omp parallel private(before)
  before = 0
  !$omp do schedule(static)
  do i = 1, n
     if (before == 0) then
        a(i) = 1
     else
        a(i) = a(i - 1) + 1
     end if
     before = i
  end do
  !$omp do
  do i = 1, n
     a(i) = i
  end do
  !$omp end do nowait
  !$omp do
  do i = 1, n
     b(i) = 2 * a(i)
  end do
  !$omp end parallel
  length = 0
  total = 0
  !$omp parallel do ordered reduction(+: total) lastprivate(last)
  do i = 1, n
     last = i
     total = total + 1
     !$omp ordered
     length = length + 1
     list(length) = i
     !$omp end ordered
  end do
  index = 1
  packed = 0
  !$omp parallel do linear(index: 2)
  do k = 1_long, n
     packed(index) = int(k)
     index = index + 2
  end do
  if (any(b /= [(2 * i, i = 1, n)])) stop 1
  if (any(list /= [(i, i = 1, n)]) .or. last /= n .or. total /= n) stop 2
  if (any(packed(1:2 * n:2) /= [(i, i = 1, n)])) stop 3
end program
