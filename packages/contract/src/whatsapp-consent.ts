import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { Message } from './messages.ts';
import { IdParams } from './schema-fields.ts';

/* Who agreed to get WhatsApp messages that go by themselves. Everyone else's wait in the tray. */

/** What a person agreed to, word for word; kept with each consent, so that a later wording changes nothing. */
export const CONSENT_WORDING =
  'agreed to get lesson and payment reminders by WhatsApp from Lessonbook, on behalf of the tutor. STOP ends them.';

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
    summary: 'Who agreed to WhatsApp messages that go by themselves',
    reply: z.array(Consent),
  },
  grantConsent: {
    method: 'POST',
    path: '/api/messages/:id/consent',
    access: 'login',
    summary: 'The person of this draft agreed: it goes by itself, and so do the next ones',
    params: IdParams,
    reply: Message,
  },
  withdrawConsent: {
    method: 'POST',
    path: '/api/whatsapp/consents/withdraw',
    access: 'login',
    summary: 'Nothing goes to this number by itself any more',
    body: z.object({
      address: z.string().check(z.minLength(1, 'Please choose a number'), z.maxLength(40)),
    }),
    reply: z.array(Consent),
  },
  verifyWhatsAppWebhook: {
    method: 'GET',
    path: '/api/whatsapp/webhooks',
    access: 'public',
    summary: 'WhatsApp asks whether this address is ours',
    query: z.object({
      'hub.mode': z.string(),
      'hub.verify_token': z.string().check(z.maxLength(200)),
      'hub.challenge': z.string().check(z.maxLength(200)),
    }),
    reply: z.string(),
    file: 'text/plain',
  },
  whatsAppWebhook: {
    method: 'POST',
    path: '/api/whatsapp/webhooks',
    access: 'public',
    summary: 'WhatsApp tells what became of messages, and what people answered',
    signed: true,
    reply: z.object({ received: z.boolean() }),
  },
});
