import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { CHANNELS, MESSAGE_KINDS, MessagePreview } from './messages.ts';
import { IdParams, optionalText } from './schema-fields.ts';

/* When, how and in which words families are reminded by themselves. */

/** Minutes before a lesson; none is no reminder. */
export const REMINDER_LEAD_MINUTES = [60, 120, 180, 720, 1440, 2880] as const;
const lead = z.nullable(
  z.literal(REMINDER_LEAD_MINUTES, { error: 'Please choose a time from the list' }),
);

export const RECIPIENTS = ['carer', 'student', 'both'] as const;

const channels = z
  .array(z.enum(CHANNELS))
  .check(z.minLength(1, 'Please choose at least one way'), z.maxLength(2));

/** The words of a kind of message; {names in braces} are filled in. None is the text we propose. */
const MessageTemplate = z.object({ subject: optionalText(200), text: optionalText(2000) });

export const ReminderSettings = z.object({
  lead,
  channels,
  recipient: z.enum(RECIPIENTS),
  /** Chase what is overdue by itself, these many days after it was due. */
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
  /** Since when reminders go out by themselves; none before the tutor has seen the first batch. */
  enabledAt: z.nullable(z.string()),
  /** Whether WhatsApp messages can go by themselves to whoever agreed, or all wait in the tray. */
  whatsAppAutomatic: z.boolean(),
  /** What we propose where a template is empty. */
  defaultTemplates: z.record(
    z.enum(MESSAGE_KINDS),
    z.object({ subject: z.string(), text: z.string() }),
  ),
});
export type ReminderState = z.infer<typeof ReminderState>;

export const StudentReminders = z.object({
  /** As for everyone, or a choice of this student's own. */
  isCustom: z.boolean(),
  lead,
  channels,
  recipient: z.enum(RECIPIENTS),
});
export type StudentReminders = z.infer<typeof StudentReminders>;

export const reminders = defineEndpoints({
  reminderSettings: {
    method: 'GET',
    path: '/api/settings/reminders',
    access: 'login',
    summary: 'When, how and in which words families are reminded',
    reply: ReminderState,
  },
  saveReminderSettings: {
    method: 'PUT',
    path: '/api/settings/reminders',
    access: 'login',
    summary: 'Change when, how and in which words',
    body: ReminderSettings,
    reply: ReminderState,
  },
  previewFirstReminders: {
    method: 'GET',
    path: '/api/settings/reminders/first-batch',
    access: 'login',
    summary: 'What would go out in the next days if reminders were started now',
    reply: z.array(MessagePreview),
  },
  startReminders: {
    method: 'POST',
    path: '/api/settings/reminders/start',
    access: 'login',
    summary: 'From now on reminders go out by themselves',
    reply: ReminderState,
  },
  stopReminders: {
    method: 'POST',
    path: '/api/settings/reminders/stop',
    access: 'login',
    summary: 'Nothing goes out by itself any more',
    reply: ReminderState,
  },
  previewTemplate: {
    method: 'POST',
    path: '/api/settings/reminders/preview',
    access: 'login',
    summary: 'How a template would read',
    body: z.object({
      kind: z.enum(MESSAGE_KINDS),
      subject: optionalText(200),
      text: optionalText(4000),
    }),
    reply: z.object({ subject: z.string(), text: z.string(), html: z.string() }),
  },
  studentReminders: {
    method: 'GET',
    path: '/api/students/:id/reminders',
    access: 'login',
    summary: "A student's own choice, or that of everyone",
    params: IdParams,
    reply: StudentReminders,
  },
  saveStudentReminders: {
    method: 'PUT',
    path: '/api/students/:id/reminders',
    access: 'login',
    summary: "Change a student's own choice",
    params: IdParams,
    body: StudentReminders,
    reply: StudentReminders,
  },
});
