/** Tables in an order in which each comes after those it leans on. */
export function topologicalSort(
  tables: readonly string[],
  dependencies: readonly { table: string; on: string }[],
): string[] {
  const done: string[] = [];
  let waiting = [...tables];
  while (waiting.length > 0) {
    const free = waiting.filter((table) =>
      dependencies.every((each) => each.table !== table || !waiting.includes(each.on)),
    );
    if (free.length === 0) throw new Error(`They lean on each other: ${waiting.join(', ')}`);
    done.push(...free);
    waiting = waiting.filter((table) => !free.includes(table));
  }
  return done;
}
