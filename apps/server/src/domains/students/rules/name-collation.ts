/** The database collation may sort capitals before lower-case letters, and accented letters last. */
const collator = new Intl.Collator('en');

interface Named {
  id: number;
  name: string;
}

/** Sorts by name, then by id. */
export const compareByName = (a: Named, b: Named): number =>
  collator.compare(a.name, b.name) || a.id - b.id;
