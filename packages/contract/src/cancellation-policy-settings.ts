import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { date, optionalText, time } from './schema-fields.ts';

export const MAX_CANCELLATION_TIERS = 4;

/** Once the family portal is open, a change can apply to lessons from this many days later, or from an earlier start of term. */
export const POLICY_NOTICE_DAYS = 30;

/** What a cancellation costs after a cut-off: a number of hours before the lesson, or a time on the day before. */
export const CancellationTier = z
  .object({
    noticeHours: z._default(
      z.nullable(
        z
          .number({ error: 'Please enter a number of hours' })
          .check(
            z.int(),
            z.minimum(0, 'Please enter 0 or more'),
            z.maximum(720, 'Please enter 720 or less'),
          ),
      ),
      null,
    ),
    /** In the tutor's time zone. */
    dayBeforeTime: z._default(z.nullable(time('Please enter a time')), null),
    feePercent: z
      .number({ error: 'Please enter a percentage' })
      .check(
        z.int(),
        z.minimum(0, 'Please enter 0 to 100'),
        z.maximum(100, 'Please enter 0 to 100'),
      ),
  })
  .check(
    z.refine(
      ({ noticeHours, dayBeforeTime }) => (noticeHours === null) !== (dayBeforeTime === null),
      'Please enter either a number of hours or a time',
    ),
  );
export type CancellationTier = z.infer<typeof CancellationTier>;

const policyFields = {
  /** If empty, cancelling is always free. If several cut-offs have passed, the highest percentage applies. */
  tiers: z
    .array(CancellationTier)
    .check(z.maxLength(MAX_CANCELLATION_TIERS, 'You can add up to 4 steps')),
  /** How many late cancellations are free for each student in each term. */
  freeLateCancellations: z._default(
    z
      .number({ error: 'Please enter a number' })
      .check(
        z.int(),
        z.minimum(0, 'Please enter 0 or more'),
        z.maximum(10, 'Please enter 10 or less'),
      ),
    0,
  ),
  /** Shown to families beside "is ill". */
  illnessNote: optionalText(300),
};

export const CancellationPolicyInput = z.object({
  ...policyFields,
  /** The first lesson date to which the change applies; by default, the earliest possible date. */
  startsOn: z.optional(z.nullable(date())),
});
export type CancellationPolicyInput = z.infer<typeof CancellationPolicyInput>;

export const CancellationPolicy = z.object({
  tiers: z.array(CancellationTier),
  freeLateCancellations: z.number(),
  illnessNote: z.nullable(z.string()),
});
export type CancellationPolicy = z.infer<typeof CancellationPolicy>;

export const CancellationPolicySettings = z.object({
  current: CancellationPolicy,
  /** A change that applies to lessons from a later date. */
  planned: z.nullable(z.extend(CancellationPolicy, { startsOn: z.string() })),
  /**
   * The first lesson date to which a change can apply: today while the family portal is closed; otherwise the start of the next
   * term or 30 days from now, whichever is earlier.
   */
  earliestStart: z.string(),
  /** Once the portal is open, lessons booked before a change keep the old policy if that is milder. */
  isPortalOpen: z.boolean(),
});
export type CancellationPolicySettings = z.infer<typeof CancellationPolicySettings>;

export const cancellationPolicy = defineEndpoints({
  policy: {
    method: 'GET',
    path: '/api/settings/cancellation-policy',
    access: 'login',
    summary: 'The cancellation policy, and any planned change to it',
    reply: CancellationPolicySettings,
  },
  updatePolicy: {
    method: 'PUT',
    path: '/api/settings/cancellation-policy',
    access: 'login',
    summary:
      'Change the cancellation policy; once the family portal is open, changes apply from a later date',
    body: CancellationPolicyInput,
    reply: CancellationPolicySettings,
  },
  deletePlannedPolicy: {
    method: 'DELETE',
    path: '/api/settings/cancellation-policy/planned',
    access: 'login',
    summary: 'Withdraw a planned change to the cancellation policy',
    reply: CancellationPolicySettings,
  },
});
