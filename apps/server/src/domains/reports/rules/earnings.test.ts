import { expect, test } from 'vitest';
import {
  OTHER_LABEL,
  type StudentSubjectNet,
  toBreakdown,
  toTotals,
  UNALLOCATED_LABEL,
} from './earnings.ts';

const total = (currency: string, received: number, refunded = 0) => ({
  currency,
  received,
  refunded,
  payments: 1,
});
const createEntry = (overrides: Partial<StudentSubjectNet>): StudentSubjectNet => ({
  studentId: 1,
  studentName: 'Maya',
  subjectId: 1,
  subjectName: 'Maths',
  currency: 'GBP',
  net: 0,
  ...overrides,
});

test('[REP-11] totals are per currency, largest first, each compared with the same currency in the previous period', () => {
  const current = [total('EUR', 500), total('GBP', 9000, 1000)];
  expect(toTotals(current, [total('GBP', 3000)])).toMatchObject([
    { currency: 'GBP', net: 8000, previousNet: 3000 },
    { currency: 'EUR', net: 500, previousNet: 0 },
  ]);
  expect(toTotals(current, null).map(({ previousNet }) => previousNet)).toEqual([null, null]);
});

test('the rows add up to the total, with an extra row for unallocated money', () => {
  const rows = toBreakdown(
    [
      createEntry({ net: 3500 }),
      createEntry({ net: 1500, subjectId: 2, subjectName: 'Piano' }),
      createEntry({
        studentId: null,
        studentName: null,
        subjectId: null,
        subjectName: null,
        net: 200,
      }),
    ],
    [total('GBP', 6000, 300)],
    'student',
  );
  expect(rows.map(({ name, net }) => [name, net])).toEqual([
    ['Maya', 5000],
    [UNALLOCATED_LABEL, 500],
    [OTHER_LABEL, 200],
  ]);
});

test('rows with a net amount of zero are omitted, and currencies are kept separate', () => {
  const rows = toBreakdown(
    [createEntry({ net: 0 }), createEntry({ net: 700, currency: 'EUR' })],
    [total('EUR', 700), total('GBP', 0)],
    'subject',
  );
  expect(rows).toEqual([{ id: 1, name: 'Maths', currency: 'EUR', net: 700 }]);
});
