import { addDaysToDate } from '@lessonbook/contract/dates';
import type { Instalment } from '@lessonbook/contract/instalments';
import { fromEpochMs } from '@lessonbook/contract/time';
import { Temporal } from 'temporal-polyfill';

/**
 * The outstanding amount of each instalment. Whatever reduces the charges of the plan pays the first instalments; later ones stay as
 * agreed.
 */
export function withOutstandingAmounts<T extends Pick<Instalment, 'amount'>>(
  instalments: readonly T[],
  outstandingOfPlan: number,
): (T & { outstanding: number })[] {
  let later = instalments.reduce((sum, { amount }) => sum + amount, 0);
  return instalments.map((instalment) => {
    later -= instalment.amount;
    const outstanding = Math.min(instalment.amount, Math.max(0, outstandingOfPlan - later));
    return { ...instalment, outstanding };
  });
}

/** When a date begins in a time zone. */
export const startOfDay = (timeZone: string, date: string): Date =>
  fromEpochMs(Temporal.PlainDate.from(date).toZonedDateTime(timeZone).epochMilliseconds);

/** The next date on which an instalment is due or has been missed; null if there is none. */
export function nextCheckDate(
  instalments: readonly { dueOn: string; isDue: boolean }[],
  today: string,
): string | null {
  const dates = instalments.flatMap(({ dueOn, isDue }) => {
    if (!isDue) return dueOn;
    return dueOn >= today ? addDaysToDate(dueOn, 1) : [];
  });
  return dates.toSorted()[0] ?? null;
}
