import * as z from 'zod/mini';
import { addDaysToDate, addMonthsToDate } from './dates.ts';
import { defineEndpoints } from './endpoint.ts';
import { CHANNELS } from './messages.ts';
import { hasWholeMinorUnits } from './money.ts';
import { RATE_UNITS } from './rates.ts';
import { currency, date, id, MAX_FEE, minorUnits } from './schema-fields.ts';

/** Families are usually given this many days' notice. */
export const USUAL_NOTICE_DAYS = 30;

/** The first day of the next term, or else of a month, that gives families the usual notice. */
export function defaultRiseStart(today: string, terms: readonly { fromDate: string }[]): string {
  const earliest = addDaysToDate(today, USUAL_NOTICE_DAYS);
  const [nextTerm] = terms
    .map(({ fromDate }) => fromDate)
    .filter((start) => start >= earliest)
    .toSorted();
  if (nextTerm !== undefined) return nextTerm;
  const month = `${earliest.slice(0, 7)}-01`;
  return month === earliest ? month : addMonthsToDate(month, 1);
}

/** 'half' rounds to 50p and 'whole' to £1, and likewise in other currencies; 'none' rounds to the penny. */
export const ROUNDINGS = ['none', 'half', 'whole'] as const;
export type Rounding = (typeof ROUNDINGS)[number];

export const RISE_KINDS = ['percent', 'amount'] as const;
export type RiseKind = (typeof RISE_KINDS)[number];

const ids = z._default(z.array(id('Please choose from the list')).check(z.maxLength(10_000)), []);

const riseFields = {
  /** An empty list means all subjects or all students. */
  subjectIds: ids,
  studentIds: ids,
  kind: z.enum(RISE_KINDS, { error: 'Please choose a percentage or an amount' }),
  /** A percentage, or an amount in major units for each price. */
  value: z
    .number({ error: 'Please enter a number' })
    .check(
      z.positive('Please enter more than 0'),
      z.maximum(MAX_FEE, 'Please enter a smaller amount'),
      z.refine(hasWholeMinorUnits, 'Please use at most two decimal places'),
    ),
  rounding: z._default(z.enum(ROUNDINGS), 'none'),
  /** The first date with the new prices. */
  from: date('Date is required'),
};

const percentIsNotTooLarge = z.refine<{ kind: RiseKind; value: number }>(
  ({ kind, value }) => kind === 'amount' || value <= 100,
  { error: 'Please enter 100% or less', path: ['value'] },
);

export const PriceRiseInput = z.object(riseFields).check(percentIsNotTooLarge);
export type PriceRiseInput = z.infer<typeof PriceRiseInput>;

export const SavePriceRiseInput = z
  .object({
    ...riseFields,
    /** From the preview. Nothing is saved if the preview is no longer correct. */
    fingerprint: z.string().check(z.minLength(1), z.maxLength(100)),
  })
  .check(percentIsNotTooLarge);
export type SavePriceRiseInput = z.infer<typeof SavePriceRiseInput>;

const RaisedPrice = z.object({
  studentId: z.number(),
  studentName: z.string(),
  subjectId: z.number(),
  subjectName: z.string(),
  unit: z.enum(RATE_UNITS),
  currency,
  oldAmount: minorUnits,
  newAmount: minorUnits,
  /** How many planned lessons get a different fee. */
  lessons: z.number(),
});
export type RaisedPrice = z.infer<typeof RaisedPrice>;

/** Why planned lessons keep their fee. */
export const KEPT_REASONS = ['own_fee', 'invoiced', 'later_rate', 'same_price'] as const;
export type KeptReason = (typeof KEPT_REASONS)[number];

export const PriceRisePreview = z.object({
  fingerprint: z.string(),
  /** Days from today until the first date with the new prices. */
  noticeDays: z.number(),
  families: z.array(
    z.object({
      familyId: z.number(),
      toName: z.string(),
      prices: z.array(RaisedPrice),
      channel: z.enum(CHANNELS),
      address: z.nullable(z.string()),
      /** Why no message is drafted, or null. */
      problem: z.nullable(z.string()),
      subject: z.string(),
      text: z.string(),
    }),
  ),
  kept: z.array(z.object({ reason: z.enum(KEPT_REASONS), lessons: z.number() })),
});
export type PriceRisePreview = z.infer<typeof PriceRisePreview>;

export const priceRises = defineEndpoints({
  previewPriceRise: {
    method: 'POST',
    path: '/api/price-rises/preview',
    access: 'login',
    summary:
      'Preview a price rise: the old and new prices of each family, the lessons affected and the messages',
    body: PriceRiseInput,
    reply: PriceRisePreview,
  },
  savePriceRise: {
    method: 'POST',
    path: '/api/price-rises',
    access: 'login',
    summary: 'Save the new rates, change the planned lessons and draft one message for each family',
    body: SavePriceRiseInput,
    reply: z.object({ rates: z.number(), changedSeats: z.number(), messages: z.number() }),
    status: 201,
    idempotent: true,
  },
});
