import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { date } from './schema-fields.ts';

/* The versions of the tutor's agreement with the people who pay, and who has accepted each of them. */

export const MAX_AGREEMENT_LENGTH = 20_000;

/** Current: the one that applies today. Coming: it will apply from a later date. Past: replaced by a later version. */
export const AGREEMENT_STATES = ['current', 'coming', 'past'] as const;

export const AgreementVersion = z.object({
  version: z.number(),
  text: z.string(),
  startsOn: z.string(),
  publishedAt: z.string(),
  /** When families were first emailed about it. */
  askedAt: z.nullable(z.string()),
  state: z.enum(AGREEMENT_STATES),
});
export type AgreementVersion = z.infer<typeof AgreementVersion>;

export const AgreementSettings = z.object({
  isPortalOpen: z.boolean(),
  /** Newest first. */
  versions: z.array(AgreementVersion),
  /** The people who pay for a current student, by name. */
  people: z.array(
    z.object({
      contactId: z.number(),
      familyId: z.number(),
      name: z.string(),
      /** Whether the person may use the portal once it is open. */
      hasAccess: z.boolean(),
      hasEmail: z.boolean(),
      acceptances: z.array(
        z.object({
          version: z.number(),
          /** As the person typed it. */
          name: z.string(),
          at: z.string(),
          /** For example '203.0.113.x'. */
          network: z.nullable(z.string()),
        }),
      ),
    }),
  ),
});
export type AgreementSettings = z.infer<typeof AgreementSettings>;

export const AgreementInput = z.object({
  text: z
    .string({ error: 'Please enter the text of your agreement' })
    .check(
      z.trim(),
      z.minLength(1, 'Please enter the text of your agreement'),
      z.maxLength(MAX_AGREEMENT_LENGTH, 'Please use at most 20,000 characters'),
    ),
  startsOn: date('Please choose a date'),
});
export type AgreementInput = z.infer<typeof AgreementInput>;

/** How many of the people who have not accepted were emailed, and why the others were not. Each person counts once. */
export const AskedToAgree = z.object({
  sent: z.number(),
  alreadyAsked: z.number(),
  /** People who may not use the family portal. */
  withoutAccess: z.number(),
  withoutEmail: z.number(),
  /** Emails to their address have bounced, or no email can be sent to it at the moment. */
  undeliverable: z.number(),
});
export type AskedToAgree = z.infer<typeof AskedToAgree>;

const VersionParams = z.object({
  version: z.coerce.number().check(z.int(), z.minimum(1), z.maximum(2_147_483_647)),
});

export const agreements = defineEndpoints({
  agreement: {
    method: 'GET',
    path: '/api/settings/agreement',
    access: 'login',
    summary: 'The versions of the agreement, and who has accepted which',
    reply: AgreementSettings,
  },
  publishAgreement: {
    method: 'POST',
    path: '/api/settings/agreement/versions',
    access: 'login',
    summary: 'Publish a version of the agreement, which cannot be changed afterwards',
    body: AgreementInput,
    reply: AgreementSettings,
    status: 201,
    idempotent: true,
  },
  askToAgree: {
    method: 'POST',
    path: '/api/settings/agreement/versions/:version/ask',
    access: 'login',
    summary: 'Email everyone who has not accepted this version, once for each person',
    params: VersionParams,
    reply: AskedToAgree,
  },
});
