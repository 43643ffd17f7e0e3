import type { Overlap } from '@lessonbook/contract/errors';
import { firstName } from '@lessonbook/contract/first-name';
import { formatTime12 } from '@lessonbook/contract/format-time';
import type { NotificationKind } from '@lessonbook/contract/notifications';
import { dateInZone } from '@lessonbook/contract/time';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { scheduleEarlier, scheduleWork } from '../../platform/queue/tenant-schedule.ts';
import { getTutor } from '../accounts/service/profile/read-tutor.ts';
import { DAILY_NOTIFICATIONS_WORK, NOTE_EMAILS_WORK, REMINDERS_WORK } from './job-types.ts';
import { shiftCommunications } from './queries/session-communications.ts';
import { formatShortDate } from './rules/format-dates-and-lessons.ts';
import { formatForTutor } from './rules/move-request-text.ts';
import {
  type CancelledLesson,
  describeCancellation,
} from './rules/tutor-notification-of-family-cancellation.ts';
import { notify } from './service/notifications/notifications.ts';
import { scheduleNoteEmails } from './service/outbound/send-lesson-note-emails.ts';

export async function onCardUpdateFailed(
  context: Context,
  tx: Tx,
  { tutorId, dedupeKey }: { tutorId: string; dedupeKey: string },
): Promise<void> {
  await notify(context, tx, tutorId, {
    kind: 'card_update_failed',
    dedupeKey,
    text: "We couldn't load an update from Stripe. Please check your card payments against your Stripe account.",
    path: '/payment-methods',
    requiresAction: true,
  });
}

const NOT_YOU = "If this wasn't you, change your password now.";

const ACCOUNT_EMAIL_TEXT = {
  'verify-email': {
    text: "We couldn't send the email to confirm your address. Please check the address, then ask for a new one.",
    path: '/settings',
  },
  'reset-password': {
    text: "We couldn't send you the email to choose a new password. If you still need it, please ask for a new one.",
    path: '/settings/security',
  },
  'revert-email': {
    text: `Your email address was changed, and we couldn't email your earlier address about it. ${NOT_YOU}`,
    path: '/settings/security',
  },
  'remove-two-step': {
    text: "We couldn't send you the email about removing two-step login. If you still need it, please ask for a new one.",
    path: '/settings/security',
  },
  'keep-two-step': {
    text: `Someone asked us to remove two-step login. We couldn't email you about it, so it stays on. ${NOT_YOU}`,
    path: '/settings/security',
  },
  'google-linked': {
    text: `Google sign-in was added to your account, and we couldn't email you about it. ${NOT_YOU}`,
    path: '/settings/security',
  },
} as const;

export async function onAccountEmailFailed(
  context: Context,
  tx: Tx,
  event: {
    tutorId: string;
    email: { kind: keyof typeof ACCOUNT_EMAIL_TEXT } | { kind: 'security'; about: string };
    dedupeKey: string;
  },
): Promise<void> {
  const { tutorId, email, dedupeKey } = event;
  const content =
    email.kind === 'security'
      ? {
          text: `${email.about}. We couldn't email you about it. ${NOT_YOU}`,
          path: '/settings/activity',
        }
      : ACCOUNT_EMAIL_TEXT[email.kind];
  await notify(context, tx, tutorId, {
    kind: 'email_failed',
    dedupeKey,
    ...content,
    requiresAction: true,
  });
}

const CARD_ACCOUNT_TEXT = {
  'payouts stopped': {
    kind: 'payouts_disabled',
    text: 'Stripe has stopped paying out to your bank. Please see what it needs from you.',
  },
  disconnected: {
    kind: 'cards_disconnected',
    text: "Your Stripe account is no longer connected, so families can't pay by card.",
  },
} as const satisfies Record<string, { kind: NotificationKind; text: string }>;

export async function onCardAccountProblem(
  context: Context,
  tx: Tx,
  event: { tutorId: string; problem: keyof typeof CARD_ACCOUNT_TEXT; dedupeKey: string },
): Promise<void> {
  await notify(context, tx, event.tutorId, {
    ...CARD_ACCOUNT_TEXT[event.problem],
    dedupeKey: event.dedupeKey,
    path: '/payment-methods',
    requiresAction: true,
  });
}

const CALENDAR_LOST_TEXT = {
  access_lost:
    "Google Calendar is no longer connected, because Google withdrew our access. Please reconnect it. This won't create duplicates.",
  calendar_deleted: 'Your "Lessons" calendar was deleted in Google. Reconnect to create a new one.',
};

export async function onCalendarConnectionLost(
  context: Context,
  tx: Tx,
  event: { tutorId: string; reason: keyof typeof CALENDAR_LOST_TEXT; dedupeKey: string },
): Promise<void> {
  await notify(context, tx, event.tutorId, {
    kind: 'calendar_disconnected',
    dedupeKey: event.dedupeKey,
    text: CALENDAR_LOST_TEXT[event.reason],
    path: '/settings',
    requiresAction: true,
  });
}

export async function onExternalChangeDetected(
  context: Context,
  tx: Tx,
  change: {
    tutorId: string;
    sessionId: number;
    studentName: string;
    date: string;
    startTime: string;
    to: { date: string; startTime: string } | 'invalid' | null;
    dedupeKey: string;
  },
): Promise<void> {
  const { studentName, date, startTime, to, sessionId } = change;
  const lesson = `${firstName(studentName)}'s lesson on ${formatForTutor({ date, startTime }, date)}`;
  const text =
    to === null
      ? `${lesson} was deleted in Google Calendar. Cancel it, or undo the change?`
      : to === 'invalid'
        ? `${lesson} was changed in Google Calendar to an all-day or overnight event, which can't be a lesson. Please undo the change.`
        : `${lesson} was moved in Google Calendar to ${formatForTutor(to, date)}. Accept it, or undo the change?`;
  await notify(context, tx, change.tutorId, {
    kind: 'calendar_changed',
    dedupeKey: change.dedupeKey,
    text,
    path: `/sessions/${sessionId}`,
    requiresAction: true,
    targetId: sessionId,
  });
}

export async function onTutorSignedUp(
  context: Context,
  tx: Tx,
  { tutorId }: { tutorId: string },
): Promise<void> {
  await scheduleWork(tx, tutorId, DAILY_NOTIFICATIONS_WORK, context.clock.now());
}

/** Local times stay the same, so families need no message. */
export async function shiftCommunicatedTimes(
  context: Context,
  tx: Tx,
  zone: { tutorId: string; timeZone: string; previousTimeZone: string },
): Promise<void> {
  const { tutorId, timeZone, previousTimeZone } = zone;
  await shiftCommunications(tx, tutorId, context.clock.now(), {
    from: previousTimeZone,
    to: timeZone,
  }).execute();
}

/** A new lesson may need a reminder immediately, and a changed one may need a correction. */
export async function scheduleReminders(
  context: Context,
  tx: Tx,
  { tutorId }: { tutorId: string },
): Promise<void> {
  await scheduleEarlier(tx, tutorId, REMINDERS_WORK, context.clock.now());
}

export async function onNotesShared(
  context: Context,
  tx: Tx,
  { tutorId }: { tutorId: string },
): Promise<void> {
  await scheduleNoteEmails(context, tx, tutorId);
}

/** In the new time zone, the hour at which notes are emailed may come earlier. The job determines the time. */
export async function onNoteEmailTimeChanged(
  context: Context,
  tx: Tx,
  { tutorId }: { tutorId: string },
): Promise<void> {
  await scheduleEarlier(tx, tutorId, NOTE_EMAILS_WORK, context.clock.now());
}

/** Series are extended by a background job, which cannot ask the tutor about overlaps. */
export async function onOverlapsFound(
  context: Context,
  tx: Tx,
  { tutorId, overlaps }: { tutorId: string; overlaps: Overlap[] },
): Promise<void> {
  const [first] = overlaps;
  if (!first) return;
  const { date, startTime, withTitle } = first;
  const { timeZone } = await getTutor(tx, tutorId);
  const today = dateInZone(timeZone, context.clock.now());
  await notify(context, tx, tutorId, {
    kind: 'overlap_accepted',
    dedupeKey: `overlaps ${overlaps.map((each) => `${each.date} ${each.withSessionId}`).join(' ')}`,
    text:
      overlaps.length > 1
        ? `${overlaps.length} lessons overlap. The first is on ${formatForTutor(first, today)}, with ${withTitle}. Please move or cancel them.`
        : `Two lessons overlap on ${formatShortDate(date, today)}: one at ${formatTime12(startTime)} and ${withTitle}. Please move or cancel one of them.`,
    path: `/sessions?date=${date}`,
    requiresAction: true,
    targetId: first.withSessionId,
  });
}

/** Stays open while a fee can still be waived with one tap. The reason is left out of the text, because it may be an illness. */
export async function onLessonsCancelledByFamily(
  context: Context,
  tx: Tx,
  event: {
    tutorId: string;
    cancellationId: number;
    contactName: string;
    lessons: readonly CancelledLesson[];
  },
): Promise<void> {
  const { tutorId, cancellationId, contactName, lessons } = event;
  const { timeZone } = await getTutor(tx, tutorId);
  const today = dateInZone(timeZone, context.clock.now());
  await notify(context, tx, tutorId, {
    kind: 'lesson_cancelled',
    dedupeKey: `family cancelled ${cancellationId}`,
    text: describeCancellation(contactName, lessons, today),
    path: `/sessions/${lessons[0]?.sessionId}`,
    requiresAction: lessons.some(({ fee }) => fee > 0),
    targetId: cancellationId,
  });
}

/** The text contains both addresses, so that the tutor can check the change with the person. */
export async function onContactDetailsChanged(
  context: Context,
  tx: Tx,
  change: {
    tutorId: string;
    contactId: number;
    contactName: string;
    studentId: number;
    field: 'email' | 'phone';
    before: string | null;
    after: string;
  },
): Promise<void> {
  const { tutorId, contactId, contactName, studentId, field, before, after } = change;
  const noun = field === 'email' ? 'email address' : 'phone number';
  await notify(context, tx, tutorId, {
    kind: 'contact_changed',
    dedupeKey: `contact ${contactId} ${field} ${context.clock.now().toISOString()}`,
    text:
      before === null
        ? `${contactName} added their ${noun} in the family portal: ${after}.`
        : `${contactName} changed their ${noun} in the family portal, from ${before} to ${after}.`,
    path: `/students/${studentId}?tab=people`,
    requiresAction: false,
  });
}
