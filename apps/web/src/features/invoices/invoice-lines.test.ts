import { expect, test } from 'vitest';
import { invoiceLine } from '../../test/invoice-fixtures.ts';
import {
  creditableLines,
  maxCreditText,
  toCreditNoteInput,
  validateCredit,
} from './credit-note.ts';
import { groupByStudent, sortLines, toLineInput } from './invoice-lines.ts';

test('groups lines by child, with lines that belong to no child last', () => {
  const lines = [
    invoiceLine({ position: 1, studentName: null, description: 'Book' }),
    invoiceLine({ position: 2, studentName: 'Maya' }),
    invoiceLine({ position: 3, studentName: 'Leo' }),
    invoiceLine({ position: 4, studentName: 'Maya' }),
  ];
  const groups = groupByStudent(lines).map(({ name, lines: childLines }) => [
    name,
    childLines.map((l) => l.position),
  ]);
  expect(groups).toEqual([
    ['Maya', [2, 4]],
    ['Leo', [3]],
    [null, [1]],
  ]);
});

test("sorts a child's lines by date, including a lesson added later", () => {
  const lines = [
    invoiceLine({ position: 1, date: '2026-10-06' }),
    invoiceLine({ position: 2, studentName: null, date: '2026-01-01' }),
    invoiceLine({ position: 3, date: '2026-09-29' }),
  ];
  expect(sortLines(lines).map(({ position }) => position)).toEqual([3, 1, 2]);
});

test('identifies a line by its charge, an upcoming lesson by its session and student, and an item by its description', () => {
  expect(toLineInput(invoiceLine())).toEqual({ chargeId: 1 });
  expect(toLineInput(invoiceLine({ chargeId: null, isFutureSession: true }))).toEqual({
    sessionId: 11,
    studentId: 3,
  });
  const item = invoiceLine({ chargeId: null, sessionId: null, description: 'Book', amount: 450 });
  expect(toLineInput(item)).toEqual({ description: 'Book', amount: 450 });
});

test('rejects a credit greater than the remaining amount of a line', () => {
  const line = { ...invoiceLine({ credited: 1000 }), chargeId: 1 };
  expect(maxCreditText(line)).toBe('25');
  expect(validateCredit(line, '25')).toBeNull();
  expect(validateCredit(line, '25.01')).toBe('You can credit up to 25');
  expect(validateCredit(line, '')).toBe('Please enter an amount');
  expect(validateCredit(line, '12.345')).toBe('Please enter an amount');
  expect(validateCredit(line, '0')).toBe('The amount must be greater than 0');
  expect(creditableLines([line, invoiceLine({ credited: 3500 })])).toEqual([line]);
});

test('returns no credit note without a line or with an invalid amount', () => {
  const lines = [
    { ...invoiceLine(), chargeId: 1 },
    { ...invoiceLine(), chargeId: 2 },
  ];
  expect(toCreditNoteInput(lines, {}, 'Ill')).toBeNull();
  expect(toCreditNoteInput(lines, { 1: '35', 2: '99' }, '')).toBeNull();
  expect(toCreditNoteInput(lines, { 2: '12,50' }, ' Ill ')).toEqual({
    lines: [{ chargeId: 2, amount: 1250 }],
    reason: 'Ill',
  });
});
