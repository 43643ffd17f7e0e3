import type { Context } from './context.ts';
import {
  accountEmailFailed,
  notificationSettingsChanged,
  timeZoneChanged,
  tutorSignedUp,
} from './domains/accounts/events.ts';
import { calendarConnectionLost, externalChangeDetected } from './domains/calendar/events.ts';
import { onCalendarDataChanged } from './domains/calendar/subscribers.ts';
import {
  bankDebitFailed,
  cardAccountProblem,
  cardPaymentReceived,
  cardReversalChanged,
  cardUpdateFailed,
} from './domains/cards/events.ts';
import { onAmountOwedReduced, onRefundRequested } from './domains/cards/subscribers.ts';
import {
  creditPrepaidCharges,
  creditPrepaidDifference,
  creditWaivedFees,
} from './domains/invoices/subscribers.ts';
import {
  cancellationFeesWaived,
  cancelledWithFee,
  notesShared,
  overlapsFound,
  scheduleChanged,
  seatsNotBillable,
  seatsReopened,
  sessionMoved,
  sessionsCompleted,
} from './domains/lessons/events.ts';
import {
  onSessionMoved,
  onStudentArchived,
  onTimeZoneChanged,
} from './domains/lessons/subscribers.ts';
import {
  onChargeQueried,
  onChargeQueryAnswered,
} from './domains/messages/service/notifications/charge-question-notifications.ts';
import {
  onMoveRequestAccepted,
  onMoveRequestDeclined,
  onMoveRequestExpired,
  onMoveRequested,
  onSuggestionsDeclined,
  onTimesSuggested,
} from './domains/messages/service/notifications/move-request-notifications.ts';
import {
  onBankDebitFailed,
  onCardPaymentReceived,
  onCardReversalChanged,
  onInstalmentMissed,
  onTransferClaimed,
  onTransferClaimWithdrawn,
} from './domains/messages/service/notifications/payment-notifications.ts';
import {
  onAccountEmailFailed,
  onCalendarConnectionLost,
  onCardAccountProblem,
  onCardUpdateFailed,
  onContactDetailsChanged,
  onExternalChangeDetected,
  onLessonsCancelledByFamily,
  onNoteEmailTimeChanged,
  onNotesShared,
  onOverlapsFound,
  onTutorSignedUp,
  scheduleReminders,
  shiftCommunicatedTimes,
} from './domains/messages/subscribers.ts';
import {
  amountOwedReduced,
  chargeQueried,
  chargeQueryAnswered,
  instalmentMissed,
  refundRequested,
  transferClaimed,
  transferClaimWithdrawn,
} from './domains/payments/events.ts';
import {
  chargeCancellationFees,
  chargeCompletedSessions,
  moveChargeToSession,
  onStudentSaved,
  reverseChargesForWaivedFees,
  reverseSeatCharges,
} from './domains/payments/subscribers.ts';
import {
  contactDetailsChanged,
  lessonsCancelledByFamily,
  moveRequestAccepted,
  moveRequestDeclined,
  moveRequestExpired,
  moveRequested,
  suggestionsDeclined,
  timesSuggested,
} from './domains/portal/events.ts';
import {
  closeRequestsOfChangedLessons,
  scheduleMoveRequestCheck,
} from './domains/portal/subscribers.ts';
import { scheduleRetentionPurge } from './domains/privacy/subscribers.ts';
import { studentArchived, studentSaved } from './domains/students/events.ts';
import { onSubjectChanged } from './domains/students/subscribers.ts';
import { subjectChanged } from './domains/subjects/events.ts';
import { type Subscription, subscribe } from './platform/events.ts';
import { scheduleStalledWorkSweep } from './platform/queue/abandon-work-without-job.ts';

/** All event subscribers, in the order they are called. Each runs within the publisher's transaction. */
export const eventSubscribers: readonly Subscription<Context>[] = [
  subscribe(tutorSignedUp, onTutorSignedUp),
  subscribe(tutorSignedUp, scheduleRetentionPurge),
  subscribe(tutorSignedUp, scheduleStalledWorkSweep),
  subscribe(accountEmailFailed, onAccountEmailFailed),
  subscribe(studentSaved, onStudentSaved),
  subscribe(studentArchived, onStudentArchived),
  subscribe(timeZoneChanged, onTimeZoneChanged),
  subscribe(timeZoneChanged, shiftCommunicatedTimes),
  subscribe(sessionsCompleted, chargeCompletedSessions),
  // Prepaid sessions are credited first, so that the fee is not charged twice.
  subscribe(cancelledWithFee, creditPrepaidDifference),
  subscribe(cancelledWithFee, chargeCancellationFees),
  subscribe(seatsNotBillable, creditPrepaidCharges),
  subscribe(cancellationFeesWaived, creditWaivedFees),
  subscribe(cancellationFeesWaived, reverseChargesForWaivedFees),
  subscribe(lessonsCancelledByFamily, onLessonsCancelledByFamily),
  subscribe(moveRequested, onMoveRequested),
  subscribe(moveRequestAccepted, onMoveRequestAccepted),
  subscribe(timesSuggested, onTimesSuggested),
  subscribe(moveRequestDeclined, onMoveRequestDeclined),
  subscribe(suggestionsDeclined, onSuggestionsDeclined),
  subscribe(moveRequestExpired, onMoveRequestExpired),
  subscribe(contactDetailsChanged, onContactDetailsChanged),
  subscribe(sessionMoved, moveChargeToSession),
  subscribe(sessionMoved, onSessionMoved),
  subscribe(notesShared, onNotesShared),
  subscribe(timeZoneChanged, onNoteEmailTimeChanged),
  subscribe(seatsReopened, reverseSeatCharges),
  subscribe(scheduleChanged, scheduleReminders),
  subscribe(scheduleChanged, closeRequestsOfChangedLessons),
  subscribe(studentArchived, closeRequestsOfChangedLessons),
  subscribe(timeZoneChanged, scheduleMoveRequestCheck),
  subscribe(notificationSettingsChanged, scheduleReminders),
  subscribe(overlapsFound, onOverlapsFound),
  subscribe(transferClaimed, onTransferClaimed),
  subscribe(transferClaimWithdrawn, onTransferClaimWithdrawn),
  subscribe(chargeQueried, onChargeQueried),
  subscribe(chargeQueryAnswered, onChargeQueryAnswered),
  subscribe(instalmentMissed, onInstalmentMissed),
  subscribe(amountOwedReduced, onAmountOwedReduced),
  subscribe(refundRequested, onRefundRequested),
  subscribe(cardPaymentReceived, onCardPaymentReceived),
  subscribe(bankDebitFailed, onBankDebitFailed),
  subscribe(cardReversalChanged, onCardReversalChanged),
  subscribe(cardUpdateFailed, onCardUpdateFailed),
  subscribe(cardAccountProblem, onCardAccountProblem),
  subscribe(scheduleChanged, onCalendarDataChanged),
  subscribe(studentSaved, onCalendarDataChanged),
  subscribe(studentArchived, onCalendarDataChanged),
  subscribe(subjectChanged, onSubjectChanged),
  subscribe(subjectChanged, onCalendarDataChanged),
  subscribe(timeZoneChanged, onCalendarDataChanged),
  subscribe(calendarConnectionLost, onCalendarConnectionLost),
  subscribe(externalChangeDetected, onExternalChangeDetected),
];
