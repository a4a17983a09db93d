//! Process groups, pipes that do not block, and the kernel's word that a process ended.

use std::io::{self, Read, Write};
use std::os::fd::{AsRawFd, RawFd};
use std::os::unix::process::CommandExt;
use std::process::{Child, ChildStdin, ChildStdout, Command};
use std::time::Instant;

/// Puts the child in a process group of its own, lets the kernel end it when this program dies,
/// and binds it to a processor.
pub fn prepare(command: &mut Command, cpu: Option<usize>) {
    command.process_group(0);
    let parent = std::process::id();
    let prepare = move || {
        #[cfg(target_os = "linux")]
        {
            // SAFETY: `prctl` with PR_SET_PDEATHSIG only sets a flag of the calling process.
            if unsafe { libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGKILL) } != 0 {
                return Err(io::Error::last_os_error());
            }
            if std::os::unix::process::parent_id() != parent {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            if let Some(cpu) = cpu {
                // SAFETY: an all-zero `cpu_set_t` is the empty set.
                let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
                debug_assert!(cpu < libc::CPU_SETSIZE as usize);
                // SAFETY: `set` is live, and `cpu` is one of `processors()`.
                unsafe { libc::CPU_SET(cpu, &mut set) };
                // SAFETY: `set` is live, its size is given, and the call only reads it.
                let status =
                    unsafe { libc::sched_setaffinity(0, size_of::<libc::cpu_set_t>(), &set) };
                if status != 0 {
                    return Err(io::Error::last_os_error());
                }
            }
        }
        #[cfg(not(target_os = "linux"))]
        let _ = (parent, cpu);
        Ok(())
    };
    // SAFETY: the closure runs between fork and exec and makes only async-signal-safe system
    // calls; it neither allocates nor takes a lock.
    unsafe { command.pre_exec(prepare) };
}

/// Processors that this program may use; `None` where engines cannot be bound to one.
#[cfg(target_os = "linux")]
pub fn processors() -> Option<Vec<usize>> {
    // SAFETY: an all-zero `cpu_set_t` is the empty set.
    let mut set: libc::cpu_set_t = unsafe { std::mem::zeroed() };
    // SAFETY: `set` is live and writable, and its size is given.
    let status = unsafe { libc::sched_getaffinity(0, size_of::<libc::cpu_set_t>(), &mut set) };
    // SAFETY: the number is less than the size of the set, which the call only reads.
    let is_there = |cpu: &usize| unsafe { libc::CPU_ISSET(*cpu, &set) };
    (status == 0).then(|| (0..libc::CPU_SETSIZE as usize).filter(is_there).collect())
}

/// Processors that this program may use; `None` where engines cannot be bound to one.
#[cfg(not(target_os = "linux"))]
pub fn processors() -> Option<Vec<usize>> {
    None
}

/// Ends a process that was started with [`prepare`] and everything it started.
pub fn kill_group(process: u32) {
    let group = process as i32;
    debug_assert!(group > 1);
    // SAFETY: `kill` has no memory effects; the group belongs to a child that is not yet reaped,
    // so its number cannot have been given to anyone else.
    unsafe { libc::kill(-group, libc::SIGKILL) };
}

/// Whether the process ended by itself; it stays unreaped, so its number stays taken.
pub fn has_exited(child: &mut Child) -> bool {
    // SAFETY: an all-zero `siginfo_t` is a valid value of that plain C structure.
    let mut info: libc::siginfo_t = unsafe { std::mem::zeroed() };
    let flags = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
    // SAFETY: `info` is a live, writable siginfo_t; WNOWAIT leaves the child to `wait`.
    let status = unsafe { libc::waitid(libc::P_PID, child.id(), &mut info, flags) };
    // SAFETY: `waitid` filled in the child's fields or left the zeros.
    debug_assert!(status != 0 || unsafe { info.si_pid() } >= 0);
    // SAFETY: as above.
    status != 0 || unsafe { info.si_pid() } != 0
}

/// The engine's input.
pub struct Input(ChildStdin);

impl Input {
    /// Takes the pipe over.
    ///
    /// # Errors
    /// None here.
    pub fn new(stdin: ChildStdin) -> io::Result<Self> {
        set_nonblocking(stdin.as_raw_fd());
        Ok(Self(stdin))
    }

    /// Writes everything; gives up at the deadline.
    ///
    /// # Errors
    /// The engine does not read, or is gone.
    pub fn write(&mut self, text: &str, deadline: Instant) -> io::Result<()> {
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            match self.0.write(rest) {
                Ok(written) => rest = &rest[written..],
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    wait(self.0.as_raw_fd(), libc::POLLOUT, deadline)?;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// The engine's output, for who reads it himself.
pub struct Output(ChildStdout);

impl Output {
    /// Takes the pipe over.
    pub fn new(stdout: ChildStdout) -> Self {
        set_nonblocking(stdout.as_raw_fd());
        Self(stdout)
    }

    /// Reads what there is, or waits for it until the deadline; nothing at the end.
    ///
    /// # Errors
    /// The deadline passed, or the pipe is broken.
    pub fn read(&mut self, buffer: &mut [u8], deadline: Instant) -> io::Result<usize> {
        loop {
            match self.0.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    wait(self.0.as_raw_fd(), libc::POLLIN, deadline)?;
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => return other,
            }
        }
    }
}

fn set_nonblocking(fd: RawFd) {
    // SAFETY: the caller owns the open pipe; F_GETFL/F_SETFL touch no memory.
    let status = unsafe {
        let flags = libc::fcntl(fd, libc::F_GETFL);
        libc::fcntl(fd, libc::F_SETFL, flags | libc::O_NONBLOCK)
    };
    debug_assert_eq!(status, 0);
}

/// Waits until a pipe can be read or written.
fn wait(fd: RawFd, events: libc::c_short, deadline: Instant) -> io::Result<()> {
    let left = deadline.saturating_duration_since(Instant::now());
    if left.is_zero() {
        return Err(io::ErrorKind::TimedOut.into());
    }
    let mut poll = libc::pollfd { fd, events, revents: 0 };
    // A part of a millisecond is waited for as a whole one.
    let milliseconds = i32::try_from(left.as_millis() + 1).unwrap_or(i32::MAX);
    // SAFETY: `poll` is one live pollfd and the count says one.
    let ready = unsafe { libc::poll(&mut poll, 1, milliseconds) };
    debug_assert!(ready <= 1);
    Ok(())
}
