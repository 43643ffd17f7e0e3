import type { Rate } from '@lessonbook/contract/rates';
import { expect, test } from 'vitest';
import { defaultLessonFee, findFeeAlternative } from './default-lesson-fee.ts';
import { newFormValues } from './shared/lesson-form.ts';

const rate: Rate = {
  id: 1,
  studentId: 3,
  studentName: 'Maya',
  subjectId: 4,
  subjectName: 'Maths',
  amount: 4000,
  currency: 'GBP',
  unit: 'hour',
  validFrom: '2026-11-01',
};
const values = (change: object = {}) => ({
  ...newFormValues({ date: '2026-11-17', startTime: '16:00', endTime: '17:30' }, '2026-11-16'),
  studentId: '3',
  subjectId: '4',
  fee: '35',
  ...change,
});

test('says where the fee comes from: the rate on the date, or the default fee of the subject', () => {
  expect(defaultLessonFee(values(), [rate])).toEqual({
    fee: '60',
    source: "Student's rate: £40.00 an hour",
  });
  const isDefault = { fee: '35', source: "The subject's default fee" };
  expect(defaultLessonFee(values(), [])).toEqual(isDefault);
  expect(defaultLessonFee(values({ date: '2026-10-31' }), [rate])).toEqual(isDefault);
  expect(defaultLessonFee(values({ studentId: '9' }), [rate])).toEqual(isDefault);
  expect(defaultLessonFee(values({ currency: 'USD' }), [rate])).toEqual(isDefault);
});

test('a fee that was entered, or the price of a place in a group, is not automatic', () => {
  expect(defaultLessonFee(values({ isFeeTyped: true }), [rate])).toBeNull();
  expect(defaultLessonFee(values({ otherStudentIds: ['5'] }), [rate])).toBeNull();
  expect(defaultLessonFee(values({ subjectId: '' }), [rate])).toBeNull();
  const group = values({ otherStudentIds: ['5'], usesRates: true });
  expect(defaultLessonFee(group, [rate])?.source).toBe(
    "The subject's default fee, for students without a rate",
  );
});

test('an entered fee can be replaced by the rate or, if there is none, by the default fee of the subject', () => {
  const subject = { defaultFee: 35, currency: 'GBP' as const };
  const label = (change: object, rates = [rate]) =>
    findFeeAlternative(values({ isFeeTyped: true, ...change }), rates, subject).label;
  expect(label({})).toBe("Use the student's rate");
  // The rate is in the currency of the subject, whatever currency was entered.
  expect(label({ currency: 'USD' })).toBe("Use the student's rate");
  expect(label({ date: '2026-10-31' })).toBe("Use the subject's default fee");
  expect(label({ studentId: '9', otherStudentIds: ['3'] })).toBe("Use each student's rate");
  expect(label({ otherStudentIds: ['9'] }, [])).toBe("Use the subject's default fee");
  const { fields } = findFeeAlternative(values({ fee: '50' }), [rate], subject);
  expect(defaultLessonFee(values({ fee: '50', isFeeTyped: true, ...fields }), [rate])?.fee).toBe(
    '60',
  );
});
