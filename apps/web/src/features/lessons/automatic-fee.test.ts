import type { Rate } from '@lessonbook/contract/rates';
import { expect, test } from 'vitest';
import { automaticFee } from './automatic-fee.ts';
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
  expect(automaticFee(values(), [rate])).toEqual({
    fee: '60',
    source: "Student's rate: £40.00 an hour",
  });
  const isDefault = { fee: '35', source: "The subject's default fee" };
  expect(automaticFee(values(), [])).toEqual(isDefault);
  expect(automaticFee(values({ date: '2026-10-31' }), [rate])).toEqual(isDefault);
  expect(automaticFee(values({ studentId: '9' }), [rate])).toEqual(isDefault);
  expect(automaticFee(values({ currency: 'USD' }), [rate])).toEqual(isDefault);
});

test('a fee that was entered, or the price of a place in a group, is not automatic', () => {
  expect(automaticFee(values({ isFeeTyped: true }), [rate])).toBeNull();
  expect(automaticFee(values({ otherStudentIds: ['5'] }), [rate])).toBeNull();
  expect(automaticFee(values({ subjectId: '' }), [rate])).toBeNull();
});
