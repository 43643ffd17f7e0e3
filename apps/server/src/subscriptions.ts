import type { Context } from './context.ts';
import { timeZoneChanged } from './domains/accounts/events.ts';
import {
  sessionCancelledWithFee,
  sessionCompleted,
  sessionReopened,
} from './domains/lessons/events.ts';
import { hearStudentArchived, hearTimeZoneChanged } from './domains/lessons/service/hear.ts';
import {
  chargeCancellation,
  chargeCompleted,
  reverseCharge,
} from './domains/payments/service/charges.ts';
import { studentArchived } from './domains/students/events.ts';
import { type Subscription, subscribe } from './platform/events.ts';

/** Who hears what, in the order they are told. Each runs inside the publisher's transaction. */
export const subscriptions: readonly Subscription<Context>[] = [
  subscribe(studentArchived, hearStudentArchived),
  subscribe(timeZoneChanged, hearTimeZoneChanged),
  subscribe(sessionCompleted, chargeCompleted),
  subscribe(sessionCancelledWithFee, chargeCancellation),
  subscribe(sessionReopened, reverseCharge),
];
