//! The tests of the arbiter.

mod article10_12;
mod article1_3;
mod article4;
mod article5;
mod article6;
mod article7;
mod article8;
mod article9;
mod coverage;
mod editions;
mod ffi;
mod generated;
mod reports;
mod scene;
mod winnable;
