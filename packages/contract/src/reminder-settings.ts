import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { CHANNELS, MessagePreview, TEMPLATE_KINDS } from './messages.ts';
import { IdParams, optionalText } from './schema-fields.ts';

/* Settings for automatic reminders to families. */

/** Minutes before a lesson; null means no reminder. */
export const REMINDER_LEAD_MINUTES = [60, 120, 180, 720, 1440, 2880] as const;
const leadMinutes = z.nullable(
  z.literal(REMINDER_LEAD_MINUTES, { error: 'Please choose a time from the list' }),
);

export const RECIPIENTS = ['carer', 'student', 'both'] as const;

const channels = z
  .array(z.enum(CHANNELS))
  .check(z.minLength(1, 'Please choose email, WhatsApp or both'), z.maxLength(2));

/** Contains {placeholders}. If the template is empty, the default text is used. */
const MessageTemplate = z.object({ subject: optionalText(200), text: optionalText(2000) });

export const ReminderSettings = z.object({
  leadMinutes,
  channels,
  recipient: z.enum(RECIPIENTS),
  /** Whether to send payment reminders automatically, `overdueDays` after the due date. */
  overdueEnabled: z.boolean(),
  overdueDays: z
    .array(z.number().check(z.int(), z.minimum(1), z.maximum(90, 'At most 90 days')))
    .check(z.minLength(1, 'Please enter at least one day'), z.maxLength(6)),
  templates: z.object({
    lesson_reminder: MessageTemplate,
    lesson_change: MessageTemplate,
    payment_reminder: MessageTemplate,
    invoice: MessageTemplate,
    receipt: MessageTemplate,
  }),
});
export type ReminderSettings = z.infer<typeof ReminderSettings>;

export const ReminderState = z.extend(ReminderSettings, {
  /** When automatic reminders were turned on; null until the tutor has confirmed the preview. */
  enabledAt: z.nullable(z.string()),
  /** Whether WhatsApp messages are sent automatically to people who have consented; otherwise they are all drafts. */
  whatsAppAutomatic: z.boolean(),
  /** Used in place of empty templates. */
  defaultTemplates: z.record(
    z.enum(TEMPLATE_KINDS),
    z.object({ subject: z.string(), text: z.string() }),
  ),
});
export type ReminderState = z.infer<typeof ReminderState>;

export const StudentReminders = z.object({
  /** Whether this student overrides the general settings. */
  isCustom: z.boolean(),
  leadMinutes,
  channels,
  recipient: z.enum(RECIPIENTS),
});
export type StudentReminders = z.infer<typeof StudentReminders>;

/** A message that will be sent automatically once reminders are on. */
export const PlannedMessage = z.extend(MessagePreview, {
  /** Identifies the message when it is excluded. */
  key: z.string(),
  kind: z.enum(['lesson_reminder', 'payment_reminder']),
});
export type PlannedMessage = z.infer<typeof PlannedMessage>;

export const reminders = defineEndpoints({
  reminderSettings: {
    method: 'GET',
    path: '/api/settings/reminders',
    access: 'login',
    summary: 'Reminder settings and templates',
    reply: ReminderState,
  },
  saveReminderSettings: {
    method: 'PUT',
    path: '/api/settings/reminders',
    access: 'login',
    // Applies to the whole form, because a changed template could name a different bank account.
    requires: 'recent-auth',
    summary: 'Change reminder settings and templates',
    body: ReminderSettings,
    reply: ReminderState,
  },
  previewFirstReminders: {
    method: 'GET',
    path: '/api/settings/reminders/first-batch',
    access: 'login',
    summary: 'Preview all messages that would be sent automatically in the next few days',
    reply: z.array(PlannedMessage),
  },
  startReminders: {
    method: 'POST',
    path: '/api/settings/reminders/start',
    access: 'login',
    summary: 'Enable automatic reminders; messages that were excluded in the preview are not sent',
    body: z.object({
      /** The keys of messages in the preview that are not sent. */
      excludedKeys: z.array(z.string().check(z.maxLength(200))).check(z.maxLength(2000)),
    }),
    reply: ReminderState,
  },
  stopReminders: {
    method: 'POST',
    path: '/api/settings/reminders/stop',
    access: 'login',
    summary: 'Disable automatic reminders',
    reply: ReminderState,
  },
  previewTemplate: {
    method: 'POST',
    path: '/api/settings/reminders/preview',
    access: 'login',
    summary: 'Preview a template',
    body: z.object({
      kind: z.enum(TEMPLATE_KINDS),
      subject: optionalText(200),
      text: optionalText(4000),
    }),
    reply: z.object({ subject: z.string(), text: z.string(), html: z.string() }),
  },
  studentReminders: {
    method: 'GET',
    path: '/api/students/:id/reminders',
    access: 'login',
    summary: "A student's reminder settings",
    params: IdParams,
    reply: StudentReminders,
  },
  saveStudentReminders: {
    method: 'PUT',
    path: '/api/students/:id/reminders',
    access: 'login',
    summary: "Change a student's reminder settings",
    params: IdParams,
    body: StudentReminders,
    reply: StudentReminders,
  },
});
