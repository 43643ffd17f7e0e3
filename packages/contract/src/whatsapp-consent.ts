import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { Message } from './messages.ts';
import { IdParams } from './schema-fields.ts';

/* Consent to automatic WhatsApp messages. Messages to people who have not consented remain drafts. */

/** Stored with each consent, so that later changes to the wording do not affect it. */
export const CONSENT_WORDING =
  'agreed to get lesson and payment reminders by WhatsApp from Lessonbook, on behalf of the tutor, and can reply STOP to end them.';

export const Consent = z.object({
  address: z.string(),
  name: z.string(),
  wording: z.string(),
  at: z.string(),
});
export type Consent = z.infer<typeof Consent>;

export const whatsappConsents = defineEndpoints({
  listConsents: {
    method: 'GET',
    path: '/api/whatsapp/consents',
    access: 'login',
    summary: 'Consents to automatic WhatsApp messages',
    reply: z.array(Consent),
  },
  grantConsent: {
    method: 'POST',
    path: '/api/messages/:id/consent',
    access: 'login',
    summary: "Record the recipient's consent; this and later messages are sent automatically",
    params: IdParams,
    reply: Message,
  },
  withdrawConsent: {
    method: 'POST',
    path: '/api/whatsapp/consents/withdraw',
    access: 'login',
    summary: 'Withdraw the consent for a number',
    body: z.object({
      address: z.string().check(z.minLength(1, 'Please choose a number'), z.maxLength(40)),
    }),
    reply: z.array(Consent),
  },
});
