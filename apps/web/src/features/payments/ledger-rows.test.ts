import { expect, test } from 'vitest';
import { ledgerEntry } from '../../test/family-fixtures.ts';
import { foldReversals } from './ledger-rows.ts';

const lesson = ledgerEntry({ key: 'c1', date: '2026-11-03', reversed: true });
const other = ledgerEntry({ key: 'c2', date: '2026-11-05' });
const takenBack = ledgerEntry({
  key: 'c3',
  kind: 'reversal',
  date: '2026-11-06',
  amount: -3500,
  reversed: true,
  reverses: 'c1',
});

const keys = (entries: Parameters<typeof foldReversals>[0]) =>
  foldReversals(entries).map(({ entry, takenBackBy }) => [entry.key, takenBackBy?.key ?? null]);

test('a mistake and its correction are one line, where the correction stands', () => {
  expect(keys([takenBack, other, lesson])).toEqual([
    ['c1', 'c3'],
    ['c2', null],
  ]);
});

test('half of a pair, the other being on a page that is not here, stands alone', () => {
  expect(keys([takenBack, other])).toEqual([
    ['c3', null],
    ['c2', null],
  ]);
  expect(keys([other, lesson])).toEqual([
    ['c2', null],
    ['c1', null],
  ]);
});
