//! Stopping a search from outside.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The handle that stops a search or tells it that the expected move was played.
///
/// Make a new one for every search, at the moment the order arrives: its age counts as time spent.
/// Clones share their state; what was said before the search began is not lost.
#[derive(Clone, Debug)]
pub struct Control {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    started: Instant,
    stop: AtomicBool,
    ponderhit: AtomicBool,
    /// When the ponder hit came; guards the sleep of a search that has finished early.
    hit_at: Mutex<Option<Instant>>,
    changed: Condvar,
}

impl Control {
    /// A control for a search whose time starts now.
    pub fn new() -> Self {
        Self {
            shared: Arc::new(Shared {
                started: Instant::now(),
                stop: AtomicBool::new(false),
                ponderhit: AtomicBool::new(false),
                hit_at: Mutex::new(None),
                changed: Condvar::new(),
            }),
        }
    }

    /// Makes the search return as soon as it can, with the best move so far.
    pub fn stop(&self) {
        let _guard = self.shared.hit_at.lock().unwrap_or_else(PoisonError::into_inner);
        self.shared.stop.store(true, Ordering::Relaxed);
        self.shared.changed.notify_all();
    }

    /// The move pondered on was played: from now on the limits count.
    pub fn ponderhit(&self) {
        let mut hit_at = self.shared.hit_at.lock().unwrap_or_else(PoisonError::into_inner);
        hit_at.get_or_insert_with(Instant::now);
        self.shared.ponderhit.store(true, Ordering::Relaxed);
        self.shared.changed.notify_all();
    }

    /// Whether [`Control::stop`] was called.
    #[inline]
    pub fn is_stopped(&self) -> bool {
        self.shared.stop.load(Ordering::Relaxed)
    }

    /// Whether [`Control::ponderhit`] was called.
    #[inline]
    pub fn is_ponderhit(&self) -> bool {
        self.shared.ponderhit.load(Ordering::Relaxed)
    }

    /// Time since the control was made.
    pub fn elapsed(&self) -> Duration {
        self.shared.started.elapsed()
    }

    /// Time between the making of the control and the ponder hit, if that has come.
    pub(super) fn ponder_time(&self) -> Option<Duration> {
        let hit_at = *self.shared.hit_at.lock().unwrap_or_else(PoisonError::into_inner);
        hit_at.map(|at| at.saturating_duration_since(self.shared.started))
    }

    /// Sleeps until stopped, or until the ponder hit where `or_ponderhit` is set.
    pub(super) fn wait(&self, or_ponderhit: bool) {
        let mut guard = self.shared.hit_at.lock().unwrap_or_else(PoisonError::into_inner);
        while !(self.is_stopped() || or_ponderhit && guard.is_some()) {
            guard = self.shared.changed.wait(guard).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl Default for Control {
    fn default() -> Self {
        Self::new()
    }
}
