// Measures the arrows between files: circles, reach and floors. Pure graph work, no knowledge of rooms.

export type Graph = ReadonlyMap<string, readonly string[]>;

/** Every group of files that reach each other, each with one closed walk through it (first file repeated at the end). */
export function circles(
  graph: Graph,
): readonly { readonly files: readonly string[]; readonly walk: readonly string[] }[] {
  return components(graph)
    .filter((group) => group.length > 1 || (graph.get(group[0] ?? '') ?? []).includes(group[0] ?? ''))
    .map((group) => ({ files: group.toSorted(), walk: shortestWalk(graph, group) }));
}

// Tarjan's algorithm with its own stack; a component comes out after everything it reaches.
function components(graph: Graph): string[][] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const open: string[] = [];
  const isOpen = new Set<string>();
  const groups: string[][] = [];
  const enter = (node: string): void => {
    index.set(node, index.size);
    low.set(node, index.size - 1);
    open.push(node);
    isOpen.add(node);
  };
  const lower = (node: string, to: number): void => {
    low.set(node, Math.min(low.get(node) ?? to, to));
  };
  for (const start of graph.keys()) {
    if (index.has(start)) continue;
    enter(start);
    const path = [{ node: start, next: 0 }];
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const target = graph.get(top.node)?.[top.next];
      top.next += 1;
      if (target !== undefined && !index.has(target)) {
        enter(target);
        path.push({ node: target, next: 0 });
      } else if (target !== undefined) {
        if (isOpen.has(target)) lower(top.node, index.get(target) ?? 0);
      } else {
        path.pop();
        const parent = path.at(-1);
        if (parent !== undefined) lower(parent.node, low.get(top.node) ?? 0);
        if (low.get(top.node) === index.get(top.node)) {
          const group = open.splice(open.indexOf(top.node));
          for (const node of group) isOpen.delete(node);
          groups.push(group);
        }
      }
    }
  }
  return groups;
}

function shortestWalk(graph: Graph, group: readonly string[]): readonly string[] {
  const inside = new Set(group);
  const start = group.toSorted()[0] ?? '';
  const cameFrom = new Map<string, string>();
  const queue = [start];
  for (const node of queue) {
    for (const target of graph.get(node) ?? []) {
      if (target === start) {
        const walk = [start];
        for (let at = node; at !== start; at = cameFrom.get(at) ?? start) walk.push(at);
        return [...walk, start].toReversed();
      }
      if (!inside.has(target) || cameFrom.has(target)) continue;
      cameFrom.set(target, node);
      queue.push(target);
    }
  }
  return group;
}

/** The average share (0 to 1) of all other files that can be reached from a file. */
export function reach(graph: Graph): number {
  if (graph.size < 2) return 0;
  let total = 0;
  for (const start of graph.keys()) {
    const seen = new Set([start]);
    for (const node of seen) for (const target of graph.get(node) ?? []) seen.add(target);
    total += seen.size - 1;
  }
  return total / (graph.size * (graph.size - 1));
}

/** The number of files on the longest walk downwards; a circle counts as one floor. */
export function countFloors(graph: Graph): number {
  const groups = components(graph);
  const groupOf = new Map(groups.flatMap((group, at) => group.map((node) => [node, at] as const)));
  const height: number[] = [];
  for (const [at, group] of groups.entries()) {
    const below = group
      .flatMap((node) => graph.get(node) ?? [])
      .map((node) => groupOf.get(node) ?? at)
      .filter((other) => other !== at);
    height.push(1 + Math.max(0, ...below.map((other) => height[other] ?? 0)));
  }
  return Math.max(0, ...height);
}
