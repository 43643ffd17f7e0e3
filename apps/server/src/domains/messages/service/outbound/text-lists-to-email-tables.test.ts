import { expect, test } from 'vitest';
import { toEmailBlock } from './text-lists-to-email-tables.ts';

test.each([
  [
    'Maya: Maths, 4pm to 5pm, Library',
    { label: 'Maya', title: 'Maths', detail: '4pm to 5pm, Library', amount: '' },
  ],
  [
    'Maya: Maths lesson, Tue 10 Nov, £1,035.00',
    { label: 'Maya', title: 'Maths lesson', detail: 'Tue 10 Nov', amount: '£1,035.00' },
  ],
  [
    'Maths lesson, Tue 10 Nov, £38.00, of which £18.00 is left to pay',
    {
      label: '',
      title: 'Maths lesson',
      detail: 'Tue 10 Nov, of which £18.00 is left to pay',
      amount: '£38.00',
    },
  ],
  [
    'Tue 17 Nov, Maya: Maths, 12 noon to 1pm',
    { label: 'Tue 17 Nov', title: 'Maya: Maths', detail: '12 noon to 1pm', amount: '' },
  ],
])('a line is shown in columns: %s', (line, row) => {
  expect(toEmailBlock(line)).toEqual([row]);
});

test.each([
  'Hi Ruth,',
  "Maya's Maths lesson on Tuesday 17 November is now from 6:30pm to 7:30pm (it was 4pm).",
  'Maya: Maths, 4pm to 5pm\nSee you then',
  "There's still £84.00 to pay for:",
])('other text is kept as a paragraph: %s', (text) => {
  expect(toEmailBlock(text)).toBe(text);
});
