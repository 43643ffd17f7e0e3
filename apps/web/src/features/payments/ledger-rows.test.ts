import { expect, test } from 'vitest';
import { ledgerEntry } from '../../test/family-and-payment-fixtures.ts';
import { foldReversals } from './ledger-rows.ts';

const lesson = ledgerEntry({ key: 'c1', date: '2026-11-03', reversed: true });
const other = ledgerEntry({ key: 'c2', date: '2026-11-05' });
const reversal = ledgerEntry({
  key: 'c3',
  kind: 'reversal',
  date: '2026-11-06',
  amount: -3500,
  reversed: true,
  reverses: 'c1',
});

const rowKeys = (entries: Parameters<typeof foldReversals>[0]) =>
  foldReversals(entries).map(({ entry, reversedBy }) => [entry.key, reversedBy?.key ?? null]);

test("F144 folds an entry and its reversal into one row, at the reversal's position", () => {
  expect(rowKeys([reversal, other, lesson])).toEqual([
    ['c1', 'c3'],
    ['c2', null],
  ]);
});

test('shows an entry or reversal on its own if the other is on a page that is not loaded', () => {
  expect(rowKeys([reversal, other])).toEqual([
    ['c3', null],
    ['c2', null],
  ]);
  expect(rowKeys([other, lesson])).toEqual([
    ['c2', null],
    ['c1', null],
  ]);
});
