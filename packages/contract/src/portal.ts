import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { currency, IdParams, minorUnits } from './schema-fields.ts';

/*
 * The family portal. A person who proves an email address with a code is signed in for every tutor who has that address on
 * file and has opened the portal.
 */

/** The public id of a contact, which identifies one person at one tutor; or that of a login. */
const publicId = z.string().check(z.regex(/^[\w-]{10,64}$/));

export const CODE_DIGITS = 6;

const INVALID_EMAIL = 'Please enter a valid email address';

export const PortalCodeInput = z.object({
  email: z
    .string({ error: 'Please enter your email address' })
    .check(z.trim(), z.maxLength(254, INVALID_EMAIL), z.email(INVALID_EMAIL)),
});
export type PortalCodeInput = z.infer<typeof PortalCodeInput>;

export const PortalSignInInput = z.object({
  requestId: z.string().check(z.maxLength(100)),
  code: z
    .string({ error: 'Please enter the code' })
    .check(z.trim(), z.regex(/^\d{6}$/, 'The code has 6 digits')),
  /** The login ends when the browser is closed. */
  isSharedDevice: z._default(z.boolean(), false),
});
export type PortalSignInInput = z.infer<typeof PortalSignInInput>;

/** One tutor of the person who is signed in. */
export const PortalTutor = z.object({
  /** Of the person as the contact of this tutor. */
  publicId: z.string(),
  tutorName: z.string(),
  /** First names of the students the person may see anything of. */
  studentNames: z.array(z.string()),
});
export type PortalTutor = z.infer<typeof PortalTutor>;

export const PortalLogin = z.object({
  email: z.string(),
  isSharedDevice: z.boolean(),
  /** Empty if no tutor who has this address has opened the portal. */
  tutors: z.array(PortalTutor),
});
export type PortalLogin = z.infer<typeof PortalLogin>;

export const PortalBrowser = z.object({
  id: z.string(),
  /** For example 'Firefox on Windows'. */
  device: z.string(),
  isCurrent: z.boolean(),
  firstSeenAt: z.string(),
  lastSeenAt: z.string(),
});
export type PortalBrowser = z.infer<typeof PortalBrowser>;

/** The place of one student in a lesson. */
export const PortalLesson = z.object({
  /** Identifies the session and the student. */
  sessionId: z.number(),
  studentId: z.number(),
  studentName: z.string(),
  subjectName: z.string(),
  /** In the tutor's time zone. */
  date: z.string(),
  startTime: z.string(),
  endTime: z.string(),
  startsAt: z.string(),
  endsAt: z.string(),
  state: z.enum(['scheduled', 'cancelled', 'completed']),
  isGroup: z.boolean(),
  /** Null if there is none, or if the person may not see it. */
  place: z.nullable(z.string()),
  /** Null if the person may not see it. */
  price: z.nullable(z.object({ amount: minorUnits, currency })),
});
export type PortalLesson = z.infer<typeof PortalLesson>;

/** A student, and what the person may see and do. */
export const PortalStudent = z.object({
  id: z.number(),
  /** The first name. */
  name: z.string(),
  seesLessons: z.boolean(),
  seesPlace: z.boolean(),
  seesMoney: z.boolean(),
  mayCancel: z.boolean(),
  mayAsk: z.boolean(),
});
export type PortalStudent = z.infer<typeof PortalStudent>;

export const PortalLessons = z.object({
  tutorName: z.string(),
  contactName: z.string(),
  tutorTimeZone: z.string(),
  /** The person's; the same as the tutor's unless the tutor has entered another one. */
  timeZone: z.string(),
  students: z.array(PortalStudent),
  lessons: z.array(PortalLesson),
  /** Whether there are more lessons after the last one. */
  hasMore: z.boolean(),
});
export type PortalLessons = z.infer<typeof PortalLessons>;

export const portal = defineEndpoints({
  requestPortalCode: {
    method: 'POST',
    path: '/api/portal/codes',
    access: 'public',
    summary: 'Send a sign-in code to an address, if a tutor has it on file',
    body: PortalCodeInput,
    reply: z.object({ requestId: z.string() }),
    status: 202,
  },
  signInToPortal: {
    method: 'POST',
    path: '/api/portal/logins',
    access: 'public',
    summary: 'Sign in to the family portal with a code',
    body: PortalSignInInput,
    reply: PortalLogin,
    status: 201,
  },
  portalLogin: {
    method: 'GET',
    path: '/api/portal/login',
    access: 'contact-login',
    summary: 'The address that is signed in, and its tutors',
    reply: PortalLogin,
  },
  signOutOfPortal: {
    method: 'DELETE',
    path: '/api/portal/login',
    access: 'contact-login',
    summary: 'Sign this browser out of the family portal',
    reply: z.object({}),
  },
  portalBrowsers: {
    method: 'GET',
    path: '/api/portal/browsers',
    access: 'contact-login',
    summary: 'The browsers that are signed in with this address',
    reply: z.array(PortalBrowser),
  },
  signOutPortalBrowser: {
    method: 'DELETE',
    path: '/api/portal/browsers/:id',
    access: 'contact-login',
    summary: 'Sign another browser out of the family portal',
    params: z.object({ id: publicId }),
    reply: z.object({}),
  },
  portalLessons: {
    method: 'GET',
    path: '/api/portal/tutors/:publicId/lessons',
    access: 'contact',
    summary: 'The coming lessons of the students this person may see',
    params: z.object({ publicId }),
    reply: PortalLessons,
  },
});

/** What the tutor sees and decides about the portal. */
export const PortalSettings = z.object({
  /** When the tutor opened the portal; null while it is closed. */
  openedAt: z.nullable(z.string()),
  contacts: z.array(
    z.object({
      id: z.number(),
      name: z.string(),
      /** Null: this person cannot sign in. */
      email: z.nullable(z.string()),
      isSuspended: z.boolean(),
      students: z.array(
        z.object({
          id: z.number(),
          name: z.string(),
          seesLessons: z.boolean(),
          seesPlace: z.boolean(),
          seesMoney: z.boolean(),
        }),
      ),
      lastSeenAt: z.nullable(z.string()),
      /** Other contacts with the same address, who would share a login. */
      sharesAddress: z.boolean(),
    }),
  ),
});
export type PortalSettings = z.infer<typeof PortalSettings>;

export const portalSettings = defineEndpoints({
  portalSettings: {
    method: 'GET',
    path: '/api/settings/portal',
    access: 'login',
    summary: 'Whether the family portal is open, and what each person may see in it',
    reply: PortalSettings,
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
    summary: 'Suspend a person from the portal, without a message to them, or end the suspension',
    params: IdParams,
    body: z.object({ isSuspended: z.boolean() }),
    reply: PortalSettings,
  },
});
