import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { IdParams, id, idParam, optionalText, paginationFields } from './schema-fields.ts';
import { PreviousTime } from './sessions.ts';

/* Messages to students and carers: reminders, invoices, receipts and change notices. */

/** No message that asks for money is sent before the tutor has entered a payment method. */
export const NO_PAYMENT_METHOD_MESSAGE =
  "Families can't pay you yet. Add your bank details, card payments or another way to pay, then send this.";

export const CHANNELS = ['email', 'whatsapp'] as const;
export type Channel = (typeof CHANNELS)[number];

/** Kinds whose text the tutor can change. */
export const TEMPLATE_KINDS = [
  'lesson_reminder',
  'lesson_change',
  'payment_reminder',
  'invoice',
  'receipt',
] as const;
export type TemplateKind = (typeof TEMPLATE_KINDS)[number];

/**
 * 'payment_update' informs the payer of a failed debit, a refund or a dispute; 'custom' is written by the tutor; 'lesson_notes'
 * contains the notes that were shared on a day; 'not_arrived' says that a student is missing from a lesson in progress.
 */
export const MESSAGE_KINDS = [
  ...TEMPLATE_KINDS,
  'payment_update',
  'custom',
  'lesson_notes',
  'not_arrived',
] as const;
export type MessageKind = (typeof MESSAGE_KINDS)[number];

/** The kinds that a recipient can stop. */
export const REMINDER_KINDS = ['lesson_reminder', 'payment_reminder', 'lesson_notes'] as const;
export type ReminderKind = (typeof REMINDER_KINDS)[number];

/**
 * An automatic message is waiting, then sent or failed; WhatsApp also reports it as delivered and read. A WhatsApp
 * draft stays in the outbox until the tutor has opened it and confirmed that it was sent; an email draft stays there until it has
 * been sent. A message that becomes obsolete before it is sent is skipped.
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
  /** Email address or phone number. */
  address: z.string(),
  subject: z.string(),
  text: z.string(),
  createdAt: z.string(),
  sentAt: z.nullable(z.string()),
  sentBy: z.enum(['automatic', 'tutor']),
  /** The tutor has confirmed that it was sent in WhatsApp, which we cannot check. */
  isMarkedAsSent: z.boolean(),
  /** Why the message was not sent and what to do about it; shown to the tutor. */
  problem: z.nullable(z.string()),
  /** Opens the draft in the tutor's WhatsApp; null for email or an invalid number. */
  openUrl: z.nullable(z.string()),
});
export type Message = z.infer<typeof Message>;

export const MessagePreview = z.object({
  familyId: z.nullable(z.number()),
  /** The sessions the message is about. */
  sessionIds: z.array(z.number()),
  toName: z.string(),
  channel: z.enum(CHANNELS),
  address: z.nullable(z.string()),
  subject: z.string(),
  text: z.string(),
  /** When it would be sent automatically; null if the tutor sends it manually. */
  at: z.nullable(z.string()),
  problem: z.nullable(z.string()),
});
export type MessagePreview = z.infer<typeof MessagePreview>;

/** Overrides the text of the template. */
const customText = { subject: optionalText(200), text: optionalText(4000) };

export const ReminderInput = z.object({
  familyId: id('Please choose who to remind'),
  channel: z.enum(CHANNELS, { error: 'Please choose how to send it' }),
  ...customText,
});
export type ReminderInput = z.infer<typeof ReminderInput>;

/** Kinds of change to a session that a family has not been sent yet. */
export const SESSION_CHANGES = ['cancelled', 'moved', 'restored'] as const;

const localSlot = { date: z.string(), startTime: z.string(), endTime: z.string() };

/** A session that differs from the last message to its family. */
export const PendingNotice = z.object({
  sessionId: z.number(),
  change: z.enum(SESSION_CHANGES),
  studentName: z.string(),
  toName: z.string(),
  /** False if no message mentioned the session; `lastCommunicated` is then the originally planned time. */
  wasInformed: z.boolean(),
  /** Null if the last message says that the session will not take place. */
  lastCommunicated: z.nullable(z.object(localSlot)),
  /** The session's time now. */
  ...localSlot,
});
export type PendingNotice = z.infer<typeof PendingNotice>;

/** The server compares the sessions with the last message to each family and sends the changes. */
export const ChangeNoticeInput = z.object({
  sessionIds: z
    .array(id('Please choose a lesson'))
    .check(z.minLength(1, 'Please choose a lesson'), z.maxLength(500)),
  channel: z.enum(CHANNELS, { error: 'Please choose how to send it' }),
  /** After a series was moved: the previous times, which families still expect unless a later message gave other times. */
  previousTimes: z.optional(z.array(PreviousTime).check(z.maxLength(500))),
  /** Only allowed for a single recipient; several recipients get the template. */
  ...customText,
});
export type ChangeNoticeInput = z.infer<typeof ChangeNoticeInput>;

/** Which messages in the log are listed; without a filter, drafts are included. */
export const LOG_FILTERS = ['sent', 'automatic', 'tutor', 'failed'] as const;
export type LogFilter = (typeof LOG_FILTERS)[number];

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
    summary: 'All messages with their status, newest first',
    query: z.object({
      familyId: z.optional(idParam),
      show: z.optional(z.enum(LOG_FILTERS)),
      /** Words in the recipient's name, the subject or the text. */
      search: z.optional(z.string().check(z.maxLength(100))),
      /** Only messages from this many past days. */
      days: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(3660))),
      ...paginationFields,
    }),
    reply: list,
  },
  message: {
    method: 'GET',
    path: '/api/messages/:id',
    access: 'login',
    summary: 'One message',
    params: IdParams,
    reply: Message,
  },
  outbox: {
    method: 'GET',
    path: '/api/messages/outbox',
    access: 'login',
    summary: 'Messages that require action: WhatsApp drafts, and messages that could not be sent',
    reply: list,
  },
  markMessageOpened: {
    method: 'POST',
    path: '/api/messages/:id/opened',
    access: 'login',
    summary: 'Record that the draft was opened in WhatsApp',
    params: IdParams,
    reply: Message,
  },
  setMessageOutcome: {
    method: 'POST',
    path: '/api/messages/:id/settle',
    access: 'login',
    summary: 'Record whether the draft has been sent, or dismiss a draft or a failed message',
    params: IdParams,
    body: z.object({ outcome: z.enum(['sent', 'not_yet', 'dismissed']) }),
    reply: Message,
  },
  retryMessage: {
    method: 'POST',
    path: '/api/messages/:id/retry',
    access: 'login',
    summary: 'Retry a failed email',
    params: IdParams,
    reply: Message,
    idempotent: true,
  },
  previewReminder: {
    method: 'POST',
    path: '/api/reminders/preview',
    access: 'login',
    summary: 'Preview a payment reminder',
    body: ReminderInput,
    reply: MessagePreview,
  },
  sendReminder: {
    method: 'POST',
    path: '/api/reminders',
    access: 'login',
    summary: 'Send a payment reminder',
    body: ReminderInput,
    reply: MessagesReply,
    status: 201,
    idempotent: true,
  },
  pendingNotices: {
    method: 'GET',
    path: '/api/messages/pending-notices',
    access: 'login',
    summary: 'Upcoming lessons that differ from the last message to the family',
    query: z.object({ sessionId: z.optional(idParam) }),
    reply: z.array(PendingNotice),
  },
  previewChangeNotice: {
    method: 'POST',
    path: '/api/messages/change-notice/preview',
    access: 'login',
    summary: 'Preview the notices about lessons that have changed',
    body: ChangeNoticeInput,
    reply: previews,
  },
  sendChangeNotice: {
    method: 'POST',
    path: '/api/messages/change-notice',
    access: 'login',
    summary: 'Send the notices about lessons that have changed, one per family',
    body: ChangeNoticeInput,
    reply: MessagesReply,
    status: 201,
    idempotent: true,
  },
  previewInvoiceMessage: {
    method: 'POST',
    path: '/api/invoices/:id/send/preview',
    access: 'login',
    summary: 'Preview the message with an invoice',
    params: IdParams,
    body: ChannelInput,
    reply: MessagePreview,
  },
  sendInvoice: {
    method: 'POST',
    path: '/api/invoices/:id/send',
    access: 'login',
    summary: 'Send an issued invoice, with its public link and the PDF',
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
    summary: 'Preview a receipt',
    params: IdParams,
    body: ChannelInput,
    reply: MessagePreview,
  },
  sendReceipt: {
    method: 'POST',
    path: '/api/payments/:id/receipt',
    access: 'login',
    summary: 'Send a receipt',
    params: IdParams,
    body: ChannelInput,
    reply: MessagesReply,
    status: 201,
    idempotent: true,
  },
});
