import { expect, test } from 'vitest';
import { dueAmounts, familyListItem } from '../../test/family-and-payment-fixtures.ts';
import { sortFamilies } from './filter-and-sort-families.ts';

test('sorts families by how long they are overdue, then by due date, or by a column', () => {
  const families = [
    familyListItem({ id: 1, name: 'Ana', balances: [], due: [], nextLesson: null }),
    familyListItem({ id: 2, name: 'Ben', due: dueAmounts({ dueOn: '2026-11-20' }) }),
    familyListItem({
      id: 3,
      name: 'Cy',
      due: dueAmounts({ overdue: 1, overdueSince: '2026-11-10' }),
    }),
    familyListItem({
      id: 4,
      name: 'Di',
      due: dueAmounts({ overdue: 1, overdueSince: '2026-10-01' }),
    }),
  ];
  const ids = (sort?: Parameters<typeof sortFamilies>[1]) =>
    sortFamilies(families, sort).map(({ id }) => id);
  expect(ids()).toEqual([4, 3, 2, 1]);
  expect(ids({ by: 'name', direction: 'desc' })).toEqual([4, 3, 2, 1]);
  expect(ids({ by: 'next', direction: 'asc' })).toEqual([2, 3, 4, 1]);
  expect(ids({ by: 'balance', direction: 'asc' })).toEqual([1, 2, 3, 4]);
});
