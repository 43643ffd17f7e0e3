import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { publicId } from './portal.ts';
import { requiredLine } from './schema-fields.ts';

/** The agreement as a person who pays sees it. */
export const PortalAgreement = z.object({
  tutorName: z.string(),
  /** The current version, then those that will apply later. Empty if there is none, or if the person does not pay. */
  versions: z.array(
    z.object({
      version: z.number(),
      text: z.string(),
      startsOn: z.string(),
      isComing: z.boolean(),
      /** Null until the person has accepted it. The date is in the tutor's time zone. */
      accepted: z.nullable(z.object({ on: z.string(), name: z.string() })),
    }),
  ),
});
export type PortalAgreement = z.infer<typeof PortalAgreement>;

export const AcceptAgreementInput = z.object({
  version: z.number().check(z.int(), z.minimum(1), z.maximum(2_147_483_647)),
  name: requiredLine('Please type your name', 100),
});
export type AcceptAgreementInput = z.infer<typeof AcceptAgreementInput>;

export const portalAgreements = defineEndpoints({
  portalAgreement: {
    method: 'GET',
    path: '/api/portal/tutors/:publicId/agreement',
    access: 'contact',
    summary: 'The agreement with this tutor, and whether this person has accepted it',
    params: z.object({ publicId }),
    reply: PortalAgreement,
  },
  acceptAgreement: {
    method: 'POST',
    path: '/api/portal/tutors/:publicId/agreement/acceptances',
    access: 'contact',
    // Fails with a conflict if a later version has replaced this one.
    summary: 'Accept a version of the agreement; accepting it again changes nothing',
    params: z.object({ publicId }),
    body: AcceptAgreementInput,
    reply: PortalAgreement,
  },
});
