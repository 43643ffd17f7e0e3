import type { Context } from './context.ts';
import { switchesChanged, timeZoneChanged, tutorSignedUp } from './domains/accounts/events.ts';
import { calendarLost, calendarProposed } from './domains/calendar/events.ts';
import { lookAtCalendar } from './domains/calendar/service/hear.ts';
import { cardAccountTroubled, cardMoneyMoved, cardPaymentArrived } from './domains/cards/events.ts';
import { hearRefundRequested } from './domains/cards/service/refunds.ts';
import { creditAhead, creditAheadDifference } from './domains/invoices/service/credit-ahead.ts';
import {
  overlapsFound,
  scheduleChanged,
  sessionCancelledWithFee,
  sessionCompleted,
  sessionMoved,
  sessionReopened,
  sessionsFreed,
} from './domains/lessons/events.ts';
import { hearStudentArchived, hearTimeZoneChanged } from './domains/lessons/service/hear.ts';
import {
  hearOverlaps,
  hearSignedUp,
  hearTransferClaimed,
  lookAgain,
} from './domains/messages/service/hear.ts';
import {
  hearCalendarLost,
  hearCalendarProposed,
} from './domains/messages/service/hear-calendar.ts';
import {
  hearCardAccount,
  hearCardMoney,
  hearCardPayment,
} from './domains/messages/service/hear-cards.ts';
import { planToForget } from './domains/own-data/service/forget-traces.ts';
import { refundRequested, transferClaimed } from './domains/payments/events.ts';
import { hearStudentSaved } from './domains/payments/service/accounts.ts';
import {
  chargeCancellation,
  chargeCompleted,
  followMovedSession,
  reverseChargeOfSession,
} from './domains/payments/service/charges.ts';
import { studentArchived, studentSaved } from './domains/students/events.ts';
import { subjectChanged } from './domains/subjects/events.ts';
import { type Subscription, subscribe } from './platform/events.ts';

/** Who hears what, in the order they are told. Each runs inside the publisher's transaction. */
export const subscriptions: readonly Subscription<Context>[] = [
  subscribe(tutorSignedUp, hearSignedUp),
  subscribe(tutorSignedUp, planToForget),
  subscribe(studentSaved, hearStudentSaved),
  subscribe(studentArchived, hearStudentArchived),
  subscribe(timeZoneChanged, hearTimeZoneChanged),
  subscribe(sessionCompleted, chargeCompleted),
  // What was invoiced ahead is credited first; then nothing is charged a second time.
  subscribe(sessionCancelledWithFee, creditAheadDifference),
  subscribe(sessionCancelledWithFee, chargeCancellation),
  subscribe(sessionsFreed, creditAhead),
  subscribe(sessionMoved, followMovedSession),
  subscribe(sessionReopened, reverseChargeOfSession),
  subscribe(scheduleChanged, lookAgain),
  subscribe(switchesChanged, lookAgain),
  subscribe(overlapsFound, hearOverlaps),
  subscribe(transferClaimed, hearTransferClaimed),
  subscribe(refundRequested, hearRefundRequested),
  subscribe(cardPaymentArrived, hearCardPayment),
  subscribe(cardMoneyMoved, hearCardMoney),
  subscribe(cardAccountTroubled, hearCardAccount),
  subscribe(scheduleChanged, lookAtCalendar),
  subscribe(studentSaved, lookAtCalendar),
  subscribe(studentArchived, lookAtCalendar),
  subscribe(subjectChanged, lookAtCalendar),
  subscribe(timeZoneChanged, lookAtCalendar),
  subscribe(calendarLost, hearCalendarLost),
  subscribe(calendarProposed, hearCalendarProposed),
];
