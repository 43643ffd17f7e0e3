/** Orders the tables so that each one comes after the tables it references. */
export function topologicalSort(
  tables: readonly string[],
  dependencies: readonly { table: string; dependsOn: string }[],
): string[] {
  const sorted: string[] = [];
  let remaining = [...tables];
  while (remaining.length > 0) {
    const ready = remaining.filter((table) =>
      dependencies.every(
        (dependency) => dependency.table !== table || !remaining.includes(dependency.dependsOn),
      ),
    );
    if (ready.length === 0) throw new Error(`Circular foreign keys: ${remaining.join(', ')}`);
    sorted.push(...ready);
    remaining = remaining.filter((table) => !ready.includes(table));
  }
  return sorted;
}
