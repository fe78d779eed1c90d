! SPDX-License-Identifier: BSD-3-Clause
! simd: loops with their clauses, alone and within other constructs, whose results are right.
program simd_loops
  implicit none
  integer :: failures

  failures = 0
  call reductions(96)
  call last_values(2)
  call last_values(50)
  call distances()
  call nested()
  if (failures /= 0) stop 1
contains
  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(*), intent(in) :: what

    if (holds) return
    print *, what
    failures = failures + 1
  end subroutine

  subroutine reductions(n)
    integer, intent(in) :: n
    integer :: sums(8), scratch(n), own(n), i, j, largest
    integer, allocatable :: heap(:)

    sums = 0
    largest = -1
    allocate (heap(8), source=0)
    !$omp simd reduction(+ : sums, heap) reduction(max : largest)
    do i = 1, n
       do j = 1, 8
          sums(j) = sums(j) + i
          heap(j) = heap(j) + 1
       end do
       largest = max(largest, mod(7 * i, n))
    end do
    !$omp end simd
    call check(all(sums == n * (n + 1) / 2) .and. all(heap == n), 'reductions')
    call check(largest == n - 1, 'max')
    !$omp simd private(scratch)
    do i = 1, n
       scratch(1) = i
       scratch(n) = scratch(1) + 1
       own(i) = scratch(n)
    end do
    call check(all(own == [(i + 1, i = 1, n)]), 'private')
  end subroutine

  subroutine last_values(n)
    integer, intent(in) :: n
    integer :: i, last, at, a(100)

    last = -1
    at = 5
    i = -7
    !$omp simd lastprivate(last) linear(at : 2) simdlen(4)
    do i = 2, n, 3
       a(i) = at
       last = i
       at = at + 2
    end do
    call check(i == 2 + 3 * ((n + 1) / 3), 'the loop variable')
    call check(last == i - 3 .and. a(last) == at - 2, 'lastprivate and linear')
  end subroutine

  subroutine distances()
    integer :: a(90), i

    a = 0
    !$omp simd safelen(5)
    do i = 6, 90
       a(i) = a(i - 5) + 1
    end do
    call check(all(a == [((i - 1) / 5, i = 1, 90)]), 'safelen')
  end subroutine

  subroutine nested()
    integer :: table(16, 40), list(16), length, i, j

    !$omp parallel do private(i)
    do j = 1, 40
       !$omp simd
       do i = 1, 16
          table(i, j) = i + j
       end do
       !$omp end simd
    end do
    !$omp parallel
    !$omp single
    do j = 1, 40
       !$omp task firstprivate(j) private(i) shared(table)
       !$omp simd
       do i = 1, 16
          table(i, j) = table(i, j) - j
       end do
       !$omp end task
    end do
    !$omp end single
    !$omp end parallel
    !$omp target teams distribute simd map(tofrom : table)
    do j = 1, 40
       table(1, j) = table(1, j) + 1
    end do
    !$omp end target teams distribute simd
    length = 0
    !$omp simd
    do i = 1, 16
       !$omp ordered simd
       length = length + 1
       list(length) = i
       !$omp end ordered
    end do
    call check(all(table(1, :) == 2) .and. all(table(16, :) == 16), 'nested')
    call check(all(list == [(i, i = 1, 16)]), 'ordered')
  end subroutine
end program
