! SPDX-License-Identifier: BSD-3-Clause
! Fortran's calls, by `use mpi` or (F08) by `use mpi_f08`: a ring of messages in every way, then
! collective operations. Says what it sent.
#ifdef F08
#define MODULE mpi_f08
#define HANDLE(name) type(name)
#define STATUS(name) type(MPI_Status) :: name
#define STATUSES(name, count) type(MPI_Status) :: name(count)
#define SOURCE(status) status%MPI_SOURCE
#define SOURCE_AT(statuses, place) statuses(place)%MPI_SOURCE
#else
#define MODULE mpi
#define HANDLE(name) integer
#define STATUS(name) integer :: name(MPI_STATUS_SIZE)
#define STATUSES(name, count) integer :: name(MPI_STATUS_SIZE, count)
#define SOURCE(status) status(MPI_SOURCE)
#define SOURCE_AT(statuses, place) statuses(MPI_SOURCE, place)
#endif
program ring
  use MODULE
  implicit none
  integer :: rank, size, next, previous, error, messages = 0, bytes = 0
  HANDLE(MPI_Comm) :: twin, half
  call mpi_init(error)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
  call mpi_comm_size(MPI_COMM_WORLD, size, error)
  next = mod(rank + 1, size)
  previous = mod(rank + size - 1, size)
  call mpi_comm_dup(MPI_COMM_WORLD, twin, error)
  call mpi_comm_set_name(twin, "the twin", error)
  call mpi_comm_split(MPI_COMM_WORLD, mod(rank, 2), rank, half, error)
  call nonblocking()
  call persistent()
  call blocking()
  call run_collectives()
  call mpi_barrier(half, error)
  if (rank == 0) print '(a,i0,a,i0,a)', 'sent ', messages * size, ' messages ', bytes * size, ' bytes'
  call mpi_comm_free(twin, error)
  call mpi_finalize(error)
contains
  subroutine count_sent(many, length)
    integer, intent(in) :: many, length
    messages = messages + many
    bytes = bytes + many * length
  end subroutine

  subroutine expect(value, expected, number)
    integer, intent(in) :: value, expected, number
    if (value /= expected) then
      print *, 'check ', number, ': ', value, ', expected ', expected
      stop 1
    end if
  end subroutine

  ! Two requests a time, completed in every way.
  subroutine nonblocking()
    integer :: in(4), out(4), i, left, done, place, places(2)
    HANDLE(MPI_Request) :: requests(2)
    STATUS(status)
    STATUSES(all_of_them, 2)
    logical :: flag
    out = rank
    do i = 1, 9
      call mpi_irecv(in, 4, MPI_INTEGER, MPI_ANY_SOURCE, i, twin, requests(1), error)
      call mpi_isend(out, 4, MPI_INTEGER, next, i, twin, requests(2), error)
      call count_sent(1, 16)
      left = 2
      flag = .false.
      select case (i)
      case (1)
        call mpi_waitall(2, requests, MPI_STATUSES_IGNORE, error)
      case (2)
        call mpi_waitall(2, requests, all_of_them, error)
        call expect(SOURCE_AT(all_of_them, 1), previous, i)
      case (3)
        call mpi_wait(requests(2), MPI_STATUS_IGNORE, error)
        do while (.not. flag)
          call mpi_test(requests(1), flag, status, error)
        end do
        call expect(SOURCE(status), previous, i)
      case (4)
        do while (left > 0)
          call mpi_waitany(2, requests, place, status, error)
          if (place == 1) call expect(SOURCE(status), previous, i)
          left = left - 1
        end do
      case (5)
        do while (left > 0)
          call mpi_waitsome(2, requests, done, places, all_of_them, error)
          left = left - done
        end do
      case (6)
        do while (.not. flag)
          call mpi_testall(2, requests, flag, MPI_STATUSES_IGNORE, error)
        end do
#ifndef WITHOUT_TESTANY
      case (7)
        do while (left > 0)
          call mpi_testany(2, requests, place, flag, status, error)
          if (flag) left = left - 1
        end do
#endif
      case (8)
        do while (left > 0)
          call mpi_testsome(2, requests, done, places, all_of_them, error)
          left = left - done
        end do
      case default
        call mpi_waitall(2, requests, MPI_STATUSES_IGNORE, error)
      end select
      call expect(in(1), previous, i)
    end do
  end subroutine

  subroutine persistent()
    integer :: in(2), out(2), i
    HANDLE(MPI_Request) :: requests(2)
    out = rank
    call mpi_recv_init(in, 2, MPI_INTEGER, previous, 20, twin, requests(1), error)
    call mpi_send_init(out, 2, MPI_INTEGER, next, 20, twin, requests(2), error)
    do i = 1, 3
      if (i == 1) then
        call mpi_startall(2, requests, error)
      else
        call mpi_start(requests(1), error)
        call mpi_start(requests(2), error)
      end if
      call mpi_waitall(2, requests, MPI_STATUSES_IGNORE, error)
      call count_sent(1, 8)
      call expect(in(2), previous, 20)
    end do
    call mpi_request_free(requests(1), error)
    call mpi_request_free(requests(2), error)
  end subroutine

  subroutine blocking()
    integer :: in(2), out(2)
    HANDLE(MPI_Message) :: message
    HANDLE(MPI_Request) :: request
    STATUS(status)
    out = rank
    if (rank == 0) then
      call mpi_send(out, 2, MPI_INTEGER, next, 9, MPI_COMM_WORLD, error)
      call mpi_recv(in, 2, MPI_INTEGER, MPI_ANY_SOURCE, 9, MPI_COMM_WORLD, status, error)
      call expect(SOURCE(status), previous, 30)
    else
      call mpi_recv(in, 2, MPI_INTEGER, previous, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
      call mpi_ssend(out, 2, MPI_INTEGER, next, 9, MPI_COMM_WORLD, error)
    end if
    call mpi_sendrecv(out, 1, MPI_INTEGER, next, 10, in, 1, MPI_INTEGER, previous, 10, MPI_COMM_WORLD, status, error)
    call mpi_sendrecv_replace(out, 1, MPI_INTEGER, next, 11, previous, 11, MPI_COMM_WORLD, MPI_STATUS_IGNORE, error)
    call expect(out(1), previous, 31)
    call mpi_isend(out, 1, MPI_INTEGER, next, 12, MPI_COMM_WORLD, request, error)
    call mpi_mprobe(previous, 12, MPI_COMM_WORLD, message, status, error)
    call mpi_mrecv(in, 1, MPI_INTEGER, message, MPI_STATUS_IGNORE, error)
    call mpi_wait(request, MPI_STATUS_IGNORE, error)
    call count_sent(1, 8)
    call count_sent(3, 4)
  end subroutine

  ! Ten collective operations of all ranks.
  subroutine run_collectives()
    integer :: counts(size), places(size), all(size), more(4 * size), total, i, out(4)
    HANDLE(MPI_Request) :: request
    counts = 1
    out = rank
    places = [(i - 1, i = 1, size)]
    total = rank
    call mpi_bcast(out, 4, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
    call mpi_allgather(out, 4, MPI_INTEGER, more, 4, MPI_INTEGER, MPI_COMM_WORLD, error)
    call mpi_allreduce(MPI_IN_PLACE, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    call expect(total, size * (size - 1) / 2, 40)
    call mpi_reduce(rank, total, 1, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, error)
    call mpi_allgatherv(rank, 1, MPI_INTEGER, all, counts, places, MPI_INTEGER, MPI_COMM_WORLD, error)
    call expect(all(size), size - 1, 41)
    call mpi_gatherv(rank, 1, MPI_INTEGER, all, counts, places, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
    call mpi_scatterv(all, counts, places, MPI_INTEGER, total, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, error)
    call expect(total, rank, 42)
    call mpi_alltoallv(all, counts, places, MPI_INTEGER, more, counts, places, MPI_INTEGER, MPI_COMM_WORLD, error)
    call mpi_exscan(rank, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, error)
    call mpi_ibarrier(MPI_COMM_WORLD, request, error)
    call mpi_wait(request, MPI_STATUS_IGNORE, error)
  end subroutine
end program
