import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { findUnknownPlaceholders } from './message-placeholders.ts';
import { CHANNELS, Message } from './messages.ts';
import { currency, date, IdParams, id, minorUnits, requiredLine } from './schema-fields.ts';

/* Messages to several families at once: written by the tutor, or payment reminders. Each family gets its own. */

export const MAX_RECIPIENTS = 500;

const familyIds = z
  .array(id('Please choose a family'))
  .check(
    z.minLength(1, 'Please choose a family'),
    z.maxLength(MAX_RECIPIENTS, `Please choose at most ${MAX_RECIPIENTS} families`),
  );

const placeholders = z.refine<string>((text) => findUnknownPlaceholders(text).length === 0, {
  error: ({ input }) => {
    const [unknown] = findUnknownPlaceholders(input as string);
    return `${unknown} isn't a placeholder. Please remove it or choose one from the list.`;
  },
});

export const CustomMessageRecipientsInput = z.object({
  familyIds,
  /** Families without an address for this channel get the message on the other one. */
  channel: z.enum(CHANNELS, { error: 'Please choose how to send it' }),
});
export type CustomMessageRecipientsInput = z.infer<typeof CustomMessageRecipientsInput>;

/** A message from the tutor to one or more families, each of which gets its own. */
export const CustomMessageInput = z.extend(CustomMessageRecipientsInput, {
  subject: requiredLine('Please enter a subject', 200).check(placeholders),
  text: z
    .string({ error: 'Please write a message' })
    .check(
      z.trim(),
      z.minLength(1, 'Please write a message'),
      z.maxLength(4000, 'Please use at most 4,000 characters'),
      placeholders,
    ),
});
export type CustomMessageInput = z.infer<typeof CustomMessageInput>;

export const CustomMessageRecipient = z.object({
  familyId: z.number(),
  toName: z.string(),
  channel: z.enum(CHANNELS),
  address: z.nullable(z.string()),
  /** Why the family cannot be sent the message, or null. */
  problem: z.nullable(z.string()),
  /** What replaces the placeholders; an empty value means that the message cannot use that placeholder. */
  values: z.object({
    name: z.string(),
    children: z.string(),
    amount: z.string(),
    tutor: z.string(),
  }),
});
export type CustomMessageRecipient = z.infer<typeof CustomMessageRecipient>;

/** What happened to the message to one family. 'to_send' waits until the tutor opens it in WhatsApp. */
export const FamilyResult = z.object({
  familyId: z.number(),
  toName: z.string(),
  outcome: z.enum(['sent', 'to_send', 'already_sent', 'not_sent']),
  messageId: z.nullable(z.number()),
  problem: z.nullable(z.string()),
});
export type FamilyResult = z.infer<typeof FamilyResult>;

/** A family with overdue charges. The list is used to remind all such families at once. */
export const OverdueReminder = z.object({
  familyId: z.number(),
  toName: z.string(),
  channel: z.enum(CHANNELS),
  address: z.nullable(z.string()),
  overdue: z.array(z.object({ currency, amount: minorUnits })),
  /** The oldest due date. */
  dueSince: z.string(),
  lastRemindedAt: z.nullable(z.string()),
  problem: z.nullable(z.string()),
});
export type OverdueReminder = z.infer<typeof OverdueReminder>;

export const DraftInput = z.object({
  subject: requiredLine('Please enter a subject', 200),
  text: z
    .string({ error: 'Please write a message' })
    .check(z.trim(), z.minLength(1, 'Please write a message'), z.maxLength(4000)),
});
export type DraftInput = z.infer<typeof DraftInput>;

export const bulkMessages = defineEndpoints({
  overdueReminders: {
    method: 'GET',
    path: '/api/reminders/overdue',
    access: 'login',
    summary: 'Families with something overdue and when they were last reminded, oldest debt first',
    reply: z.object({
      families: z.array(OverdueReminder),
      /** Why no family can be reminded, or null. */
      problem: z.nullable(z.string()),
    }),
  },
  familiesWithLesson: {
    method: 'GET',
    path: '/api/messages/families-with-lesson',
    access: 'login',
    summary: 'The families with a lesson on a day',
    query: z.object({ date: date() }),
    reply: z.object({ familyIds: z.array(z.number()) }),
  },
  previewCustomMessage: {
    method: 'POST',
    path: '/api/messages/custom/preview',
    access: 'login',
    summary:
      'How each family would be sent a message from the tutor, and the values of its placeholders',
    body: CustomMessageRecipientsInput,
    reply: z.array(CustomMessageRecipient),
  },
  sendCustomMessage: {
    method: 'POST',
    path: '/api/messages/custom',
    access: 'login',
    summary: 'Send a message from the tutor to one or more families, one message for each',
    body: CustomMessageInput,
    reply: z.array(FamilyResult),
    status: 201,
    idempotent: true,
  },
  sendDraft: {
    method: 'POST',
    path: '/api/messages/:id/send',
    access: 'login',
    summary: 'Send an email that was drafted, with the text that the tutor has read or changed',
    params: IdParams,
    body: DraftInput,
    reply: Message,
    idempotent: true,
  },
});
