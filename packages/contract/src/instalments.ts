import * as z from 'zod/mini';
import { addDaysToDate, addMonthsToDate } from './dates.ts';
import { currency, minorUnits } from './schema-fields.ts';

/* Instalments for the overdue amount of an account. */

export const INSTALMENT_FREQUENCIES = ['weekly', 'monthly'] as const;
export type InstalmentFrequency = (typeof INSTALMENT_FREQUENCIES)[number];

export const MIN_INSTALMENTS = 2;
export const MAX_INSTALMENTS = 24;

export const Instalment = z.object({
  dueOn: z.string(),
  amount: minorUnits,
  /** The unpaid part. */
  outstanding: minorUnits,
  /** Whether the due date has been reached. */
  isDue: z.boolean(),
});
export type Instalment = z.infer<typeof Instalment>;

/** A plan that is not fully paid. */
export const InstalmentPlan = z.object({ currency, instalments: z.array(Instalment) });
export type InstalmentPlan = z.infer<typeof InstalmentPlan>;

/** Whole minor units that add up to the total; the first instalments absorb the remainder. */
export function splitIntoInstalments(total: number, count: number): number[] {
  const share = Math.floor(total / count);
  const remainder = total - share * count;
  return Array.from({ length: count }, (_, index) => share + (index < remainder ? 1 : 0));
}

/** Monthly instalments are due on the same day of each month, or on the last day of a shorter month. */
export const instalmentDates = (
  firstOn: string,
  count: number,
  frequency: InstalmentFrequency,
): string[] =>
  Array.from({ length: count }, (_, index) =>
    frequency === 'weekly' ? addDaysToDate(firstOn, 7 * index) : addMonthsToDate(firstOn, index),
  );
