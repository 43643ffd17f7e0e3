import { describe, expect, test } from 'vitest';
import { planNoteChange, toNoteFields } from './plan-lesson-note-change.ts';

const fields = { did: 'Fractions', nextTime: null, homework: null, dueOn: null };
const other = { ...fields, did: 'Decimals' };
const EMPTY = { did: null, nextTime: null, homework: null, dueOn: null };
const shared = { ...fields, version: 2, isWithdrawn: false };
const draft = { ...other, version: 3 };

describe('planNoteChange', () => {
  test.each([
    ['the first text', { draft: null, shared: null }, fields, { version: 1, isNew: true }],
    ['a changed draft', { draft, shared }, { ...fields, did: 'x' }, { version: 3, isNew: false }],
    ['a correction', { draft: null, shared }, other, { version: 3, isNew: true }],
    [
      'the same text after it was withdrawn',
      { draft: null, shared: { ...shared, isWithdrawn: true } },
      fields,
      { version: 3, isNew: true },
    ],
    [
      'a different date for homework',
      { draft: null, shared: { ...shared, homework: '9B', dueOn: '2026-11-24' } },
      { ...fields, homework: '9B', dueOn: '2026-12-01' },
      { version: 3, isNew: true },
    ],
  ])('%s is saved', (_, stored, text, expected) => {
    expect(planNoteChange(stored, text)).toEqual({ kind: 'save', ...expected });
  });

  test('saving text that is already shared, or no text, creates no version', () => {
    expect(planNoteChange({ draft: null, shared }, fields)).toEqual({ kind: 'none' });
    expect(planNoteChange({ draft, shared }, fields)).toEqual({ kind: 'delete-draft' });
    expect(planNoteChange({ draft, shared: null }, EMPTY)).toEqual({ kind: 'delete-draft' });
    expect(planNoteChange({ draft: null, shared }, EMPTY)).toEqual({ kind: 'none' });
  });
});

describe('toNoteFields', () => {
  test('homework without a chosen date is due by the next lesson, and a date without homework is ignored', () => {
    const input = { homework: '9B', share: false };
    expect(toNoteFields(input, '2026-11-24').dueOn).toBe('2026-11-24');
    expect(toNoteFields({ ...input, dueOn: null }, '2026-11-24').dueOn).toBeNull();
    expect(toNoteFields({ ...input, dueOn: '2026-12-01' }, '2026-11-24').dueOn).toBe('2026-12-01');
    expect(toNoteFields({ did: '', dueOn: '2026-12-01', share: false }, null)).toEqual(EMPTY);
  });
});
