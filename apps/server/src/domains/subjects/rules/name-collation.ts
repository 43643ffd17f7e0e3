/** In what order? The database's own may put every capital before every small letter, and accents last. */
const collator = new Intl.Collator('en', { numeric: true });

interface Named {
  id: number;
  name: string;
}

/** As in a class register; of two with one name, the elder comes first. */
export const compareByName = (one: Named, other: Named): number =>
  collator.compare(one.name, other.name) || one.id - other.id;
