import * as z from 'zod/mini';
import { isDate, isTime } from './dates.ts';
import { CURRENCIES } from './money.ts';

/** Pieces that several domains' schemas are made of. */

/** What the database's integer holds; a larger one names nothing. */
const LARGEST_ID = 2_147_483_647;

export const IdParams = z.object({
  id: z.coerce.number().check(z.int(), z.positive(), z.maximum(LARGEST_ID)),
});

export const date = (missing = 'Please pick a date') =>
  z
    .string({ error: missing })
    .check(z.minLength(1, missing), z.refine(isDate, 'Please pick a date'));

export const time = (missing: string) =>
  z
    .string({ error: missing })
    .check(z.minLength(1, missing), z.refine(isTime, 'Please enter a time as HH:MM'));

export const currency = z.enum(CURRENCIES, { error: 'Please choose a currency from the list' });

/** Free text that may be left empty; empty and missing are the same thing. */
export const optionalText = (longest: number) =>
  z.optional(
    z.nullable(
      z.string().check(z.trim(), z.maxLength(longest, `Please use at most ${longest} characters`)),
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
    .check(z.int(missing), z.positive(missing), z.maximum(LARGEST_ID, missing));

/** A lesson may not cross midnight, so its end is later on the same wall. */
export const endsAfterStart = z.refine<{ startTime: string; endTime: string }>(
  (lesson) => lesson.endTime > lesson.startTime,
  {
    error: 'End time must be after start time',
    path: ['endTime'],
  },
);

/** The overlaps were shown, and the tutor wants it all the same. */
export const acceptOverlaps = z._default(z.boolean(), false);
