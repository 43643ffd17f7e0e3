import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { CHANNELS, MESSAGE_KINDS, MESSAGE_STATES } from './messages.ts';
import { IdParams } from './schema-fields.ts';

/** The messages about one session, and the reminders that will be sent automatically. */
export const SessionMessages = z.object({
  messages: z.array(
    z.object({
      id: z.number(),
      kind: z.enum(MESSAGE_KINDS),
      channel: z.enum(CHANNELS),
      state: z.enum(MESSAGE_STATES),
      toName: z.string(),
      /** When it was sent; until then, when it was created. */
      at: z.string(),
    }),
  ),
  planned: z.array(z.object({ channel: z.enum(CHANNELS), toName: z.string(), at: z.string() })),
});
export type SessionMessages = z.infer<typeof SessionMessages>;

export const sessionMessages = defineEndpoints({
  sessionMessages: {
    method: 'GET',
    path: '/api/sessions/:id/messages',
    access: 'login',
    summary: 'Messages about one session, and its planned reminders',
    params: IdParams,
    reply: SessionMessages,
  },
});
