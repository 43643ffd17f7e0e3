import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { REMINDER_KINDS } from './messages.ts';
import { IdParams } from './schema-fields.ts';

/* Which emails recipients want, chosen with the link in each email. */

/** The reminders from one tutor that the owner of an email address has stopped. */
export const ReminderPreferences = z.object({
  tutorName: z.string(),
  stoppedKinds: z.array(z.enum(REMINDER_KINDS)),
});
export type ReminderPreferences = z.infer<typeof ReminderPreferences>;

/** The reminders that the payer of an account has stopped. */
export const FamilyReminders = z.object({
  stoppedKinds: z.array(z.enum(REMINDER_KINDS)),
  /** Whether they replied STOP to a WhatsApp reminder. */
  hasStoppedWhatsApp: z.boolean(),
});
export type FamilyReminders = z.infer<typeof FamilyReminders>;

const TokenParams = z.object({ token: z.string().check(z.minLength(1), z.maxLength(100)) });

export const emailPreferences = defineEndpoints({
  familyReminders: {
    method: 'GET',
    path: '/api/families/:id/reminders',
    access: 'login',
    summary: 'The reminders that a family has stopped',
    params: IdParams,
    reply: FamilyReminders,
  },
  openUnsubscribe: {
    method: 'GET',
    path: '/api/unsubscribe/:token',
    access: 'public',
    summary:
      'Redirect to the page for stopping reminders; mail programs open this List-Unsubscribe link',
    params: TokenParams,
    redirects: true,
    reply: z.string(),
  },
  unsubscribe: {
    method: 'POST',
    path: '/api/unsubscribe/:token',
    access: 'public',
    summary: 'Stop all reminders to this address (RFC 8058); invoices are still sent',
    params: TokenParams,
    reply: ReminderPreferences,
    allowCrossOrigin: true,
  },
  reminderPreferences: {
    method: 'GET',
    path: '/api/unsubscribe/:token/reminders',
    access: 'public',
    summary: 'The reminders that the recipient has stopped',
    params: TokenParams,
    reply: ReminderPreferences,
  },
  saveReminderPreferences: {
    method: 'PUT',
    path: '/api/unsubscribe/:token/reminders',
    access: 'public',
    summary: 'Choose which reminders to stop; all others are resumed',
    params: TokenParams,
    body: z.object({
      stoppedKinds: z.array(z.enum(REMINDER_KINDS)).check(z.maxLength(REMINDER_KINDS.length)),
    }),
    reply: ReminderPreferences,
  },
  reportEmail: {
    method: 'POST',
    path: '/api/unsubscribe/:token/report',
    access: 'public',
    summary: "Report the tutor's emails to this address as unwanted; no more are sent",
    params: TokenParams,
    reply: z.object({ tutorName: z.string() }),
  },
  withdrawReport: {
    method: 'DELETE',
    path: '/api/unsubscribe/:token/report',
    access: 'public',
    summary: 'Withdraw a report that was made by mistake',
    params: TokenParams,
    reply: z.object({ tutorName: z.string() }),
  },
});
