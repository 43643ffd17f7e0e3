import * as z from 'zod/mini';

/** Every error code, with its HTTP status. */
export const errorStatus = {
  invalid: 400,
  unauthenticated: 401,
  /** The password is correct, but a second factor is required. */
  second_factor_needed: 401,
  forbidden: 403,
  /** The endpoint requires recent authentication: the tutor has to reauthenticate and repeat the request. */
  confirmation_needed: 403,
  not_found: 404,
  conflict: 409,
  overlap: 409,
  /** The group already has its maximum number of students; the tutor may accept one more. */
  group_full: 409,
  /** The cancellation fee is no longer the one that the family was shown. */
  fee_changed: 409,
  /** An account with this email address already exists; linking to it requires its password. */
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

/** A session that overlaps a new or moved one; the tutor may accept the overlap. */
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

/** The body of every error response. `fields` has one message per invalid field. */
export const ErrorBody = z.object({
  code: z.enum(codes),
  message: z.string(),
  fields: z.optional(z.record(z.string(), z.string())),
  overlaps: z.optional(z.array(Overlap)),
});
export type ErrorBody = z.infer<typeof ErrorBody>;
