import { durationMinutes, isDate, isTime } from '@lessonbook/contract/dates';
import { fitPattern } from '@lessonbook/contract/recurrence';
import { addMinutesToTime, formatAmountInput } from '../../../lib/parse-input.ts';
import { defaultTitle, type LessonFormValues } from './lesson-form.ts';

/* Fields of a lesson that depend on others. Each function returns the fields that change. */

/** Fills in the title once the student and the subject are known. A typed title is kept. */
export function withDefaultTitle(
  form: LessonFormValues,
  student: string | undefined,
  subject: string | undefined,
  isGroup = false,
): Partial<LessonFormValues> {
  if (!student || !subject || form.title !== form.autoFilledTitle) return {};
  const title = defaultTitle(student, subject, isGroup);
  return { title, autoFilledTitle: title };
}

interface SubjectRate {
  defaultFee?: number | null;
  currency?: string | null;
}

/** The fee of the selected subject. A typed or saved fee is kept; only the previous subject's fee is replaced. */
export function withDefaultFee(
  form: Pick<LessonFormValues, 'fee' | 'currency' | 'isFeeTyped'>,
  subject: SubjectRate,
  previous?: SubjectRate,
): Partial<LessonFormValues> {
  const rate = toRateValues(subject);
  const replaceable = previous ? toRateValues(previous) : { fee: '', currency: form.currency };
  const isReplaceable =
    !form.isFeeTyped && form.fee === replaceable?.fee && form.currency === replaceable.currency;
  return rate && isReplaceable ? rate : {};
}

const toRateValues = ({ defaultFee, currency }: SubjectRate) =>
  defaultFee ? { fee: formatAmountInput(defaultFee), currency: currency || 'GBP' } : null;

type LessonTimes = Pick<LessonFormValues, 'startTime' | 'endTime' | 'lessonMinutes'>;

/** A new start time moves the end time, so that the lesson keeps its intended length. */
export function withStartTime(
  { endTime, lessonMinutes }: LessonTimes,
  startTime: string,
): Partial<LessonTimes> {
  if (!isTime(startTime) || !isTime(endTime)) return { startTime };
  return { startTime, endTime: addMinutesToTime(startTime, lessonMinutes) };
}

/** A new end time also changes the intended length. */
export function withEndTime({ startTime }: LessonTimes, endTime: string): Partial<LessonTimes> {
  const minutes = [startTime, endTime].every(isTime) ? durationMinutes(startTime, endTime) : 0;
  return minutes > 0 ? { endTime, lessonMinutes: minutes } : { endTime };
}

/** Clears an end date that is before the new date, and replaces a recurrence pattern that does not match the new date. */
export function withDate(form: LessonFormValues, date: string): Partial<LessonFormValues> {
  if (!isDate(date)) return { date };
  const { recurringEndDate, recurringPattern } = form;
  const pattern = fitPattern(recurringPattern, date);
  return {
    date,
    ...(recurringEndDate !== '' && recurringEndDate < date && { recurringEndDate: '' }),
    ...(pattern !== recurringPattern && { recurringPattern: pattern }),
  };
}
