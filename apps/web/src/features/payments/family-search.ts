import type { Family } from '@lessonbook/contract/families';

/** By the payer or by a child: every word must be there somewhere. */
export function matching(search: string): (family: Family) => boolean {
  const words = search.toLowerCase().split(/\s+/);
  return ({ name, students }) => {
    const text = [name, ...students].join(' ').toLowerCase();
    return words.every((word) => text.includes(word));
  };
}

/** Those who owe first, who has waited longest before all; the others stay by name, as the server sends them. */
export const inOrder = (families: readonly Family[]): Family[] =>
  families.toSorted((one, other) => waiting(one).localeCompare(waiting(other)));

const NOT_WAITING = '9999';

const waiting = ({ balances, oldestDue }: Family): string =>
  balances.some(({ owed }) => owed > 0) ? (oldestDue ?? '0000') : NOT_WAITING;
