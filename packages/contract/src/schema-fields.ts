import * as z from 'zod/mini';
import { isDate, isTime } from './dates.ts';
import { MAX_PAGE_SIZE } from './endpoint.ts';
import { CURRENCIES, hasWholeMinorUnits } from './money.ts';
import { isTimeZone } from './time.ts';

/** Fields shared by the schemas of several domains. */

/** The largest value of a PostgreSQL integer. */
export const MAX_INTEGER = 2_147_483_647;

/** An id in a path or query string. */
export const idParam = z.coerce.number().check(z.int(), z.positive(), z.maximum(MAX_INTEGER));

export const IdParams = z.object({ id: idParam });

export const pageLimit = (defaultLimit: number, max = MAX_PAGE_SIZE) =>
  z._default(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(max)), defaultLimit);

/**
 * Pages of a list ordered by id: `after` is the id of the last item of the previous page. A page with fewer
 * than `limit` items is the last one.
 */
export const PageQuery = z.object({
  limit: pageLimit(MAX_PAGE_SIZE),
  after: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(MAX_INTEGER)), 0),
});
export type PageQuery = z.infer<typeof PageQuery>;

/** Pages of a list in a different order, such as newest first. */
export const paginationFields = {
  limit: pageLimit(100),
  offset: z._default(z.coerce.number().check(z.int(), z.minimum(0), z.maximum(1_000_000)), 0),
};

export const date = (missing = 'Please choose a date') =>
  z
    .string({ error: missing })
    .check(z.minLength(1, missing), z.refine(isDate, 'Please choose a date'));

export const time = (missing: string) =>
  z
    .string({ error: missing })
    .check(z.minLength(1, missing), z.refine(isTime, 'Please enter a time as HH:MM'));

export const timeZone = z
  .string()
  .check(z.refine(isTimeZone, 'Please choose a time zone from the list'));

export const currency = z.enum(CURRENCIES, { error: 'Please choose a currency from the list' });

/** An amount in a reply, in pence or cents. Every reply uses it, except for the fees that the specification defines. */
export const minorUnits = z.number().check(z.describe('Amount in minor units, such as pence'));

/** The fee of a lesson or a subject, which the specification defines in pounds or dollars: 32.5. */
export const majorUnits = z.number().check(z.describe('Amount in major units, such as pounds'));

export const MAX_FEE = 100_000;

/** A fee in major units that someone has entered. */
export const feeInput = (missing: string) =>
  z
    .number({ error: missing })
    .check(
      z.minimum(1, 'Fee must be greater than 0'),
      z.maximum(MAX_FEE, 'That fee is too large'),
      z.refine(hasWholeMinorUnits, 'Please use at most two decimal places'),
    );

/** In major units; null means free, or no fee. */
export const optionalFee = z.optional(z.nullable(feeInput('Please enter an amount')));

/** Replaces line breaks and other control characters with spaces, for text that is used in email headers and file names. */
export const singleLine = z.overwrite<string>((text) => text.replace(/\p{Cc}+/gu, ' '));

/** A name or title. */
export const requiredLine = (missing: string, maxLength: number) =>
  z
    .string({ error: missing })
    .check(
      singleLine,
      z.trim(),
      z.minLength(1, missing),
      z.maxLength(maxLength, `Please use at most ${maxLength} characters`),
    );

/** A name or other short text that may be empty; empty and missing are equivalent. */
export const optionalLine = (maxLength: number) =>
  z.optional(
    z.nullable(
      z
        .string()
        .check(
          singleLine,
          z.trim(),
          z.maxLength(maxLength, `Please use at most ${maxLength} characters`),
        ),
    ),
  );

/** Free text that may be empty; empty and missing are equivalent. */
export const optionalText = (maxLength: number) =>
  z.optional(
    z.nullable(
      z
        .string()
        .check(z.trim(), z.maxLength(maxLength, `Please use at most ${maxLength} characters`)),
    ),
  );

export const optionalEmail = z.optional(
  z.nullable(
    z.union(
      [
        z.literal(''),
        z.string().check(z.trim(), z.maxLength(254, 'Invalid email'), z.email('Invalid email')),
      ],
      {
        error: 'Invalid email',
      },
    ),
  ),
);

export const id = (missing: string) =>
  z
    .number({ error: missing })
    .check(z.int(missing), z.positive(missing), z.maximum(MAX_INTEGER, missing));

/** A lesson must not run past midnight. */
export const endsAfterStart = z.refine<{ startTime: string; endTime: string }>(
  (lesson) => lesson.endTime > lesson.startTime,
  {
    error: 'End time must be after start time',
    path: ['endTime'],
  },
);

/** Whether the tutor has seen and accepted the overlaps. */
export const acceptOverlaps = z._default(z.boolean(), false);

/** Whether a group may have more students than its maximum. */
export const acceptFull = z.optional(z.boolean());
