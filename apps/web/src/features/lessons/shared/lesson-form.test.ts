import { durationMinutes } from '@lessonbook/contract/dates';
import { describe, expect, test } from 'vitest';
import { pickerDate } from '../../../lib/format.ts';
import {
  formatRecurrencePreview,
  LessonFormSchema,
  type LessonFormValues,
  newFormValues,
  nextFormValues,
  toInput,
  withDate,
  withDefaultFee,
  withDefaultTitle,
  withStartTime,
} from './lesson-form.ts';

const today = '2026-11-15';
const form = (fields: Partial<LessonFormValues> = {}): LessonFormValues => ({
  ...newFormValues({}, today),
  studentId: '3',
  subjectId: '4',
  title: 'Maya - Maths',
  ...fields,
});

const problems = (fields: Partial<LessonFormValues>) =>
  LessonFormSchema.safeParse(form(fields)).error?.issues.map(({ path, message }) => [
    path.join('.'),
    message,
  ]) ?? [];

describe('what a new form starts with', () => {
  test('today from 09:00 to 10:00, and a slot where one was pressed', () => {
    expect(newFormValues({}, today)).toMatchObject({
      date: today,
      startTime: '09:00',
      endTime: '10:00',
    });
    expect(newFormValues({ date: '2026-11-17', startTime: '16:30' }, today)).toMatchObject({
      date: '2026-11-17',
      startTime: '16:30',
      endTime: '17:30',
    });
    expect(newFormValues({ filled: { studentId: '7' } }, today).studentId).toBe('7');
  });

  test('another lesson keeps subject and repeat and starts at the last end', () => {
    const saved = form({ isRecurring: true, recurringPattern: 'monthly', endTime: '10:30' });
    expect(nextFormValues({ ...saved, fee: '35', notes: 'Bring book' })).toMatchObject({
      studentId: '',
      subjectId: '4',
      title: '',
      startTime: '10:30',
      endTime: '12:00',
      fee: '35',
      isRecurring: true,
      recurringPattern: 'monthly',
      notes: '',
    });
  });
});

describe('what follows from a choice', () => {
  test('a title is filled in once both are chosen, and one that was typed stays', () => {
    const empty = form({ title: '' });
    expect(withDefaultTitle(empty, 'Maya', undefined)).toEqual({});
    const filled = withDefaultTitle(empty, 'Maya', 'Maths');
    expect(filled.title).toBe('Maya - Maths');
    expect(withDefaultTitle({ ...empty, ...filled }, 'Noah', 'Maths').title).toBe('Noah - Maths');
    expect(withDefaultTitle({ ...empty, ...filled, title: 'Mocks' }, 'Noah', 'Maths')).toEqual({});
  });

  test('a subject brings its fee and currency', () => {
    expect(withDefaultFee({ defaultFee: 32.5, currency: 'EUR' })).toEqual({
      fee: '32.50',
      currency: 'EUR',
    });
    expect(withDefaultFee({ currency: 'EUR' })).toEqual({});
  });

  test.each([{}, { currency: null }, { currency: '' }])(
    '[LESS-32] a subject with a fee and no currency sets GBP',
    (currency) => {
      expect(withDefaultFee({ defaultFee: 30, ...currency })).toEqual({
        fee: '30',
        currency: 'GBP',
      });
    },
  );

  test('a later start keeps the duration, up to the end of the day', () => {
    expect(withStartTime(form(), '16:30')).toEqual({ startTime: '16:30', endTime: '17:30' });
    expect(withStartTime(form({ endTime: '10:45' }), '08:00').endTime).toBe('09:45');
    expect(withStartTime(form(), '23:30').endTime).toBe('23:59');
    expect(withStartTime(form(), '')).toEqual({ startTime: '' });
    expect(withStartTime(form({ endTime: '08:00' }), '10:00')).toEqual({ startTime: '10:00' });
  });

  test('an end date that the date has passed is taken out', () => {
    const ends = form({ recurringEndDate: '2026-12-01' });
    expect(withDate(ends, '2026-12-01')).toEqual({ date: '2026-12-01' });
    expect(withDate(ends, '2026-12-02')).toEqual({ date: '2026-12-02', recurringEndDate: '' });
  });
});

describe('what is sent', () => {
  test('[LESS-33] the duration is end minus start in minutes', () => {
    expect(toInput(form({ startTime: '16:05', endTime: '17:50' })).duration).toBe(105);
  });

  test('[LESS-34] the duration is 60 if either time is missing', () => {
    expect(durationMinutes('', '10:00')).toBe(60);
    expect(durationMinutes('09:00', '')).toBe(60);
    expect(toInput(form({ endTime: '' })).duration).toBe(60);
  });

  test('ids are numbers, an empty fee is none, an end date is only sent with a repeat', () => {
    expect(toInput(form({ recurringEndDate: '2026-12-01' }))).toMatchObject({
      studentId: 3,
      subjectId: 4,
      fee: null,
      recurringEndDate: null,
    });
    expect(toInput(form({ fee: '32,50' })).fee).toBe(32.5);
    const repeating = form({ isRecurring: true, recurringEndDate: '2026-12-01' });
    expect(toInput(repeating).recurringEndDate).toBe('2026-12-01');
  });
});

describe('what is refused', () => {
  test('[LESS-41] a subject of none', () => {
    expect(problems({ subjectId: 'none' })).toEqual([['subjectId', 'Subject is required']]);
  });

  test('a fee that is no amount, or too small', () => {
    expect(problems({ fee: 'lots' })).toEqual([['fee', 'Please enter an amount']]);
    expect(problems({ fee: '0' })).toEqual([['fee', 'Fee must be greater than 0']]);
    expect(problems({ fee: '' })).toEqual([]);
  });
});

describe('a repeat in words', () => {
  const words = (fields: Partial<LessonFormValues>) =>
    formatRecurrencePreview(form({ date: '2026-11-17', ...fields }), today);

  test('names the next dates, and that it goes on or when it ends', () => {
    expect(words({})).toBe('Next: Tue 24 Nov, Tue 1 Dec, Tue 8 Dec, and it goes on');
    expect(words({ recurringEndDate: '2026-12-22' })).toBe(
      'Next: Tue 24 Nov, Tue 1 Dec, Tue 8 Dec, … until Tue 22 Dec',
    );
    expect(words({ recurringEndDate: '2026-12-01' })).toBe('Next: Tue 24 Nov, Tue 1 Dec');
  });

  test('monthly counts from the first date, a shorter month gives its last day', () => {
    expect(words({ date: '2026-12-31', recurringPattern: 'monthly' })).toBe(
      'Next: Sun 31 Jan 2027, Sun 28 Feb 2027, Wed 31 Mar 2027, and it goes on',
    );
  });

  test('begins with today when the first date is past, and says when nothing is left', () => {
    expect(words({ date: '2026-09-01' })).toContain('Next: Tue 17 Nov');
    expect(words({ recurringEndDate: '2026-11-20' })).toBe('No repeat: the end date comes first.');
  });
});

test('[CONST-16] dates are shown as MMM d, yyyy', () => {
  expect(pickerDate('2026-11-05')).toBe('Nov 5, 2026');
  expect(pickerDate('2026-09-30')).toBe('Sep 30, 2026');
});
