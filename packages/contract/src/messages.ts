import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { paginationFields } from './payments.ts';
import { IdParams, id, optionalText } from './schema-fields.ts';

/* What goes out to students and carers: reminders, invoices, receipts, news of a change. */

export const CHANNELS = ['email', 'whatsapp'] as const;
export type Channel = (typeof CHANNELS)[number];

export const MESSAGE_KINDS = [
  'lesson_reminder',
  'lesson_change',
  'payment_reminder',
  'invoice',
  'receipt',
] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/**
 * A message that goes by itself waits, then was sent, or could not be; WhatsApp also says when it arrived and was read. A
 * WhatsApp draft lies in the tray until the tutor has opened it and says that it went. What became pointless before it went
 * was skipped.
 */
export const MESSAGE_STATES = [
  'waiting',
  'draft',
  'opened',
  'sent',
  'delivered',
  'read',
  'failed',
  'skipped',
  'dismissed',
] as const;
export type MessageState = (typeof MESSAGE_STATES)[number];

export const Message = z.object({
  id: z.number(),
  kind: z.enum(MESSAGE_KINDS),
  channel: z.enum(CHANNELS),
  state: z.enum(MESSAGE_STATES),
  familyId: z.nullable(z.number()),
  invoiceId: z.nullable(z.number()),
  paymentId: z.nullable(z.number()),
  toName: z.string(),
  /** The address or number it went to. */
  address: z.string(),
  subject: z.string(),
  text: z.string(),
  createdAt: z.string(),
  sentAt: z.nullable(z.string()),
  /** Why it did not go, in words, with what to do. */
  problem: z.nullable(z.string()),
  /** Opens the draft in the tutor's own WhatsApp; none for a mail, or when the number is no good. */
  openUrl: z.nullable(z.string()),
});
export type Message = z.infer<typeof Message>;

/** A message as it would go. */
export const MessagePreview = z.object({
  familyId: z.nullable(z.number()),
  /** The lessons it speaks of, where it speaks of lessons. */
  sessionIds: z.array(z.number()),
  toName: z.string(),
  channel: z.enum(CHANNELS),
  address: z.nullable(z.string()),
  subject: z.string(),
  text: z.string(),
  /** When it would go out by itself; none if it is sent by hand. */
  at: z.nullable(z.string()),
  problem: z.nullable(z.string()),
});
export type MessagePreview = z.infer<typeof MessagePreview>;

/** Who to write to by hand: the payer of a family, or those of sessions that changed. */
const customText = { subject: optionalText(200), text: optionalText(4000) };

export const ReminderInput = z.object({
  familyId: id('Please choose whom to remind'),
  channel: z.enum(CHANNELS, { error: 'Please choose how to send it' }),
  ...customText,
});
export type ReminderInput = z.infer<typeof ReminderInput>;

export const CHANGE_NOTICE_KINDS = ['cancelled', 'moved'] as const;

export const ChangeNoticeInput = z.object({
  kind: z.enum(CHANGE_NOTICE_KINDS),
  sessionIds: z
    .array(id('Please choose a lesson'))
    .check(z.minLength(1, 'Please choose a lesson'), z.maxLength(500)),
  channel: z.enum(CHANNELS, { error: 'Please choose how to send it' }),
  /** Only when one family is told; several get the words of the template. */
  ...customText,
});
export type ChangeNoticeInput = z.infer<typeof ChangeNoticeInput>;

const list = z.array(Message);
const previews = z.array(MessagePreview);
const MessagesReply = z.object({ messages: list });
const ChannelInput = z.object({
  channel: z.enum(CHANNELS, { error: 'Please choose how to send it' }),
  ...customText,
});

export const messages = defineEndpoints({
  listMessages: {
    method: 'GET',
    path: '/api/messages',
    access: 'login',
    summary: 'What was sent, to whom, when and with what result, newest first',
    query: z.object({
      familyId: z.optional(
        z.coerce.number().check(z.int(), z.positive(), z.maximum(2_147_483_647)),
      ),
      ...paginationFields,
    }),
    reply: list,
  },
  outbox: {
    method: 'GET',
    path: '/api/messages/tray',
    access: 'login',
    summary: 'WhatsApp drafts that wait to be opened and sent',
    reply: list,
  },
  markMessageOpened: {
    method: 'POST',
    path: '/api/messages/:id/opened',
    access: 'login',
    summary: 'The draft was opened in WhatsApp',
    params: IdParams,
    reply: Message,
  },
  setMessageOutcome: {
    method: 'POST',
    path: '/api/messages/:id/settle',
    access: 'login',
    summary: 'It was sent, not sent yet, or is not wanted any more',
    params: IdParams,
    body: z.object({ outcome: z.enum(['sent', 'not_yet', 'dismissed']) }),
    reply: Message,
  },
  retryMessage: {
    method: 'POST',
    path: '/api/messages/:id/retry',
    access: 'login',
    summary: 'Try a mail again that could not be sent',
    params: IdParams,
    reply: Message,
    idempotent: true,
  },
  previewReminder: {
    method: 'POST',
    path: '/api/reminders/preview',
    access: 'login',
    summary: 'The words of a payment reminder, before it goes',
    body: ReminderInput,
    reply: MessagePreview,
  },
  sendReminder: {
    method: 'POST',
    path: '/api/reminders',
    access: 'login',
    summary: 'Remind a payer of what is owed',
    body: ReminderInput,
    reply: MessagesReply,
    status: 201,
    idempotent: true,
  },
  previewChangeNotice: {
    method: 'POST',
    path: '/api/messages/tell/preview',
    access: 'login',
    summary: 'What families would be told about lessons that were cancelled or moved',
    body: ChangeNoticeInput,
    reply: previews,
  },
  sendChangeNotice: {
    method: 'POST',
    path: '/api/messages/tell',
    access: 'login',
    summary: 'Tell the families, each once',
    body: ChangeNoticeInput,
    reply: MessagesReply,
    status: 201,
    idempotent: true,
  },
  previewInvoiceMessage: {
    method: 'POST',
    path: '/api/invoices/:id/send/preview',
    access: 'login',
    summary: 'The words with which an invoice would go',
    params: IdParams,
    body: ChannelInput,
    reply: MessagePreview,
  },
  sendInvoice: {
    method: 'POST',
    path: '/api/invoices/:id/send',
    access: 'login',
    summary: 'Send an issued invoice, with its public link and the paper',
    params: IdParams,
    body: ChannelInput,
    reply: MessagesReply,
    status: 201,
    idempotent: true,
  },
  previewReceipt: {
    method: 'POST',
    path: '/api/payments/:id/receipt/preview',
    access: 'login',
    summary: 'The words of a receipt, before it goes',
    params: IdParams,
    body: ChannelInput,
    reply: MessagePreview,
  },
  sendReceipt: {
    method: 'POST',
    path: '/api/payments/:id/receipt',
    access: 'login',
    summary: 'Send a receipt: amount, what it covered, what remains',
    params: IdParams,
    body: ChannelInput,
    reply: MessagesReply,
    status: 201,
    idempotent: true,
  },
  unsubscribe: {
    method: 'POST',
    path: '/api/unsubscribe/:token',
    access: 'public',
    summary: 'No more reminders to this address; invoices still come',
    params: z.object({ token: z.string().check(z.minLength(1), z.maxLength(100)) }),
    reply: z.object({ tutorName: z.string() }),
    fromAnywhere: true,
  },
});
