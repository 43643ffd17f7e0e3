import { firstName } from '@lessonbook/contract/first-name';
import {
  type ContactActivityEntry,
  MAX_CONTACT_ACTIVITY_ENTRIES,
} from '@lessonbook/contract/portal-management';
import type { Context } from '../../../context.ts';
import { describeUserAgent } from '../../../platform/http/user-agent.ts';
import { latestContactLogins } from '../queries/contact-logins.ts';
import { latestMoveRequests } from '../queries/move-requests.ts';
import { type CancelledSeatRow, latestCancelledSeats } from '../queries/portal-cancellations.ts';
import { contactExists } from '../queries/portal-contacts.ts';
import { contactNotFound } from './contact-portal-access.ts';

/** What the contact did in the portal. Reasons and messages are shown only on the page of the lesson. */
export async function listContactActivity(
  context: Context,
  tutorId: string,
  contactId: number,
): Promise<ContactActivityEntry[]> {
  const [[contact], logins, seats, requests] = await context.db.tutorRead(tutorId, (tx) => [
    contactExists(tx, tutorId, contactId),
    latestContactLogins(tx, tutorId, contactId, MAX_CONTACT_ACTIVITY_ENTRIES),
    latestCancelledSeats(tx, tutorId, contactId, MAX_CONTACT_ACTIVITY_ENTRIES),
    latestMoveRequests(tx, tutorId, contactId, MAX_CONTACT_ACTIVITY_ENTRIES),
  ]);
  if (!contact) throw contactNotFound();
  const signIns = logins.map(
    ({ firstSeenAt, userAgent }): ContactActivityEntry => ({
      kind: 'signed_in',
      at: firstSeenAt.toISOString(),
      device: describeUserAgent(userAgent),
    }),
  );
  const moves = requests.map(
    ({ at, studentName, ...lesson }): ContactActivityEntry => ({
      kind: 'asked_to_move',
      at: at.toISOString(),
      studentName: firstName(studentName),
      ...lesson,
    }),
  );
  const cancellations = Map.groupBy(seats, ({ cancellationId }) => cancellationId);
  return [...[...cancellations.values()].map(toCancellation), ...moves, ...signIns]
    .toSorted((a, b) => b.at.localeCompare(a.at))
    .slice(0, MAX_CONTACT_ACTIVITY_ENTRIES);
}

const toCancellation = (seats: readonly CancelledSeatRow[]): ContactActivityEntry => ({
  kind: 'cancelled',
  at: (seats[0] as CancelledSeatRow).cancelledAt.toISOString(),
  lessons: seats.map((seat) => ({
    sessionId: seat.sessionId,
    studentName: firstName(seat.studentName),
    date: seat.date,
    startTime: seat.startTime,
    fee: seat.fee,
    currency: seat.currency,
    usesFreeCancellation: seat.usesFreeCancellation,
  })),
  isWaived: seats.some(({ fee }) => fee > 0) && !seats.some(({ isCharged }) => isCharged),
});
