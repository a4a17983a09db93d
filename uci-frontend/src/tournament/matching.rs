//! Largest matchings of a graph: how many can be paired when not everyone may meet everyone.
//! Edmonds' algorithm: paths that alternate between free and taken edges are searched from each
//! unpaired vertex, and odd cycles on the way are shrunk to one vertex.

/// Partners in a largest matching of `count` vertices, of which `edge` says who may meet.
pub fn largest(count: usize, edge: impl Fn(usize, usize) -> bool) -> Vec<Option<usize>> {
    let neighbours: Vec<Vec<usize>> = (0..count)
        .map(|a| (0..count).filter(|&b| a != b && edge(a.min(b), a.max(b))).collect())
        .collect();
    let mut partners: Vec<Option<usize>> = vec![None; count];
    for vertex in 0..count {
        if partners[vertex].is_none()
            && let Some(&free) = neighbours[vertex].iter().find(|&&other| partners[other].is_none())
        {
            partners[vertex] = Some(free);
            partners[free] = Some(vertex);
        }
    }
    for root in 0..count {
        if partners[root].is_some() {
            continue;
        }
        let mut tree = Tree::new(root, &neighbours, &partners);
        let mut end = tree.path_to_a_free_vertex();
        let parents = tree.parents;
        // Swap free and taken edges on the way back to the root.
        while let Some(vertex) = end {
            let before = parents[vertex];
            end = before.and_then(|before| partners[before]);
            partners[vertex] = before;
            if let Some(before) = before {
                partners[before] = Some(vertex);
            }
        }
    }
    partners
}

/// The alternating tree that grows from an unpaired vertex.
struct Tree<'a> {
    root: usize,
    neighbours: &'a [Vec<usize>],
    partners: &'a [Option<usize>],
    /// The vertex before, over a free edge.
    parents: Vec<Option<usize>>,
    /// Representative of the shrunk cycle that a vertex belongs to.
    bases: Vec<usize>,
    /// Reached over an even number of edges.
    outer: Vec<bool>,
    queue: Vec<usize>,
}

impl<'a> Tree<'a> {
    fn new(root: usize, neighbours: &'a [Vec<usize>], partners: &'a [Option<usize>]) -> Self {
        let count = neighbours.len();
        let mut outer = vec![false; count];
        outer[root] = true;
        Self {
            root,
            neighbours,
            partners,
            parents: vec![None; count],
            bases: (0..count).collect(),
            outer,
            queue: vec![root],
        }
    }

    fn path_to_a_free_vertex(&mut self) -> Option<usize> {
        let mut at = 0;
        while let Some(&vertex) = self.queue.get(at) {
            at += 1;
            for &next in &self.neighbours[vertex] {
                if self.bases[vertex] == self.bases[next] || self.partners[vertex] == Some(next) {
                    continue;
                }
                let reached = self.partners[next].is_some_and(|mate| self.parents[mate].is_some());
                if next == self.root || reached {
                    self.shrink(vertex, next);
                } else if self.parents[next].is_none() {
                    self.parents[next] = Some(vertex);
                    match self.partners[next] {
                        None => return Some(next),
                        Some(mate) => {
                            self.outer[mate] = true;
                            self.queue.push(mate);
                        }
                    }
                }
            }
        }
        None
    }

    /// Two outer vertices meet: the cycle through them becomes one vertex.
    fn shrink(&mut self, a: usize, b: usize) {
        let base = self.common_base(a, b);
        let mut in_cycle = vec![false; self.bases.len()];
        self.mark(a, base, b, &mut in_cycle);
        self.mark(b, base, a, &mut in_cycle);
        for vertex in 0..self.bases.len() {
            if in_cycle[self.bases[vertex]] {
                self.bases[vertex] = base;
                if !std::mem::replace(&mut self.outer[vertex], true) {
                    self.queue.push(vertex);
                }
            }
        }
    }

    fn common_base(&self, a: usize, b: usize) -> usize {
        let mut seen = vec![false; self.bases.len()];
        let mut above = Some(a);
        while let Some(vertex) = above {
            let base = self.bases[vertex];
            seen[base] = true;
            above = self.partners[base].and_then(|mate| self.parents[mate]);
        }
        let mut base = self.bases[b];
        while !seen[base] {
            let above = self.partners[base].and_then(|mate| self.parents[mate]);
            base = self.bases[above.unwrap_or(self.root)];
        }
        base
    }

    fn mark(&mut self, mut vertex: usize, base: usize, mut child: usize, in_cycle: &mut [bool]) {
        while self.bases[vertex] != base {
            let Some(mate) = self.partners[vertex] else { return };
            in_cycle[self.bases[vertex]] = true;
            in_cycle[self.bases[mate]] = true;
            self.parents[vertex] = Some(child);
            child = mate;
            let Some(above) = self.parents[mate] else { return };
            vertex = above;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The size of a largest matching, by trying everything; only `edges[a][b]` with a < b count.
    fn by_trying(edges: &[Vec<bool>], unused: &[usize]) -> usize {
        let Some((&first, rest)) = unused.split_first() else { return 0 };
        let mut most = by_trying(edges, rest);
        for (at, &other) in rest.iter().enumerate() {
            if edges[first][other] {
                let mut left = rest.to_vec();
                left.remove(at);
                most = most.max(1 + by_trying(edges, &left));
            }
        }
        most
    }

    #[test]
    fn no_larger_matching_exists() {
        let mut rng = fastrand::Rng::with_seed(1);
        for round in 0..400 {
            let count = rng.usize(0..=9);
            let share = rng.f64();
            let mut row = |_| (0..count).map(|_| rng.f64() < share).collect::<Vec<bool>>();
            let edges: Vec<Vec<bool>> = (0..count).map(&mut row).collect();
            let partners = largest(count, |a, b| edges[a][b]);
            for (vertex, partner) in partners.iter().enumerate() {
                let Some(partner) = *partner else { continue };
                assert_eq!(partners[partner], Some(vertex), "round {round}");
                assert!(edges[vertex.min(partner)][vertex.max(partner)], "round {round}");
            }
            let size = partners.iter().flatten().count() / 2;
            assert_eq!(size, by_trying(&edges, &(0..count).collect::<Vec<_>>()), "round {round}");
        }
    }
}
