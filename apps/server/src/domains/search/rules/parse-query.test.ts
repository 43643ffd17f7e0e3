import { expect, test } from 'vitest';
import { parseQuery } from './parse-query.ts';

/** A Tuesday. */
const TODAY = '2026-11-17';
const parse = (text: string) => parseQuery(text, TODAY);

test.each([
  ['tuesday', '2026-11-17'],
  ['wed', '2026-11-18'],
  ['next tuesday', '2026-11-24'],
  ['tomorrow', '2026-11-18'],
  ['yesterday', '2026-11-16'],
  ['17 nov', '2026-11-17'],
  ['Tue 17 Nov', '2026-11-17'],
  ['tue 17 nov 2026', '2026-11-17'],
  ['17/11/2026', '2026-11-17'],
  ['3 Dec', '2026-12-03'],
  ['2026-12-03', '2026-12-03'],
  ['in two weeks', '2026-12-01'],
])('F141 %j is read as the date %s, without a name', (text, date) => {
  expect(parse(text)).toMatchObject({ date, hasNames: false });
});

test('F141 a date before or after a name is separated from it', () => {
  const maya = { date: '2026-11-18', names: ['maya'], hasNames: true };
  expect(parse('maya tomorrow')).toMatchObject(maya);
  expect(parse('18 nov maya')).toMatchObject(maya);
  expect(parse('maya 31 feb')).toMatchObject({ date: null, names: ['maya', '31', 'feb'] });
});

test.each([
  ['overdue', 'overdue'],
  ['overd', 'overdue'],
  ['unpaid', 'open'],
  ['part paid', 'part_paid'],
  ['paid', 'paid'],
  ['drafts', 'draft'],
])('F141 %j is read as the state %s', (text, state) => {
  expect(parse(text)).toMatchObject({ state, hasNames: false });
});

test('F141 a state next to a name is separated from it, and a short prefix of a state is treated as a name', () => {
  expect(parse('Hale overdue')).toMatchObject({ state: 'overdue', names: ['hale'] });
  expect(parse('pai')).toMatchObject({ state: null, names: ['pai'] });
});

test.each([
  ['35', { minor: 3500, currency: null }],
  ['£35.50', { minor: 3550, currency: 'GBP' }],
  ['€1,250', { minor: 125000, currency: 'EUR' }],
  ['35.5', { minor: 3550, currency: null }],
  ['35.555', null],
  ['35 x', null],
])('F141 reads the amount in %j, if any', (text, amount) => {
  expect(parse(text).amount).toEqual(amount);
});

test.each([
  ['07700 900123', '7700900123'],
  ['+44 7700 900123', '7700900123'],
  ['0044 7700', '7700'],
  ['(020) 7946-0018', '2079460018'],
  ['900', '900'],
  ['12', null],
  ['maya 900', null],
])('F141 reads the phone digits in %j, if any', (text, digits) => {
  expect(parse(text).phoneDigits).toBe(digits);
});

test.each([
  ['INV-0042', { text: 'inv-0042', sequence: 42 }],
  ['42', { text: '42', sequence: 42 }],
  ['invoice 42', { text: '42', sequence: 42 }],
  ['£42', null],
  ['maya 42', null],
  ['17/11/2026', null],
])('F141 reads the invoice number in %j, if any', (text, invoiceNumber) => {
  expect(parse(text).invoiceNumber).toEqual(invoiceNumber);
});

test('F141 names are split into normalised words, at most six words of at most thirty letters', () => {
  expect(parse('Zoë O’Brien Lewis-Grant').names).toEqual(['zoe', 'obrien', 'lewis', 'grant']);
  expect(parse('a b c d e f g h').names).toHaveLength(6);
  expect(parse('x'.repeat(100)).names).toEqual(['x'.repeat(30)]);
});
