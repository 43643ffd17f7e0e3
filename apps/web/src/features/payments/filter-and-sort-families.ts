import type { FamilyListItem } from '@lessonbook/contract/families';

export type FamilyFilter = 'overdue' | 'uninvoiced' | 'credit';

export function matchesFilter({ due, balances }: FamilyListItem, filter: FamilyFilter): boolean {
  if (filter === 'overdue') return due.some(({ overdue }) => overdue > 0);
  if (filter === 'uninvoiced') return due.some(({ uninvoiced }) => uninvoiced > 0);
  return balances.some(({ credit }) => credit > 0);
}

export type FamilySortKey = 'name' | 'next' | 'balance';
export interface FamilySort {
  by: FamilySortKey;
  direction: 'asc' | 'desc';
}

/** By default, sorts the longest overdue first, then by due date. The list is already sorted by name. */
export function sortFamilies(
  families: readonly FamilyListItem[],
  sort: FamilySort | undefined,
): FamilyListItem[] {
  if (!sort) return families.toSorted((a, b) => dueSortKey(a).localeCompare(dueSortKey(b)));
  const compare = comparators[sort.by];
  return families.toSorted((a, b) => (sort.direction === 'asc' ? compare(a, b) : compare(b, a)));
}

type Compare = (a: FamilyListItem, b: FamilyListItem) => number;

const comparators: Record<FamilySortKey, Compare> = {
  name: (a, b) => a.name.localeCompare(b.name, 'en-GB'),
  next: (a, b) => nextLessonSortKey(a).localeCompare(nextLessonSortKey(b)),
  balance: (a, b) => totalBalance(a) - totalBalance(b),
};

/** Sorts after every date. */
const NEVER = '9999';

const nextLessonSortKey = ({ nextLesson }: FamilyListItem): string =>
  nextLesson ? `${nextLesson.date} ${nextLesson.startTime}` : NEVER;

const totalBalance = ({ balances }: FamilyListItem): number =>
  balances.reduce((sum, { owed, credit }) => sum + owed - credit, 0);

function dueSortKey({ due }: FamilyListItem): string {
  const dates = due.flatMap(({ overdueSince, dueOn }) => overdueSince ?? dueOn ?? []).toSorted();
  const group = due.some(({ overdue }) => overdue > 0) ? 0 : due.length > 0 ? 1 : 2;
  return `${group} ${dates[0] ?? NEVER}`;
}
