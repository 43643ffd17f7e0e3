import { durationMinutes } from '@lessonbook/contract/dates';
import { describe, expect, test } from 'vitest';
import { formatPickerDate } from '../../../lib/format.ts';
import { nextFormValues } from '../NewLessonDialog.tsx';
import {
  withDate,
  withDefaultFee,
  withDefaultTitle,
  withEndTime,
  withStartTime,
} from './dependent-fields.ts';
import { LessonFormSchema, type LessonFormValues, newFormValues, toInput } from './lesson-form.ts';

const today = '2026-11-15';
const form = (values: Partial<LessonFormValues> = {}): LessonFormValues =>
  newFormValues(
    { values: { studentId: '3', subjectId: '4', title: 'Maya - Maths', ...values } },
    today,
  );

const validationErrors = (fields: Partial<LessonFormValues>) =>
  LessonFormSchema.safeParse(form(fields)).error?.issues.map(({ path, message }) => [
    path.join('.'),
    message,
  ]) ?? [];

describe('initial values', () => {
  test('defaults to today from 09:00 to 10:00, or to the given slot', () => {
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
    expect(newFormValues({ values: { studentId: '7' } }, today).studentId).toBe('7');
  });

  test('the next lesson keeps subject and recurrence and starts at the previous end time', () => {
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

describe('dependent fields', () => {
  test('fills in the title once student and subject are selected, and keeps a typed title', () => {
    const empty = form({ title: '' });
    expect(withDefaultTitle(empty, 'Maya', undefined)).toEqual({});
    const filled = withDefaultTitle(empty, 'Maya', 'Maths');
    expect(filled.title).toBe('Maya - Maths');
    expect(withDefaultTitle({ ...empty, ...filled }, 'Noah', 'Maths').title).toBe('Noah - Maths');
    expect(withDefaultTitle({ ...empty, ...filled, title: 'Mocks' }, 'Noah', 'Maths')).toEqual({});
  });

  test('takes the fee and currency from the subject', () => {
    expect(withDefaultFee(form(), { defaultFee: 32.5, currency: 'EUR' })).toEqual({
      fee: '32.50',
      currency: 'EUR',
    });
    expect(withDefaultFee(form(), { currency: 'EUR' })).toEqual({});
  });

  test('F100 replaces only the rate of the previous subject', () => {
    const maths = { defaultFee: 35, currency: 'GBP' };
    const physics = { defaultFee: 42, currency: 'GBP' };
    const feeAfterSubjectChange = (fields: Partial<LessonFormValues>, previous?: typeof maths) =>
      withDefaultFee(form(fields), physics, previous).fee;
    expect(feeAfterSubjectChange({ fee: '35' }, maths)).toBe('42');
    expect(feeAfterSubjectChange({ fee: '28' }, maths)).toBeUndefined();
    expect(feeAfterSubjectChange({ fee: '35', isFeeTyped: true }, maths)).toBeUndefined();
    expect(feeAfterSubjectChange({ fee: '', isFeeTyped: true })).toBeUndefined();
    // A saved free lesson stays free.
    expect(feeAfterSubjectChange({ fee: '' }, maths)).toBeUndefined();
    expect(feeAfterSubjectChange({ fee: '35', currency: 'USD' }, maths)).toBeUndefined();
  });

  test.each([{}, { currency: null }, { currency: '' }])(
    '[LESS-32] sets GBP for a subject with a fee and no currency',
    (currency) => {
      expect(withDefaultFee(form(), { defaultFee: 30, ...currency })).toEqual({
        fee: '30',
        currency: 'GBP',
      });
    },
  );

  test('keeps the duration when the start changes, up to the end of the day', () => {
    expect(withStartTime(form(), '16:30')).toEqual({ startTime: '16:30', endTime: '17:30' });
    expect(withStartTime(form({ endTime: '10:45' }), '08:00').endTime).toBe('09:45');
    expect(withStartTime(form(), '23:30').endTime).toBe('23:59');
    expect(withStartTime(form(), '')).toEqual({ startTime: '' });
  });

  test('F120 keeps the intended length through a mistyped or late start', () => {
    const late = { ...form(), ...withStartTime(form(), '23:30') };
    expect(withStartTime(late, '16:30')).toEqual({ startTime: '16:30', endTime: '17:30' });
    const mistyped = { ...form(), ...withStartTime(form(), '1x') };
    expect(withStartTime(mistyped, '12:00').endTime).toBe('13:00');
    const longer = { ...form(), ...withEndTime(form(), '10:30') };
    expect(withStartTime(longer, '16:00').endTime).toBe('17:30');
    expect(withEndTime(form(), '08:00')).toEqual({ endTime: '08:00' });
  });

  test('clears an end date that is before the new date', () => {
    const withEndDate = form({ recurringEndDate: '2026-12-01' });
    expect(withDate(withEndDate, '2026-12-01')).toEqual({ date: '2026-12-01' });
    expect(withDate(withEndDate, '2026-12-02')).toEqual({
      date: '2026-12-02',
      recurringEndDate: '',
    });
  });
});

describe('request', () => {
  test('[LESS-33] computes the duration in minutes from start and end', () => {
    expect(toInput(form({ startTime: '16:05', endTime: '17:50' })).duration).toBe(105);
  });

  test('[LESS-34] uses a duration of 60 if either time is missing', () => {
    expect(durationMinutes('', '10:00')).toBe(60);
    expect(durationMinutes('09:00', '')).toBe(60);
    expect(toInput(form({ endTime: '' })).duration).toBe(60);
  });

  test('sends ids as numbers, an empty fee as null, and an end date only for a recurring lesson', () => {
    expect(toInput(form({ recurringEndDate: '2026-12-01' }))).toMatchObject({
      studentId: 3,
      subjectId: 4,
      fee: null,
      recurringEndDate: null,
    });
    expect(toInput(form({ fee: '32,50' })).fee).toBe(32.5);
    expect(toInput(form({ termCalendarId: '2' }))).not.toHaveProperty('termCalendarId');
    expect(toInput(form({ isRecurring: true, termCalendarId: '2' })).termCalendarId).toBe(2);
    expect(toInput(form({ isRecurring: true })).termCalendarId).toBeNull();
    const repeating = form({ isRecurring: true, recurringEndDate: '2026-12-01' });
    expect(toInput(repeating).recurringEndDate).toBe('2026-12-01');
  });
});

describe('validation', () => {
  test('[LESS-41] rejects the subject none', () => {
    expect(validationErrors({ subjectId: 'none' })).toEqual([['subjectId', 'Subject is required']]);
  });

  test('rejects a fee that is too small or not an amount', () => {
    expect(validationErrors({ fee: 'lots' })).toEqual([['fee', 'Please enter an amount']]);
    expect(validationErrors({ fee: '0' })).toEqual([['fee', 'Fee must be greater than 0']]);
    expect(validationErrors({ fee: '' })).toEqual([]);
  });
});

test('[CONST-16] formats dates as MMM d, yyyy', () => {
  expect(formatPickerDate('2026-11-05')).toBe('Nov 5, 2026');
  expect(formatPickerDate('2026-09-30')).toBe('Sep 30, 2026');
});
