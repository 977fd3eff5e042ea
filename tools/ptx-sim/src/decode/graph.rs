//! Strongly connected components of graphs: of the blocks of a function, and of the functions of a module.

/// Tarjan's algorithm without recursion.
struct Tarjan<'a> {
    next: &'a [&'a [usize]],
    member: &'a [bool],
    /// The order in which nodes were entered; none if not entered yet.
    index: Vec<Option<usize>>,
    low: Vec<usize>,
    on_stack: Vec<bool>,
    stack: Vec<usize>,
    components: Vec<Vec<usize>>,
    count: usize,
}

/// The components that `roots` reach inside `member`, in reverse topological order, where `next` has the successors of each node; the node
/// entered first is last in each.
pub(crate) fn strongly_connected(next: &[&[usize]], roots: &[usize], member: &[bool]) -> Vec<Vec<usize>> {
    let n = next.len();
    let (stack, components) = (Vec::new(), Vec::new());
    let (index, low, on_stack) = (vec![None; n], vec![0; n], vec![false; n]);
    let mut tarjan = Tarjan { next, member, index, low, on_stack, stack, components, count: 0 };
    for &root in roots {
        if member[root] && tarjan.index[root].is_none() {
            tarjan.walk(root);
        }
    }
    tarjan.components
}

impl Tarjan<'_> {
    fn enter(&mut self, node: usize) {
        self.index[node] = Some(self.count);
        self.low[node] = self.count;
        self.count += 1;
        self.stack.push(node);
        self.on_stack[node] = true;
    }

    fn walk(&mut self, root: usize) {
        let mut path = vec![(root, 0)];
        self.enter(root);
        while let Some((node, child)) = path.last_mut() {
            let node = *node;
            let Some(&next) = self.next[node].get(*child) else {
                path.pop();
                if let Some(&(parent, _)) = path.last() {
                    self.low[parent] = self.low[parent].min(self.low[node]);
                }
                self.leave(node);
                continue;
            };
            *child += 1;
            match self.index[next] {
                _ if !self.member[next] => {}
                None => {
                    self.enter(next);
                    path.push((next, 0));
                }
                Some(index) if self.on_stack[next] => self.low[node] = self.low[node].min(index),
                Some(_) => {}
            }
        }
    }

    fn leave(&mut self, node: usize) {
        if self.index[node] != Some(self.low[node]) {
            return;
        }
        let from = self.stack.iter().rposition(|&b| b == node).unwrap_or(0);
        let mut component = self.stack.split_off(from);
        component.iter().for_each(|&b| self.on_stack[b] = false);
        component.reverse();
        self.components.push(component);
    }
}
