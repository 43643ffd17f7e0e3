/** Tables in an order in which each comes after those it leans on. */
export function inOrder(
  tables: readonly string[],
  leaning: readonly { table: string; on: string }[],
): string[] {
  const done: string[] = [];
  let waiting = [...tables];
  while (waiting.length > 0) {
    const free = waiting.filter((table) =>
      leaning.every((each) => each.table !== table || !waiting.includes(each.on)),
    );
    if (free.length === 0) throw new Error(`They lean on each other: ${waiting.join(', ')}`);
    done.push(...free);
    waiting = waiting.filter((table) => !free.includes(table));
  }
  return done;
}
