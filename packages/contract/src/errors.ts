import * as z from 'zod/mini';

/** Every reason for which the server refuses; the status follows from the code. */
export const errorStatus = {
  invalid: 400,
  unauthenticated: 401,
  /** The password was right; nobody is logged in before the second factor is given too. */
  second_factor_needed: 401,
  forbidden: 403,
  /** Delicate, and the password or factor was given too long ago. */
  confirmation_needed: 403,
  not_found: 404,
  conflict: 409,
  overlap: 409,
  /** Somebody has that account already: its password must be given first. */
  password_needed: 409,
  link_expired: 410,
  too_large: 413,
  unsupported_media: 415,
  too_many_requests: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorStatus;

const codes = Object.keys(errorStatus) as [ErrorCode, ...ErrorCode[]];

/** Sessions in the way of a new or moved one: shown to the tutor, who may then confirm. */
export const Overlap = z.object({
  date: z.string(),
  startTime: z.string(),
  endTime: z.string(),
  withSessionId: z.number(),
  withTitle: z.string(),
  withStartTime: z.string(),
  withEndTime: z.string(),
});
export type Overlap = z.infer<typeof Overlap>;

/** The body of every answer that is not OK. `fields` names the inputs that were refused. */
export const ErrorBody = z.object({
  code: z.enum(codes),
  message: z.string(),
  fields: z.optional(z.record(z.string(), z.string())),
  overlaps: z.optional(z.array(Overlap)),
});
export type ErrorBody = z.infer<typeof ErrorBody>;
