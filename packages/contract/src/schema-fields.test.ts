import { describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { ProfileInput } from './accounts.ts';
import { BusinessSettings } from './business-settings.ts';
import { LessonInput } from './lessons.ts';
import { date, IdParams, id, optionalEmail, optionalText, time } from './schema-fields.ts';
import { RescheduleInput } from './sessions.ts';
import { NewContactInput } from './student-contacts-and-payers.ts';
import { StudentInput } from './students.ts';
import { SubjectInput } from './subjects.ts';

/** The field's error message; undefined if the value is valid. */
function messageAt(schema: z.ZodMiniType, value: unknown, field = ''): string | undefined {
  const parsed = schema.safeParse(value);
  return parsed.error?.issues.find((issue) => issue.path.join('.') === field)?.message;
}

const lesson = {
  studentId: 1,
  subjectId: 1,
  title: 'Maya - Maths',
  date: '2026-11-17',
  startTime: '16:00',
  endTime: '17:00',
};

describe('ids', () => {
  test.each(['1', '2147483647'])('a path parameter may be %s', (text) => {
    expect(IdParams.parse({ id: text })).toEqual({ id: Number(text) });
  });

  test.each(['0', '-1', '1.5', '2147483648', 'one', '', '1e99', 'NaN', '1; drop table'])(
    'a path parameter may not be %j',
    (text) => {
      expect(IdParams.safeParse({ id: text }).success).toBe(false);
    },
  );

  test('a missing or invalid id in a form produces the given message', () => {
    for (const invalid of [undefined, null, 'none', '1', 0, -1, 1.5, 2_147_483_648])
      expect(messageAt(id('Student is required'), invalid)).toBe('Student is required');
  });

  test("[LESS-41] a lesson whose subject is 'none' is rejected with 'Subject is required'", () => {
    expect(messageAt(LessonInput, { ...lesson, subjectId: 'none' }, 'subjectId')).toBe(
      'Subject is required',
    );
    expect(messageAt(LessonInput, lesson, 'subjectId')).toBeUndefined();
  });
});

describe('dates and times', () => {
  test('have one message for a missing value and another for an invalid format', () => {
    expect(messageAt(date('Date is required'), '')).toBe('Date is required');
    expect(messageAt(date('Date is required'), undefined)).toBe('Date is required');
    expect(messageAt(date('Date is required'), '2026-02-30')).toBe('Please choose a date');
    expect(messageAt(date(), '2026-02-28')).toBeUndefined();
    expect(messageAt(time('Start time is required'), '')).toBe('Start time is required');
    expect(messageAt(time('Start time is required'), '25:00')).toBe('Please enter a time as HH:MM');
    expect(messageAt(time('Start time is required'), '23:59')).toBeUndefined();
  });

  test.each([
    ['16:00', '15:00'],
    ['16:00', '16:00'],
    ['23:30', '00:30'],
  ])('a lesson from %s to %s is rejected', (startTime, endTime) => {
    for (const schema of [LessonInput, RescheduleInput])
      expect(messageAt(schema, { ...lesson, startTime, endTime }, 'endTime')).toBe(
        'End time must be after start time',
      );
  });
});

describe('optional text', () => {
  test('is trimmed, may be omitted and has a maximum length', () => {
    const schema = optionalText(5);
    expect(schema.parse('  abc  ')).toBe('abc');
    expect(schema.parse('   ')).toBe('');
    expect(schema.parse(null)).toBeNull();
    expect(schema.parse(undefined)).toBeUndefined();
    expect(messageAt(schema, 'abcdef')).toBe('Please use at most 5 characters');
  });

  test('an email address may be empty but not invalid', () => {
    for (const valid of [undefined, null, '', 'ruth@example.com'])
      expect(messageAt(optionalEmail, valid)).toBeUndefined();
    expect(messageAt(optionalEmail, 'ruth at home')).toBe('Invalid email');
  });
});

describe('F40 single-line text', () => {
  test.each([
    'Maya\r\nBcc: eve@example.com',
    'Maya\tBcc: eve@example.com',
    'Maya\u0085Bcc: eve@example.com',
  ])('the name %j is converted to a single line', (name) => {
    expect(StudentInput.parse({ name, carerName: name })).toEqual({
      name: 'Maya Bcc: eve@example.com',
      carerName: 'Maya Bcc: eve@example.com',
    });
  });

  test('a name that consists only of line breaks counts as missing', () => {
    expect(messageAt(StudentInput, { name: '\r\n' }, 'name')).toBe('Name is required');
  });

  test('lesson titles and the names of subjects, contacts, tutors and businesses are converted to a single line', () => {
    const name = 'Two\nlines';
    expect(LessonInput.parse({ ...lesson, title: name }).title).toBe('Two lines');
    expect(SubjectInput.parse({ name, defaultFee: 30 }).name).toBe('Two lines');
    expect(NewContactInput.parse({ name }).name).toBe('Two lines');
    expect(ProfileInput.parse({ name, email: 'ada@example.com' }).name).toBe('Two lines');
    const business = { tradingName: name, dueDays: 7, invoicePrefix: '', nextInvoiceNumber: 1 };
    expect(BusinessSettings.parse(business).tradingName).toBe('Two lines');
  });
});

describe('F40 a fee', () => {
  test.each([1, 19.99, 35.5, 1.1, 99_999.99])('may be %d', (fee) => {
    expect(messageAt(LessonInput, { ...lesson, fee }, 'fee')).toBeUndefined();
  });

  test.each([1.005, 19.999, 35.123456])('of %d is rejected instead of rounded', (fee) => {
    const message = 'Please use at most two decimal places';
    expect(messageAt(LessonInput, { ...lesson, fee }, 'fee')).toBe(message);
    expect(messageAt(SubjectInput, { name: 'Maths', defaultFee: fee }, 'defaultFee')).toBe(message);
  });
});
