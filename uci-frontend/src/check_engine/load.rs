//! A busy machine: a thread for each processor that only counts.

use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

/// Keeps every processor busy until it is dropped.
pub struct Load {
    stop: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

impl Load {
    /// Starts the threads; where one cannot be had, there are fewer.
    pub fn start() -> Self {
        let stop = Arc::new(AtomicBool::new(false));
        let count = thread::available_parallelism().map_or(1, usize::from);
        let threads = (0..count)
            .filter_map(|_| {
                let stop = Arc::clone(&stop);
                let spin = move || {
                    let mut number = 0_u64;
                    while !stop.load(Ordering::Relaxed) {
                        number = black_box(number.wrapping_add(1));
                    }
                };
                thread::Builder::new().name("load".to_owned()).spawn(spin).ok()
            })
            .collect();
        Self { stop, threads }
    }
}

impl Drop for Load {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        for thread in self.threads.drain(..) {
            // The threads cannot fail.
            let _ = thread.join();
        }
    }
}
