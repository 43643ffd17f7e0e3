import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { REMINDER_KINDS } from './messages.ts';
import { PortalSignInInput, publicId } from './portal.ts';
import { requiredLine } from './schema-fields.ts';

/* What one tutor has on file about the person who is signed in, and which reminders the person receives. */

/** The reminders that a person can switch on and off. */
export const PORTAL_REMINDER_KINDS = [...REMINDER_KINDS, 'whatsapp'] as const;
export type PortalReminderKind = (typeof PORTAL_REMINDER_KINDS)[number];

export const PortalReminder = z.object({
  kind: z.enum(PORTAL_REMINDER_KINDS),
  isOn: z.boolean(),
  /** False if the person replied STOP in WhatsApp: only START can change that. */
  canChange: z.boolean(),
});
export type PortalReminder = z.infer<typeof PortalReminder>;

export const PortalContactDetails = z.object({
  tutorName: z.string(),
  name: z.string(),
  /** For example 'Mother'; null if the tutor has not entered one. */
  relationship: z.nullable(z.string()),
  /** Whether the person is the student. */
  isStudent: z.boolean(),
  /** First names of the students about whom the person may see something. */
  studentNames: z.array(z.string()),
  /** Whether the person receives the invoices. */
  isPayer: z.boolean(),
  email: z.nullable(z.string()),
  phone: z.nullable(z.string()),
  /** Only those that the tutor sends to this person. */
  reminders: z.array(PortalReminder),
  /** How many minutes before a lesson the reminder is sent; null if the times differ, or if there are no reminders. */
  reminderLead: z.nullable(z.number()),
});
export type PortalContactDetails = z.infer<typeof PortalContactDetails>;

export const PortalPhoneInput = z.object({
  phone: requiredLine('Please enter your phone number', 40),
});

export const PortalEmailCodeInput = z.object({
  email: z
    .string({ error: 'Please enter your email address' })
    .check(
      z.trim(),
      z.maxLength(254, 'Please enter a valid email address'),
      z.email('Please enter a valid email address'),
    ),
});
export type PortalEmailCodeInput = z.infer<typeof PortalEmailCodeInput>;

export const PortalEmailInput = z.extend(
  z.pick(PortalSignInInput, { requestId: true, code: true }),
  {
    /** Whether the address also changes at the person's other tutors who have the old one. */
    atAllTutors: z._default(z.boolean(), false),
  },
);
export type PortalEmailInput = z.infer<typeof PortalEmailInput>;

export const PortalReminderInput = z.object({
  kind: z.enum(PORTAL_REMINDER_KINDS),
  isOn: z.boolean(),
});
export type PortalReminderInput = z.infer<typeof PortalReminderInput>;

export const portalDetails = defineEndpoints({
  portalDetails: {
    method: 'GET',
    path: '/api/portal/tutors/:publicId/details',
    access: 'contact',
    summary: 'The contact details of the person who is signed in, and the reminders they get',
    params: z.object({ publicId }),
    reply: PortalContactDetails,
  },
  changePortalPhone: {
    method: 'PUT',
    path: '/api/portal/tutors/:publicId/phone',
    access: 'contact',
    summary: 'Change the phone number of the person who is signed in',
    params: z.object({ publicId }),
    body: PortalPhoneInput,
    reply: PortalContactDetails,
  },
  requestPortalEmailCode: {
    method: 'POST',
    path: '/api/portal/tutors/:publicId/email-codes',
    access: 'contact',
    // The answer does not depend on whether another contact has the address.
    summary: 'Send a code to a new email address, to confirm it',
    params: z.object({ publicId }),
    body: PortalEmailCodeInput,
    reply: z.object({ requestId: z.string() }),
    status: 202,
  },
  changePortalEmail: {
    method: 'PUT',
    path: '/api/portal/tutors/:publicId/email',
    access: 'contact',
    summary:
      'Change the email address of the person who is signed in, with the code that was sent to the new address',
    params: z.object({ publicId }),
    body: PortalEmailInput,
    reply: PortalContactDetails,
  },
  setPortalReminder: {
    method: 'PUT',
    path: '/api/portal/tutors/:publicId/reminders',
    access: 'contact',
    summary: 'Switch one kind of reminder on or off',
    params: z.object({ publicId }),
    body: PortalReminderInput,
    reply: PortalContactDetails,
  },
});
