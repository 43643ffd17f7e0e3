import type { DueAmounts } from '@lessonbook/contract/families';
import { expect, test } from 'vitest';
import { familyListItem } from '../../test/family-and-payment-fixtures.ts';
import { describeBalances, sortFamilies, totalDue } from './family-balance-filters.ts';

const TODAY = '2026-11-15';

const due = (change: Partial<DueAmounts>): DueAmounts[] => [
  {
    currency: 'GBP',
    overdue: 0,
    overdueSince: null,
    dueOn: null,
    uninvoiced: 0,
    withoutDueDate: 0,
    ...change,
  },
];

test.each([
  ['overdue', due({ overdue: 6500, overdueSince: '2026-11-03' }), '12 days overdue'],
  ['part-overdue', due({ overdue: 3000, overdueSince: '2026-11-14' }), '£30 overdue by 1 day'],
  ['due', due({ dueOn: '2026-11-30' }), 'Due Mon 30 Nov'],
  ['due', due({ dueOn: TODAY }), 'Due today'],
  [
    'due',
    due({ dueOn: '2026-11-30', uninvoiced: 3000, withoutDueDate: 3000 }),
    'Part due Mon 30 Nov',
  ],
  // Without any invoice, a lesson is due on its date.
  ['due', due({ dueOn: TODAY, uninvoiced: 6500 }), 'Due today'],
  ['due', due({ uninvoiced: 6500, withoutDueDate: 6500 }), 'Not invoiced yet'],
  ['due', due({}), 'On hold'],
])('F135 a balance is %s and says why: %j', (state, amounts, reason) => {
  expect(describeBalances(familyListItem({ due: amounts }), TODAY)).toEqual([
    { currency: 'GBP', state, amount: '£65', reason },
  ]);
});

test('each currency has its own line, and credit has no reason', () => {
  const family = familyListItem({
    balances: [
      { currency: 'EUR', owed: 0, credit: 4200 },
      { currency: 'GBP', owed: 6500, credit: 0 },
    ],
    due: due({ dueOn: '2026-11-30' }),
  });
  expect(describeBalances(family, TODAY).map(({ amount, reason }) => [amount, reason])).toEqual([
    ['£65', 'Due Mon 30 Nov'],
    ['€42 in credit', null],
  ]);
});

test('if the family has reported a transfer, that is the reason shown', () => {
  const claim = { amount: 6500, currency: 'GBP' as const, claimedOn: '2026-11-14' };
  expect(describeBalances(familyListItem({ claim }), TODAY)[0]?.reason).toBe(
    'Transfer reported yesterday',
  );
});

test('there is one total per currency', () => {
  const inEuros = familyListItem({
    balances: [{ currency: 'EUR', owed: 1000, credit: 0 }],
    due: due({ dueOn: '2026-11-30' }).map((amounts) => ({ ...amounts, currency: 'EUR' as const })),
  });
  expect(totalDue([familyListItem(), familyListItem(), inEuros])).toEqual({
    due: ['£130', '€10'],
    overdue: ['£70'],
  });
});

test('the list is sorted by what is overdue, or by a column', () => {
  const families = [
    familyListItem({ id: 1, name: 'Ana', balances: [], due: [], nextLesson: null }),
    familyListItem({ id: 2, name: 'Ben', due: due({ dueOn: '2026-11-20' }) }),
    familyListItem({ id: 3, name: 'Cy', due: due({ overdue: 1, overdueSince: '2026-11-10' }) }),
    familyListItem({ id: 4, name: 'Di', due: due({ overdue: 1, overdueSince: '2026-10-01' }) }),
  ];
  const ids = (sort?: Parameters<typeof sortFamilies>[1]) =>
    sortFamilies(families, sort).map(({ id }) => id);
  expect(ids()).toEqual([4, 3, 2, 1]);
  expect(ids({ by: 'name', direction: 'desc' })).toEqual([4, 3, 2, 1]);
  expect(ids({ by: 'next', direction: 'asc' })).toEqual([2, 3, 4, 1]);
  expect(ids({ by: 'balance', direction: 'asc' })).toEqual([1, 2, 3, 4]);
});
