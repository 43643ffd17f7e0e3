import { expect, test } from 'vitest';
import { renderIcs } from './ics-attachments.ts';

const lesson = {
  uid: 'abc@lessonbook.example',
  sequence: 3,
  startsAt: new Date('2026-11-17T16:00:00Z'),
  endsAt: new Date('2026-11-17T17:00:00Z'),
  summary: 'Maya: Maths',
  place: 'Room 2, Library; first floor',
  stamp: new Date('2026-11-16T12:00:00Z'),
  organiser: { name: 'Ada "A" Hill', address: 'ada@example.com' },
};

test('renders an event with escaped text', () => {
  const lines = renderIcs([lesson]).split('\r\n');
  expect(lines).toContain('DTSTART:20261117T160000Z');
  expect(lines).toContain('SEQUENCE:3');
  expect(lines).toContain(String.raw`LOCATION:Room 2\, Library\; first floor`);
  expect(lines).toContain(`ORGANIZER;CN="Ada 'A' Hill":mailto:ada@example.com`);
  expect(lines).not.toContain('ATTENDEE');
});

test('folds long lines between characters and escapes line breaks', () => {
  const folded = renderIcs([{ ...lesson, summary: `${'ü'.repeat(60)}\nEND:VCALENDAR` }]);
  for (const line of folded.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
  expect(folded.replaceAll('\r\n ', '')).toContain(String.raw`\nEND:VCALENDAR`);
  expect(folded.match(/^END:VCALENDAR/gm)).toHaveLength(1);
});
