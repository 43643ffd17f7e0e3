/** The collation of the database may sort capitals before small letters, and accents last. */
const collator = new Intl.Collator('en', { numeric: true });

interface Named {
  id: number;
  name: string;
}

/** By name, then by id. */
export const compareByName = (a: Named, b: Named): number =>
  collator.compare(a.name, b.name) || a.id - b.id;
