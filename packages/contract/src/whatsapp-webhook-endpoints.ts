import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';

export const whatsappWebhooks = defineEndpoints({
  verifyWhatsAppWebhook: {
    method: 'GET',
    path: '/api/whatsapp/webhooks',
    access: 'public',
    summary: 'Webhook verification by WhatsApp',
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
    summary: 'Webhook: message status and replies',
    signed: true,
    reply: z.object({ received: z.boolean() }),
  },
});
