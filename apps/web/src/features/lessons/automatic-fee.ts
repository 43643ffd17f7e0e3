import { isTime } from '@lessonbook/contract/dates';
import { formatMoney, toMajor } from '@lessonbook/contract/money';
import { feeFromRate, findRateOn, RATE_UNIT_LABELS, type Rate } from '@lessonbook/contract/rates';
import { formatAmountInput } from '../../lib/parse-input.ts';
import type { LessonFormValues } from './shared/lesson-form.ts';

/** The fee that the server takes if none is entered, and where it comes from; null for groups and entered fees. */
export function automaticFee(
  form: LessonFormValues,
  rates: readonly Rate[],
): { fee: string; source: string } | null {
  if (form.isFeeTyped || form.otherStudentIds.length > 0 || form.subjectId === '') return null;
  const { date, startTime, endTime } = form;
  const ids = { studentId: Number(form.studentId), subjectId: Number(form.subjectId) };
  const sameCurrency = rates.filter(({ currency }) => currency === form.currency);
  const rate = findRateOn(sameCurrency, { ...ids, date });
  if (!rate || !isTime(startTime) || !isTime(endTime))
    return { fee: form.fee, source: "The subject's default fee" };
  const amount = formatMoney(rate.amount, rate.currency, 'en-GB');
  return {
    fee: formatAmountInput(toMajor(feeFromRate(rate, { startTime, endTime }))),
    source: `Student's rate: ${amount} ${RATE_UNIT_LABELS[rate.unit]}`,
  };
}
