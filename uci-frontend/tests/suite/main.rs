//! Tests that run the built program as its users do.

mod arbiter;
mod audit;
mod check_engine;
mod commands;
mod eval;
mod host;
mod tournament;
mod tournament_files;
mod tournament_runs;
mod uci;
mod uci_arbiter;
mod uci_fuzz;
mod uci_options;
mod uci_reports;
