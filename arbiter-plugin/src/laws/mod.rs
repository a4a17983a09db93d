//! The Laws, one file per Article: which events it hears and what it rules.

pub(crate) mod article10;
mod article11;
mod article12;
mod article3;
pub(crate) mod article4;
mod article5;
mod article6;
pub(crate) mod article7;
pub(crate) mod article8;
mod article9;
mod hearing;
