import type { Context } from './context.ts';
import {
  notificationSettingsChanged,
  timeZoneChanged,
  tutorSignedUp,
} from './domains/accounts/events.ts';
import { calendarConnectionLost, externalChangeDetected } from './domains/calendar/events.ts';
import { onCalendarDataChanged } from './domains/calendar/subscribers.ts';
import {
  cardAccountProblem,
  cardPaymentReceived,
  cardReversalChanged,
} from './domains/cards/events.ts';
import { onRefundRequested } from './domains/cards/service/refunds.ts';
import { creditPrepaidDifference, creditPrepaidSessions } from './domains/invoices/subscribers.ts';
import {
  overlapsFound,
  scheduleChanged,
  sessionCancelledWithFee,
  sessionCompleted,
  sessionMoved,
  sessionReopened,
  sessionsNotBillable,
} from './domains/lessons/events.ts';
import { onStudentArchived, onTimeZoneChanged } from './domains/lessons/subscribers.ts';
import {
  onCalendarLost,
  onCalendarProposed,
  onCardAccountTroubled,
  onCardMoneyMoved,
  onCardPaymentArrived,
  onOverlapsFound,
  onTransferClaimed,
  onTutorSignedUp,
  scheduleReminders,
} from './domains/messages/subscribers.ts';
import { refundRequested, transferClaimed } from './domains/payments/events.ts';
import {
  chargeCancellationFee,
  chargeCompletedSessions,
  moveChargeToSession,
  reverseSessionCharge,
} from './domains/payments/service/charges.ts';
import { onStudentSaved } from './domains/payments/service/payer-accounts.ts';
import { scheduleRetentionPurge } from './domains/privacy/service/retention-purge.ts';
import { studentArchived, studentSaved } from './domains/students/events.ts';
import { subjectChanged } from './domains/subjects/events.ts';
import { type Subscription, subscribe } from './platform/events.ts';

/** Who hears what, in the order they are told. Each runs inside the publisher's transaction. */
export const eventSubscribers: readonly Subscription<Context>[] = [
  subscribe(tutorSignedUp, onTutorSignedUp),
  subscribe(tutorSignedUp, scheduleRetentionPurge),
  subscribe(studentSaved, onStudentSaved),
  subscribe(studentArchived, onStudentArchived),
  subscribe(timeZoneChanged, onTimeZoneChanged),
  subscribe(sessionCompleted, chargeCompletedSessions),
  // What was invoiced ahead is credited first; then nothing is charged a second time.
  subscribe(sessionCancelledWithFee, creditPrepaidDifference),
  subscribe(sessionCancelledWithFee, chargeCancellationFee),
  subscribe(sessionsNotBillable, creditPrepaidSessions),
  subscribe(sessionMoved, moveChargeToSession),
  subscribe(sessionReopened, reverseSessionCharge),
  subscribe(scheduleChanged, scheduleReminders),
  subscribe(notificationSettingsChanged, scheduleReminders),
  subscribe(overlapsFound, onOverlapsFound),
  subscribe(transferClaimed, onTransferClaimed),
  subscribe(refundRequested, onRefundRequested),
  subscribe(cardPaymentReceived, onCardPaymentArrived),
  subscribe(cardReversalChanged, onCardMoneyMoved),
  subscribe(cardAccountProblem, onCardAccountTroubled),
  subscribe(scheduleChanged, onCalendarDataChanged),
  subscribe(studentSaved, onCalendarDataChanged),
  subscribe(studentArchived, onCalendarDataChanged),
  subscribe(subjectChanged, onCalendarDataChanged),
  subscribe(timeZoneChanged, onCalendarDataChanged),
  subscribe(calendarConnectionLost, onCalendarLost),
  subscribe(externalChangeDetected, onCalendarProposed),
];
