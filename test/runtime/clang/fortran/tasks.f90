! SPDX-License-Identifier: BSD-3-Clause
! task with if, final and depend, taskwait, taskgroup, taskyield; a recursion of tasks. Nothing is firstprivate, which
! flang 19 copies only when the task begins.
program tasks
  use omp_lib
  implicit none
  integer :: wrong, i, done, order, place, result

  wrong = 0
  done = 0
  order = 0
  place = 0
  !$omp parallel
  !$omp single
  do i = 1, 200
    !$omp task shared(done)
    !$omp atomic
    done = done + 1
    !$omp end task
  end do
  !$omp taskwait
  if (done /= 200) wrong = wrong + 1
  done = 0
  !$omp taskgroup
  do i = 1, 50
    !$omp task shared(done)
    !$omp task shared(done)
    !$omp atomic
    done = done + 1
    !$omp end task
    !$omp end task
  end do
  !$omp end taskgroup
  if (done /= 50) wrong = wrong + 1
  !$omp task if(.false.) shared(done)
  done = done + 1
  !$omp end task
  if (done /= 51) wrong = wrong + 1
  do i = 1, 50
    !$omp task depend(inout: place) shared(order)
    order = order + 1
    !$omp end task
  end do
  !$omp taskyield
  !$omp taskwait
  if (order /= 50) wrong = wrong + 1
  call fibonacci(15, result)
  if (result /= 610) wrong = wrong + 1
  !$omp end single
  !$omp end parallel
  if (wrong /= 0) then
    print *, 'tasks: checks that failed:', wrong, 'threads:', omp_get_max_threads()
    stop 1
  end if
contains
  recursive subroutine fibonacci(n, value)
    integer, intent(in) :: n
    integer, intent(out) :: value
    integer :: left, right
    if (n < 2) then
      value = n
      return
    end if
    !$omp task shared(left) final(n < 8)
    call fibonacci(n - 1, left)
    !$omp end task
    !$omp task shared(right)
    call fibonacci(n - 2, right)
    !$omp end task
    !$omp taskwait
    value = left + right
  end subroutine
end program
