import { addDaysToDate } from '@lessonbook/contract/dates';
import { type Message, messages } from '@lessonbook/contract/messages';
import { sessions } from '@lessonbook/contract/sessions';
import { students } from '@lessonbook/contract/students';
import type { Outcome } from '../virtual-users/retrying-client.ts';
import type {
  TrackedSession,
  TrackedStudent,
  VirtualUser,
} from '../virtual-users/virtual-user-state.ts';
import { addLesson } from './lessons.ts';
import { cancelSession } from './sessions.ts';
import { expectContactsAndPayers } from './students-and-subjects.ts';

/** A message whose sending was acknowledged must arrive. `marker` is the subject that was sent. */
function expectMessages(
  user: VirtualUser,
  action: string,
  marker: string,
  outcome: Outcome<{ messages: Message[] }>,
  mayBeEmpty: boolean,
  session: TrackedSession | null = null,
): void {
  const sent = outcome.status === 201 ? outcome.body.messages : [];
  for (const { id, subject } of sent) {
    user.expected.expectRow('messages', id, { subject });
    user.context.sentMessages.push({ subject, session });
  }
  // With several recipients, each message has its own subject.
  user.expected.expectMarker('message', marker, sent.length === 1 ? 1 : 0);
  if (sent.length === 0 && !mayBeEmpty) user.reportUnexplained(action, outcome);
}

export async function sendReceipt(user: VirtualUser): Promise<void> {
  const payment = user.pick(user.payments, ({ isActive }) => isActive);
  if (!payment) return;
  const subject = user.newMarker('receipt');
  const outcome = await user.client.write(messages.sendReceipt, {
    params: { id: payment.id },
    body: { channel: 'email', subject },
  });
  expectMessages(user, 'sending a receipt', subject, outcome, false);
}

export async function sendInvoice(user: VirtualUser, id: number): Promise<void> {
  const subject = user.newMarker('invoice');
  const outcome = await user.client.write(messages.sendInvoice, {
    params: { id },
    body: { channel: 'email', subject },
  });
  expectMessages(user, 'sending an invoice', subject, outcome, false);
}

/** The API returns 409 when the family owes nothing. */
export async function sendPaymentReminder(user: VirtualUser): Promise<void> {
  const student = user.pick(user.students, ({ isPermanent }) => isPermanent);
  if (!student) return;
  const subject = user.newMarker('reminder');
  const outcome = await user.client.write(messages.sendReminder, {
    body: { familyId: student.familyId, channel: 'email', subject },
  });
  expectMessages(user, 'sending a payment reminder', subject, outcome, outcome.status === 409);
}

/**
 * Each family in a group gets a notice, unless an earlier notice or an automatic correction has already informed the family of
 * the cancellation.
 */
export async function cancelAndNotify(user: VirtualUser): Promise<void> {
  const tracked = await cancelSession(user);
  if (!tracked) return;
  const subject = user.newMarker('notice');
  const outcome = await user.client.write(messages.sendChangeNotice, {
    body: { sessionIds: [tracked.id], channel: 'email', subject },
  });
  const isEmpty = outcome.status === 201 && outcome.body.messages.length === 0;
  const mayBeEmpty = isEmpty && (await isFamilyInformed(user, tracked.id));
  expectMessages(user, 'notifying a family', subject, outcome, mayBeEmpty, tracked);
}

async function isFamilyInformed(user: VirtualUser, sessionId: number): Promise<boolean> {
  const { status, body } = await user.client.read(messages.pendingNotices, {
    query: { sessionId },
  });
  return status === 200 && body.length === 0;
}

/** Adds a lesson tomorrow with a unique address: a reminder must arrive there unless the lesson is cancelled. */
export async function addRemindedLesson(user: VirtualUser): Promise<void> {
  const marker = user.newMarker('rm');
  const address = `${marker}@families.example`;
  const outcome = await user.client.write(students.createStudent, {
    body: { name: marker, notes: marker, carerName: `Carer ${marker}`, carerEmail: address },
  });
  if (outcome.status !== 201) return user.reportUnexplained('creating a student', outcome);
  const { id, familyId, carerId } = outcome.body;
  expectContactsAndPayers(user, outcome.body);
  user.expected.expectMarker('student', marker, 1);
  const student: TrackedStudent = {
    id,
    familyId: familyId ?? 0,
    carerId,
    marker,
    isPermanent: true,
    hasOpeningBalance: true,
  };
  const date = addDaysToDate(user.context.today, 1);
  const [tracked] = await addLesson(user, { ...user.randomSlot(1, 1), date }, [student]);
  if (!tracked) return;
  tracked.isLocked = true;
  user.context.remindedLessons.push({
    address,
    userNumber: user.number,
    sessionId: tracked.id,
    cancelledAt: null,
  });
}

export async function cancelRemindedLesson(user: VirtualUser): Promise<void> {
  const lesson = user.pick(
    user.context.remindedLessons,
    ({ cancelledAt, userNumber }) => cancelledAt === null && userNumber === user.number,
  );
  if (!lesson) return addRemindedLesson(user);
  const outcome = await user.client.write(sessions.cancelSession, {
    params: { id: lesson.sessionId },
    body: { cancelledBy: 'tutor' },
  });
  const isRetry = outcome.outcomeUnknown && outcome.status === 409;
  if (outcome.status !== 200 && !isRetry)
    return user.reportUnexplained('cancelling a session', outcome);
  lesson.cancelledAt = Date.now();
  user.expected.expectRow('sessions', lesson.sessionId, { status: 'cancelled' });
}
