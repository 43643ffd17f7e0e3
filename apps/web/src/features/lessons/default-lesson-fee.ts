import { isTime } from '@lessonbook/contract/dates';
import { formatMoney, toMajor } from '@lessonbook/contract/money';
import { feeFromRate, findRateOn, RATE_UNIT_LABELS, type Rate } from '@lessonbook/contract/rates';
import type { Subject } from '@lessonbook/contract/subjects';
import { formatAmountInput } from '../../lib/parse-input.ts';
import type { LessonFormValues } from './shared/lesson-form.ts';

/** The fee that the server uses if none is entered, and where it comes from; null for entered fees. */
export function defaultLessonFee(
  form: LessonFormValues,
  rates: readonly Rate[],
): { fee: string; source: string } | null {
  if (form.isFeeTyped || form.subjectId === '') return null;
  if (form.otherStudentIds.length > 0) {
    // A group has a price per place unless the tutor has chosen the students' rates.
    if (!form.usesRates) return null;
    return { fee: form.fee, source: "The subject's default fee, for students without a rate" };
  }
  return (
    feeByRate(form, rates, form.studentId) ?? { fee: form.fee, source: "The subject's default fee" }
  );
}

/** The fee at the student's rate on the date; null if the student has no rate. */
export function feeByRate(
  { startTime, endTime, ...form }: LessonFormValues,
  rates: readonly Rate[],
  studentId: string,
): { fee: string; source: string } | null {
  const rate = findRate(form, rates, studentId);
  if (!rate || !isTime(startTime) || !isTime(endTime)) return null;
  const amount = formatMoney(rate.amount, rate.currency, 'en-GB');
  return {
    fee: formatAmountInput(toMajor(feeFromRate(rate, { startTime, endTime }))),
    source: `Student's rate: ${amount} ${RATE_UNIT_LABELS[rate.unit]}`,
  };
}

type RateTerms = Pick<LessonFormValues, 'subjectId' | 'date' | 'currency'>;

const findRate = (form: RateTerms, rates: readonly Rate[], studentId: string) =>
  findRateOn(
    rates.filter(({ currency }) => currency === form.currency),
    { studentId: Number(studentId), subjectId: Number(form.subjectId), date: form.date },
  );

/** For an entered fee: what the lesson can use instead, and the fields that change. */
export function findFeeAlternative(
  form: LessonFormValues,
  rates: readonly Rate[],
  { defaultFee, currency }: Pick<Subject, 'defaultFee' | 'currency'>,
): { label: string; fields: Partial<LessonFormValues> } {
  const studentIds = [form.studentId, ...form.otherStudentIds];
  const hasRate = studentIds.some((id) => findRate({ ...form, currency }, rates, id));
  const isGroup = studentIds.length > 1;
  return {
    label: hasRate
      ? `Use ${isGroup ? "each student's" : "the student's"} rate`
      : "Use the subject's default fee",
    fields: { fee: formatAmountInput(defaultFee), currency, usesRates: true, isFeeTyped: false },
  };
}
