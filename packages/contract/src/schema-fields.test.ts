import { describe, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { LessonInput } from './lessons.ts';
import { date, IdParams, id, optionalEmail, optionalText, time } from './schema-fields.ts';
import { RescheduleInput } from './sessions.ts';

/** What the form would say at that input; undefined when it is content. */
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

describe('an id', () => {
  test.each(['1', '2147483647'])('in an address may be %s', (text) => {
    expect(IdParams.parse({ id: text })).toEqual({ id: Number(text) });
  });

  test.each(['0', '-1', '1.5', '2147483648', 'one', '', '1e99', 'NaN', '1; drop table'])(
    'in an address may not be %j',
    (text) => {
      expect(IdParams.safeParse({ id: text }).success).toBe(false);
    },
  );

  test('in a form says its own words when it is missing or makes no sense', () => {
    for (const wrong of [undefined, null, 'none', '1', 0, -1, 1.5, 2_147_483_648])
      expect(messageAt(id('Student is required'), wrong)).toBe('Student is required');
  });

  test("[LESS-41] a lesson whose subject is 'none' says 'Subject is required'", () => {
    expect(messageAt(LessonInput, { ...lesson, subjectId: 'none' }, 'subjectId')).toBe(
      'Subject is required',
    );
    expect(messageAt(LessonInput, lesson, 'subjectId')).toBeUndefined();
  });
});

describe('a date and a time', () => {
  test('a missing one says what is missing, a wrong one how it is written', () => {
    expect(messageAt(date('Date is required'), '')).toBe('Date is required');
    expect(messageAt(date('Date is required'), undefined)).toBe('Date is required');
    expect(messageAt(date('Date is required'), '2026-02-30')).toBe('Please pick a date');
    expect(messageAt(date(), '2026-02-28')).toBeUndefined();
    expect(messageAt(time('Start time is required'), '')).toBe('Start time is required');
    expect(messageAt(time('Start time is required'), '25:00')).toBe('Please enter a time as HH:MM');
    expect(messageAt(time('Start time is required'), '23:59')).toBeUndefined();
  });

  test.each([
    ['16:00', '15:00'],
    ['16:00', '16:00'],
    ['23:30', '00:30'],
  ])('from %s to %s is no lesson', (startTime, endTime) => {
    for (const schema of [LessonInput, RescheduleInput])
      expect(messageAt(schema, { ...lesson, startTime, endTime }, 'endTime')).toBe(
        'End time must be after start time',
      );
  });
});

describe('text that may be left empty', () => {
  test('is trimmed, may be missing, and says how long it may be', () => {
    const schema = optionalText(5);
    expect(schema.parse('  abc  ')).toBe('abc');
    expect(schema.parse('   ')).toBe('');
    expect(schema.parse(null)).toBeNull();
    expect(schema.parse(undefined)).toBeUndefined();
    expect(messageAt(schema, 'abcdef')).toBe('Please use at most 5 characters');
  });

  test('an e-mail may be empty but not wrong', () => {
    for (const fine of [undefined, null, '', 'ruth@example.com'])
      expect(messageAt(optionalEmail, fine)).toBeUndefined();
    expect(messageAt(optionalEmail, 'ruth at home')).toBe('Invalid email');
  });
});
