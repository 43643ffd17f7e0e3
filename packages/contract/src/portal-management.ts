import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { PortalBrowser, PortalLessons } from './portal.ts';
import { currency, IdParams, minorUnits, pageLimit, paginationFields } from './schema-fields.ts';

/** The tutor's settings for the portal. */
export const PortalSettings = z.object({
  /** When the tutor opened the portal; null while it is closed. */
  openedAt: z.nullable(z.string()),
  /** Whether families can sign in with a phone number. */
  hasWhatsApp: z.boolean(),
  /** The hour at which families are emailed new notes; null for no emails. */
  noteEmailHour: z.nullable(z.number()),
  contactCounts: z.object({
    /** The contacts of current students. */
    total: z.number(),
    /** Those of them who are not suspended, may see something, and can be sent a code. */
    canSignIn: z.number(),
    /** Those who could sign in if they had an address. */
    withoutAddress: z.number(),
    /** Those who can sign in, but share a login with someone who has the same address. */
    sharingAddress: z.number(),
  }),
});
export type PortalSettings = z.infer<typeof PortalSettings>;

/** A contact of current students, and their access to the portal. */
export const PortalContact = z.object({
  id: z.number(),
  name: z.string(),
  /** Whether a code can be sent to the person. */
  hasAddress: z.boolean(),
  isSuspended: z.boolean(),
  students: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      seesLessons: z.boolean(),
      seesPlace: z.boolean(),
      seesNotes: z.boolean(),
      seesMoney: z.boolean(),
    }),
  ),
  lastSeenAt: z.nullable(z.string()),
  /** Other contacts with the same address, who would share a login. */
  sharesAddress: z.boolean(),
});
export type PortalContact = z.infer<typeof PortalContact>;

export const PortalContactQuery = z.object({
  ...paginationFields,
  limit: pageLimit(50),
  /** Part of the name of the contact or of one of their students. */
  search: z.optional(z.string().check(z.trim(), z.maxLength(100))),
});
export type PortalContactQuery = z.infer<typeof PortalContactQuery>;

/** The hours at which notes can be emailed, outside the quiet hours. */
export const NOTE_EMAIL_HOURS = [8, 9, 12, 15, 16, 17, 18, 19, 20] as const;

/** The maximum number of entries in a contact's activity. */
export const MAX_CONTACT_ACTIVITY_ENTRIES = 50;

/** Something that a contact did in the portal. */
export const ContactActivityEntry = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('signed_in'),
    at: z.string(),
    /** For example 'Firefox on Windows'. */
    device: z.string(),
  }),
  z.object({
    kind: z.literal('cancelled'),
    at: z.string(),
    /** Sorted by date. */
    lessons: z.array(
      z.object({
        sessionId: z.number(),
        /** The first name. */
        studentName: z.string(),
        date: z.string(),
        startTime: z.string(),
        /** The fee that the contact agreed to. */
        fee: minorUnits,
        currency,
        usesFreeCancellation: z.boolean(),
      }),
    ),
    /** True if a fee was agreed but is no longer charged. */
    isWaived: z.boolean(),
  }),
  z.object({
    kind: z.literal('asked_to_move'),
    at: z.string(),
    sessionId: z.number(),
    /** The first name. */
    studentName: z.string(),
    /** The date and time of the lesson when the request was made. */
    date: z.string(),
    startTime: z.string(),
  }),
]);
export type ContactActivityEntry = z.infer<typeof ContactActivityEntry>;

export const portalSettings = defineEndpoints({
  portalSettings: {
    method: 'GET',
    path: '/api/settings/portal',
    access: 'login',
    summary: 'Whether the family portal is open, and how many people can sign in to it',
    reply: PortalSettings,
  },
  listPortalContacts: {
    method: 'GET',
    path: '/api/settings/portal/contacts',
    access: 'login',
    summary: 'Contacts of current students, sorted by name, and what each may see in the portal',
    query: PortalContactQuery,
    reply: z.array(PortalContact),
  },
  openPortal: {
    method: 'POST',
    path: '/api/settings/portal/open',
    access: 'login',
    summary: 'Open the family portal to everyone with access',
    requires: 'recent-auth',
    reply: PortalSettings,
  },
  closePortal: {
    method: 'POST',
    path: '/api/settings/portal/close',
    access: 'login',
    summary: 'Close the family portal; everyone is signed out',
    reply: PortalSettings,
  },
  setNoteEmailHour: {
    method: 'PUT',
    path: '/api/settings/portal/note-emails',
    access: 'login',
    summary: 'Choose the hour at which families are emailed new notes, or turn these emails off',
    body: z.object({
      hour: z.nullable(
        z.literal(NOTE_EMAIL_HOURS, { error: 'Please choose a time from the list' }),
      ),
    }),
    reply: PortalSettings,
  },
  previewPortal: {
    method: 'GET',
    path: '/api/settings/portal/contacts/:id/preview',
    access: 'login',
    summary: 'The portal as this person would see it',
    params: IdParams,
    reply: PortalLessons,
  },
  contactBrowsers: {
    method: 'GET',
    path: '/api/settings/portal/contacts/:id/browsers',
    access: 'login',
    summary: 'The browsers in which this person is signed in',
    params: IdParams,
    reply: z.array(z.omit(PortalBrowser, { isCurrent: true })),
  },
  contactActivity: {
    method: 'GET',
    path: '/api/settings/portal/contacts/:id/activity',
    access: 'login',
    summary: 'The last 50 sign-ins, cancellations and requests of this person, newest first',
    params: IdParams,
    reply: z.array(ContactActivityEntry),
  },
  signOutContact: {
    method: 'DELETE',
    path: '/api/settings/portal/contacts/:id/browsers',
    access: 'login',
    summary: 'Sign this person out in all browsers',
    params: IdParams,
    reply: z.object({}),
  },
  suspendContact: {
    method: 'PUT',
    path: '/api/settings/portal/contacts/:id/suspension',
    access: 'login',
    summary: 'Suspend a person from the portal, or end the suspension; they are not notified',
    params: IdParams,
    body: z.object({ isSuspended: z.boolean() }),
    reply: PortalSettings,
  },
});

export const portalCancellations = defineEndpoints({
  waivePortalCancellation: {
    method: 'POST',
    path: '/api/portal-cancellations/:id/waive',
    access: 'login',
    summary: 'Waive the fees for the lessons that a family cancelled together in the portal',
    params: IdParams,
    /** The number of lessons that are no longer charged. */
    reply: z.object({ waived: z.number() }),
  },
});
