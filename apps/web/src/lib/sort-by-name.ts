const collator = new Intl.Collator('en');

/** Sorts people by name, then by id. */
export const sortByName = <T extends { id: number; name: string }>(items: readonly T[]): T[] =>
  items.toSorted((a, b) => collator.compare(a.name, b.name) || a.id - b.id);
