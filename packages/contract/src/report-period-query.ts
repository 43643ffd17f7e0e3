import * as z from 'zod/mini';
import { type ChosenPeriod, PERIODS, type Period } from './report-periods.ts';
import { date } from './schema-fields.ts';

/** The query fields of a period. */
export const periodFields = (defaultPeriod: Period) => ({
  period: z._default(z.enum(PERIODS), defaultPeriod),
  from: z.optional(date('First day is required')),
  to: z.optional(date('Last day is required')),
});

/** A custom period needs both dates, in order. */
export const hasCustomDates = z.refine<ChosenPeriod>(
  ({ period, from, to }) =>
    period !== 'custom' || (from !== undefined && to !== undefined && from <= to),
  { error: 'Please choose a first day and a last day after it', path: ['to'] },
);
