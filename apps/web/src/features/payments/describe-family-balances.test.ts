import { expect, test } from 'vitest';
import { dueAmounts, familyListItem } from '../../test/family-and-payment-fixtures.ts';
import { describeBalances, totalDue } from './describe-family-balances.ts';

const TODAY = '2026-11-15';

test.each([
  ['overdue', dueAmounts({ overdue: 6500, overdueSince: '2026-11-03' }), '12 days overdue'],
  [
    'part-overdue',
    dueAmounts({ overdue: 3000, overdueSince: '2026-11-14' }),
    '£30 overdue by 1 day',
  ],
  ['due', dueAmounts({ dueOn: '2026-11-30' }), 'Due Mon 30 Nov'],
  ['due', dueAmounts({ dueOn: TODAY }), 'Due today'],
  [
    'due',
    dueAmounts({ dueOn: '2026-11-30', uninvoiced: 3000, withoutDueDate: 3000 }),
    'Part due Mon 30 Nov',
  ],
  // Without any invoice, a lesson is due on its date.
  ['due', dueAmounts({ dueOn: TODAY, uninvoiced: 6500 }), 'Due today'],
  ['due', dueAmounts({ uninvoiced: 6500, withoutDueDate: 6500 }), 'Not invoiced yet'],
  ['due', dueAmounts({}), 'On hold'],
])('F135 describes a balance that is %s, with the reason: %j', (state, amounts, reason) => {
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
    due: dueAmounts({ dueOn: '2026-11-30' }),
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
    due: dueAmounts({ dueOn: '2026-11-30' }).map((amounts) => ({
      ...amounts,
      currency: 'EUR' as const,
    })),
  });
  expect(totalDue([familyListItem(), familyListItem(), inEuros])).toEqual({
    due: ['£130', '€10'],
    overdue: ['£70'],
  });
});
