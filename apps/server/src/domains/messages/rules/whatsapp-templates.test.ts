import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  AUTHENTICATION_TEMPLATES,
  fillPaymentTemplate,
  fillReminderTemplate,
  joinWithinLimit,
  renderTemplate,
  toParameter,
  WHATSAPP_TEMPLATES,
} from './whatsapp-templates.ts';

const lesson = (studentName: string, date = '2026-11-17') => ({
  studentId: 1,
  studentName,
  subjectName: 'Maths',
  date,
  startTime: '16:00',
  endTime: '17:00',
  place: null,
});
const ruth = { key: 'c1', name: 'Ruth Hale', timeZone: null };
const to = {
  person: ruth,
  tutor: 'Ada Fenwick',
  timeZone: 'Europe/London',
  today: '2026-11-16',
};

test('renders a reminder with all lessons on one line', () => {
  const reminder = fillReminderTemplate(to, [lesson('Maya Hale'), lesson('Leo Hale')]);
  expect(renderTemplate(reminder)).toBe(
    'Hi Ruth, this is a reminder from Ada Fenwick.\n\n' +
      'Lessons tomorrow, Tue 17 Nov: Maya: Maths, 4pm to 5pm; Leo: Maths, 4pm to 5pm.\n\n' +
      "If you can't make it, please let your tutor know. Replies to this number aren't monitored. Reply STOP to end these reminders.",
  );
  expect(renderTemplate(fillReminderTemplate(to, [lesson('Maya', '2026-11-20')]))).toContain(
    'Lessons on Fri 20 Nov: Maya',
  );
});

describe("Meta's rules for template parameters", () => {
  test.each([
    ['Maya\n\nHale', 'Maya Hale'],
    ['a\tb', 'a b'],
    ['a       b', 'a b'],
    ['\u2028\u00a0\u0000', '…'],
    ['', '…'],
    ['x'.repeat(100), `${'x'.repeat(59)}…`],
    ['👩‍🏫'.repeat(100), expect.stringMatching(/…$/)],
  ])('%j', (text, line) => {
    expect(toParameter(text)).toEqual(line);
  });

  test('[V1.3.3] placeholders inside a name are not replaced', () => {
    const person = { ...ruth, name: '{{4}}$&' };
    const reminder = fillReminderTemplate({ ...to, person, tutor: '{{1}}' }, [lesson('Maya')]);
    expect(renderTemplate(reminder)).toContain('Hi {{4}}$&, this is a reminder from {{1}}.');
  });
});

test('a long list ends with the number of omitted items, and the message stays within 1,024 characters', () => {
  const lessons = Array.from({ length: 40 }, (_, index) => `Maya: Maths lesson ${index}, £35.00`);
  expect(joinWithinLimit(lessons)).toMatch(/; and \d+ more$/);
  const long = 'x'.repeat(500);
  const values = { name: long, tutor: long, amount: long, link: `https://${'x'.repeat(100)}` };
  const payment = fillPaymentTemplate({ ...values, lessons: [long, long, long, long] });
  expect(renderTemplate(payment).length).toBeLessThanOrEqual(1024);
  const reminder = fillReminderTemplate(
    { ...to, person: { ...ruth, name: long }, tutor: long },
    Array.from({ length: 40 }, () => lesson(long)),
  );
  expect(renderTemplate(reminder).length).toBeLessThanOrEqual(1024);
});

test('docs/operating/whatsapp.md contains all templates verbatim', () => {
  const page = readFileSync(
    new URL('../../../../../../docs/operating/whatsapp.md', import.meta.url),
    'utf8',
  );
  for (const wording of Object.values({ ...WHATSAPP_TEMPLATES, ...AUTHENTICATION_TEMPLATES }))
    expect(page).toContain(`\n${wording}\n`);
});
