/**
 * The cycles of a graph, each by one way around it. Every group of nodes that reach one another shows at least once;
 * an empty list means that there are none.
 */
export const cyclesOf = (targets: ReadonlyMap<string, readonly string[]>): string[][] => {
  const cycles: string[][] = [];
  const finished = new Set<string>();
  const visit = (node: string, way: readonly string[]): void => {
    const start = way.indexOf(node);
    if (start >= 0) cycles.push([...way.slice(start), node]);
    if (start >= 0 || finished.has(node)) return;
    for (const target of targets.get(node) ?? []) visit(target, [...way, node]);
    finished.add(node);
  };
  for (const node of targets.keys()) visit(node, []);
  return cycles;
};
