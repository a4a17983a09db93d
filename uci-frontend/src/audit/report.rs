//! What the audit prints: a line for each game, for people or for programs, and a summary.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;

use super::record::Record;
use super::verdict::{Class, Finding, Ruled};

/// The report on one game.
#[derive(Debug, Serialize)]
pub struct GameReport {
    /// The file it stands in.
    pub file: String,
    /// Its number in the file, from 1.
    pub game: u64,
    /// The line of the file on which it starts.
    pub line: u64,
    /// The result of the record.
    pub recorded: String,
    /// How the record stands beside the Laws.
    pub class: Class,
    /// The ruling, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ruled: Option<Ruled>,
    /// What is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub problem: Option<String>,
    /// What a person should know, though the result stands.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub remarks: Vec<String>,
    /// Oddities of the text.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Legal plies of the main line.
    pub plies: usize,
    /// The mover's clock in seconds after each ply that has one.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub clk_s: BTreeMap<usize, f64>,
    /// The time taken in seconds for each ply that has one.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub emt_s: BTreeMap<usize, f64>,
    /// The tags.
    pub tags: BTreeMap<String, String>,
}

impl GameReport {
    /// A report from what was read and found.
    pub fn new(
        file: &str,
        number: u64,
        line: u64,
        record: Record,
        plies: usize,
        finding: Finding,
    ) -> Self {
        let seconds = |times: BTreeMap<usize, i64>| {
            times.into_iter().map(|(ply, ms)| (ply, ms as f64 / 1000.0)).collect()
        };
        Self {
            file: file.to_owned(),
            game: number,
            line,
            recorded: record.result(),
            class: finding.class,
            ruled: finding.ruled,
            problem: finding.problem,
            remarks: finding.remarks,
            warnings: record.warnings,
            plies,
            clk_s: seconds(record.clocks),
            emt_s: seconds(record.elapsed),
            tags: record.tags,
        }
    }

    /// The report as one line of JSON.
    pub fn json(&self) -> String {
        // Maps with number keys, strings and numbers always become JSON.
        serde_json::to_string(self).unwrap_or_default()
    }

    /// The report as one line for people.
    pub fn text(&self) -> String {
        let tag = |name: &str| self.tags.get(name).map_or("?", String::as_str);
        let mut line = format!(
            "{}:{}  {} - {}  {}  ",
            self.file,
            self.game,
            tag("White"),
            tag("Black"),
            self.recorded
        );
        line += match self.class {
            Class::Agrees => "agrees",
            Class::Differs => "DIFFERS",
            Class::Unfinished => "unfinished",
            Class::Skipped => "skipped",
            Class::Failed => "FAILED",
        };
        if let Some(problem) = &self.problem {
            line += &format!(": {problem}");
        }
        if let Some(ruled) = &self.ruled {
            line += &format!(
                ": {} by {}, article {}, after ply {} of {}",
                ruled.result,
                ruled.reason.replace('_', " "),
                ruled.article,
                ruled.ply,
                self.plies
            );
            if self.class == Class::Differs && !ruled.evidence.is_empty() {
                line += &format!(" (mate is possible: {})", ruled.evidence.join(" "));
            }
        }
        for note in self.remarks.iter().chain(&self.warnings) {
            line += &format!("; {note}");
        }
        // A tag may hold anything; a report is one line.
        line.replace(|c: char| c.is_control(), " ")
    }
}

/// The sums.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// Games read.
    pub games: u64,
    /// Legal plies replayed.
    pub plies: u64,
    /// Games whose result is what the Laws give.
    pub agree: u64,
    /// Games whose result is not.
    pub differ: u64,
    /// Games without a result.
    pub unfinished: u64,
    /// Games that are not chess.
    pub skipped: u64,
    /// Games on which the arbiter could not rule.
    #[serde(skip_serializing_if = "is_zero")]
    pub failed: u64,
}

fn is_zero(count: &u64) -> bool {
    *count == 0
}

impl Summary {
    /// Counts a game.
    pub fn count(&mut self, report: &GameReport) {
        self.games += 1;
        self.plies += report.plies as u64;
        *match report.class {
            Class::Agrees => &mut self.agree,
            Class::Differs => &mut self.differ,
            Class::Unfinished => &mut self.unfinished,
            Class::Skipped => &mut self.skipped,
            Class::Failed => &mut self.failed,
        } += 1;
    }

    /// The sums for people.
    pub fn text(&self, time: Duration) -> String {
        let Self { games, plies, agree, differ, unfinished, skipped, failed } = self;
        let failed = match failed {
            0 => String::new(),
            _ => format!(", {failed} failed"),
        };
        let seconds = time.as_secs_f64();
        let rate = *games as f64 / seconds.max(1e-9);
        format!(
            "{games} games, {plies} plies: {agree} agree, {differ} differ, {unfinished} unfinished, \
             {skipped} skipped{failed}; {seconds:.2} s, {rate:.0} games/s"
        )
    }

    /// The sums as JSON.
    pub fn json(&self, time: Duration) -> String {
        serde_json::json!({ "summary": self, "seconds": time.as_secs_f64() }).to_string()
    }
}
