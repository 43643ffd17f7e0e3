import { plusDays } from '@lessonbook/contract/dates';
import { type Message, messages } from '@lessonbook/contract/messages';
import { sessions } from '@lessonbook/contract/sessions';
import { students } from '@lessonbook/contract/students';
import type { Outcome } from '../clients/client.ts';
import type { Pupil, Seat } from '../clients/seat.ts';
import { addLesson } from './lessons.ts';
import { cancel } from './sessions.ts';

/** What was acknowledged as on its way must arrive. */
function noteLetters(
  seat: Seat,
  what: string,
  mark: string,
  outcome: Outcome<{ messages: Message[] }>,
  mayBeNone: boolean,
): void {
  const sent = outcome.status === 201 ? outcome.body.messages : [];
  for (const { id } of sent) seat.journal.note('messages', id, { subject: mark });
  seat.journal.mark('message', mark, sent.length > 0 ? 'once' : 'never');
  if (sent.length > 0) seat.room.letters.push(mark);
  else if (!mayBeNone) seat.unexplained(what, outcome);
}

export async function sendReceipt(seat: Seat): Promise<void> {
  const money = seat.pick(seat.payments, ({ live }) => live);
  if (!money) return;
  const subject = seat.newMark('receipt');
  const outcome = await seat.client.write(messages.sendReceipt, {
    params: { id: money.id },
    body: { channel: 'email', subject },
  });
  noteLetters(seat, 'a receipt', subject, outcome, false);
}

export async function sendInvoice(seat: Seat, id: number): Promise<void> {
  const subject = seat.newMark('invoice');
  const outcome = await seat.client.write(messages.sendInvoice, {
    params: { id },
    body: { channel: 'email', subject },
  });
  noteLetters(seat, 'sending an invoice', subject, outcome, false);
}

/** Who owes nothing cannot be reminded of it. */
export async function askForMoney(seat: Seat): Promise<void> {
  const pupil = seat.pick(seat.pupils, ({ stays }) => stays);
  if (!pupil) return;
  const subject = seat.newMark('ask');
  const outcome = await seat.client.write(messages.sendReminder, {
    body: { familyId: pupil.familyId, channel: 'email', subject },
  });
  noteLetters(seat, 'asking for money', subject, outcome, outcome.status === 409);
}

/** Whoever was told of the same lesson before is not told twice. */
export async function cancelAndTell(seat: Seat): Promise<void> {
  const taught = await cancel(seat);
  if (!taught) return;
  const subject = seat.newMark('tell');
  const outcome = await seat.client.write(messages.tell, {
    body: { kind: 'cancelled', sessionIds: [taught.id], channel: 'email', subject },
  });
  noteLetters(seat, 'telling a family', subject, outcome, taught.told);
  taught.told = true;
}

/** A lesson of tomorrow, of somebody with an address of their own: a reminder must come, if it is not called off. */
export async function remindable(seat: Seat): Promise<void> {
  const mark = seat.newMark('rm');
  const address = `${mark}@families.example`;
  const outcome = await seat.client.write(students.createStudent, {
    body: { name: mark, notes: mark, carerName: `Carer ${mark}`, carerEmail: address },
  });
  if (outcome.status !== 201) return seat.unexplained('a new student', outcome);
  const { id, familyId, carerId } = outcome.body;
  seat.journal.mark('student', mark, 'once');
  const pupil: Pupil = { id, familyId: familyId ?? 0, carerId, mark, stays: true, opened: true };
  const date = plusDays(seat.room.today, 1);
  const [taught] = await addLesson(seat, { ...seat.someTime(1, 1), date }, pupil);
  if (!taught) return;
  taught.held = true;
  seat.room.reminded.push({ address, seat: seat.number, sessionId: taught.id, cancelledAt: null });
}

export async function callOffRemindable(seat: Seat): Promise<void> {
  const lesson = seat.pick(
    seat.room.reminded,
    ({ cancelledAt, seat: whose }) => cancelledAt === null && whose === seat.number,
  );
  if (!lesson) return remindable(seat);
  const outcome = await seat.client.write(sessions.cancelSession, {
    params: { id: lesson.sessionId },
    body: { cancelledBy: 'tutor' },
  });
  const again = outcome.unsure && outcome.status === 409;
  if (outcome.status !== 200 && !again) return seat.unexplained('a cancellation', outcome);
  lesson.cancelledAt = Date.now();
  seat.journal.note('sessions', lesson.sessionId, { status: 'cancelled' });
}
