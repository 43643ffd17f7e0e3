import * as z from 'zod/mini';
import { defineEndpoints } from './endpoint.ts';
import { currency, id, minorUnits, optionalText } from './schema-fields.ts';

/*
 * The family portal. A person who proves an email address or a phone number with a code is signed in for every tutor who has
 * it on file and has opened the portal.
 */

/** The public id of a contact, which identifies one person at one tutor; or that of a login. */
export const publicId = z.string().check(z.regex(/^[\w-]{10,64}$/));

export const CODE_DIGITS = 6;

export const PortalSignInOptions = z.object({
  /** Whether a code can be sent to a phone number. */
  hasWhatsApp: z.boolean(),
});
export type PortalSignInOptions = z.infer<typeof PortalSignInOptions>;

export const PortalCodeInput = z.object({
  /** An email address or a phone number as typed, which the server checks. */
  address: z.union(
    [
      z.string().check(z.trim(), z.maxLength(254), z.email()),
      z.string().check(z.trim(), z.maxLength(40), z.regex(/^[^@]+$/)),
    ],
    { error: 'Please enter a valid email address' },
  ),
});
export type PortalCodeInput = z.infer<typeof PortalCodeInput>;

export const PortalSignInInput = z.object({
  requestId: z.string().check(z.maxLength(100)),
  code: z
    .string({ error: 'Please enter the code' })
    .check(z.trim(), z.regex(/^\d{6}$/, 'Please enter all 6 digits')),
  /** The login ends when the browser is closed. */
  isSharedDevice: z._default(z.boolean(), false),
});
export type PortalSignInInput = z.infer<typeof PortalSignInInput>;

/** One of the signed-in person's tutors. */
export const PortalTutor = z.object({
  /** Identifies the person as a contact of this tutor. */
  publicId: z.string(),
  tutorName: z.string(),
  /** First names of the students about whom the person may see something. */
  studentNames: z.array(z.string()),
  /** Whether the person may see the payments for any of them. */
  seesMoney: z.boolean(),
  /** Whether the person may see the notes of any student. */
  seesNotes: z.boolean(),
  /** Whether there is an agreement that the person has not accepted. */
  hasAgreementToAccept: z.boolean(),
});
export type PortalTutor = z.infer<typeof PortalTutor>;

export const PortalLogin = z.object({
  /** The email address, or the phone number in E.164 format. */
  address: z.string(),
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

export const PortalCancellationCost = z.object({
  fee: minorUnits,
  currency,
  /** When free cancellation ends; null if it never does. In the past if cancelling costs something now. */
  freeUntil: z.nullable(z.string()),
  /** When cancelling will cost more, and how much. */
  increase: z.nullable(z.object({ at: z.string(), fee: minorUnits })),
  /** The start of the term in which a free late cancellation would be counted. */
  termStart: z.string(),
  /** Free late cancellations that the student has left in that term. */
  freeCancellationsLeft: z.number(),
  /** False if only the payer may cancel, because it costs something and this person does not pay. */
  isAllowed: z.boolean(),
});
export type PortalCancellationCost = z.infer<typeof PortalCancellationCost>;

/** A request to move a lesson as the family sees it. */
export const PortalMoveRequest = z.object({
  id: z.number(),
  /** Open: the tutor has to answer. Suggested: the family has to. Declined: the lesson stays as it is. */
  status: z.enum(['open', 'suggested', 'declined']),
  choices: z.array(z.object({ date: z.string(), startTime: z.string() })),
  suggestions: z.array(z.object({ date: z.string(), startTime: z.string() })),
  /** The tutor's message with a suggestion or a refusal; empty if there is none. */
  answer: z.string(),
  /** Whether this person asked, and so may withdraw it or accept a suggestion. */
  isOwn: z.boolean(),
});
export type PortalMoveRequest = z.infer<typeof PortalMoveRequest>;

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
  /** What cancelling costs now; null if the person may not cancel this lesson, or if it is not scheduled. */
  cancellation: z.nullable(PortalCancellationCost),
  /** Whether the person may ask for another time: not for groups, and not while a request waits for an answer. */
  mayAskToMove: z.boolean(),
  /** The last request for this lesson, unless it was withdrawn. */
  moveRequest: z.nullable(PortalMoveRequest),
});
export type PortalLesson = z.infer<typeof PortalLesson>;

/** A student, and what the person may see and do for them. */
export const PortalStudent = z.object({
  id: z.number(),
  /** The first name. */
  name: z.string(),
  seesLessons: z.boolean(),
  seesPlace: z.boolean(),
  seesNotes: z.boolean(),
  seesMoney: z.boolean(),
  mayCancel: z.boolean(),
  mayRequestMoves: z.boolean(),
});
export type PortalStudent = z.infer<typeof PortalStudent>;

export const PortalLessons = z.object({
  tutorName: z.string(),
  contactName: z.string(),
  tutorTimeZone: z.string(),
  /** The person's time zone: the tutor's, unless the tutor has entered a different one. */
  timeZone: z.string(),
  students: z.array(PortalStudent),
  /** The tutor's note about illness; null if there is none. */
  illnessNote: z.nullable(z.string()),
  lessons: z.array(PortalLesson),
  /** Whether there are more lessons after the last one. */
  hasMore: z.boolean(),
});
export type PortalLessons = z.infer<typeof PortalLessons>;

/** What a page of the portal shows first. The server sends it with the HTML, so that the page needs no further request. */
export const PortalInitialData = z.object({
  options: PortalSignInOptions,
  /** Null for a visitor. */
  login: z.nullable(PortalLogin),
  /** Null if the page shows no lessons. */
  lessons: z.nullable(z.object({ publicId: z.string(), page: PortalLessons })),
});
export type PortalInitialData = z.infer<typeof PortalInitialData>;

/** The id of the element that contains it as JSON. */
export const FIRST_VIEW_ID = 'first-view';

export const PortalCancelInput = z.object({
  lessons: z
    .array(
      z.object({
        sessionId: id('Please choose a lesson'),
        studentId: id('Please choose a lesson'),
        /** The fee that the person agreed to: the one shown, or 0 with a free late cancellation. */
        fee: minorUnits,
        usesFreeCancellation: z._default(z.boolean(), false),
      }),
    )
    .check(
      z.minLength(1, 'Please choose a lesson'),
      z.maxLength(50, 'You can cancel up to 50 lessons at once'),
    ),
  /** The tutor may waive the fee. A free late cancellation cannot be used at the same time. */
  isIllness: z._default(z.boolean(), false),
  message: optionalText(500),
});
export type PortalCancelInput = z.infer<typeof PortalCancelInput>;

export const portal = defineEndpoints({
  portalSignInOptions: {
    method: 'GET',
    path: '/api/portal/sign-in-options',
    access: 'public',
    summary: 'The kinds of addresses to which this server sends sign-in codes',
    reply: PortalSignInOptions,
  },
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
    summary:
      'The email address or phone number that is signed in, and the tutors who have it on file',
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
    summary: 'The upcoming lessons of the students this person may see',
    params: z.object({ publicId }),
    reply: PortalLessons,
  },
  cancelPortalLessons: {
    method: 'POST',
    path: '/api/portal/tutors/:publicId/cancellations',
    access: 'contact',
    // Fails with fee_changed if a fee is no longer the one shown.
    summary: 'Cancel lessons for the fees that the person saw, all or none',
    params: z.object({ publicId }),
    body: PortalCancelInput,
    reply: z.object({ cancelled: z.number() }),
    idempotent: true,
  },
});
