import { CalendarRefused, type EventFacts } from '../../../integrations/calendar.ts';
import { judge } from '../rules/read-back.ts';
import { REMOVING } from '../rules/step.ts';
import { asAppointment, asSeen, type Entry, stepOf } from './book.ts';
import type { Visit } from './visit.ts';

/** What changes under our hands is looked at again, but not for ever: the next turn goes on. */
const TRIES = 4;

/** Sends what differs, in the order of the calendar, until the turn is over. Gives whether all is done. */
export async function push(visit: Visit): Promise<boolean> {
  for (const entry of visit.book.entries.values()) {
    const step = stepOf(entry);
    if (step === 'nothing' || step === 'hold') continue;
    if (visit.isOver) return false;
    await sendOne(visit, entry);
  }
  return true;
}

async function sendOne(visit: Visit, entry: Entry): Promise<void> {
  try {
    for (let attempt = 0; attempt < TRIES; attempt += 1) {
      const step = stepOf(entry);
      if (step === 'nothing' || step === 'hold') return;
      if (step === 'overrule') await overrule(visit, entry);
      else if (step === 'insert') await insert(visit, entry);
      else if (step === 'update') await update(visit, entry, entry.known?.etag ?? '');
      else if (step === 'remove') await remove(visit, entry);
      else await lookAt(visit, entry);
    }
  } catch (error) {
    if (!(error instanceof CalendarRefused)) throw error;
    visit.context.log.warn({ err: error }, 'a lesson was refused by the calendar');
    await visit.note(entry, { sending: null, refused: entry.wanted?.fingerprint ?? null });
  }
}

async function overrule(visit: Visit, entry: Entry): Promise<void> {
  await visit.drop(entry);
  await visit.note(entry, { forced: true });
}

async function insert(visit: Visit, entry: Entry): Promise<void> {
  const { row, wanted } = entry;
  if (!row || !wanted) return;
  // Before it goes: whatever comes of it, it is known that it may be there.
  await visit.note(entry, { etag: null, sending: wanted.fingerprint, removed: false });
  const { context, book, calendarId } = visit;
  const appointment = asAppointment(context, book.timeZone, row);
  const answer = await visit.calendar.insert(calendarId, appointment);
  if (answer === 'exists') return lookAt(visit, entry);
  await visit.noteArrived(entry, answer.etag, wanted);
}

async function update(visit: Visit, entry: Entry, etag: string): Promise<void> {
  const { row, wanted } = entry;
  if (!row || !wanted) return;
  await visit.note(entry, { etag, sending: wanted.fingerprint });
  const { context, book, calendarId } = visit;
  const appointment = asAppointment(context, book.timeZone, row);
  const answer = await visit.calendar.update(calendarId, appointment, etag);
  if (answer === 'changed' || answer === 'gone') return lookAt(visit, entry);
  await visit.noteArrived(entry, answer.etag, wanted);
}

async function remove(visit: Visit, entry: Entry): Promise<void> {
  const { calendarId } = visit;
  await visit.note(entry, { sending: REMOVING });
  const answer = await visit.calendar.remove(calendarId, entry.eventId, entry.known?.etag ?? null);
  if (answer === 'gone') return visit.noteRemoved(entry);
  const facts = await visit.calendar.look(calendarId, entry.eventId);
  if (!facts || facts.deleted) return visit.noteRemoved(entry);
  await visit.note(entry, { etag: facts.etag });
}

/** What is there is not what we thought. */
async function lookAt(visit: Visit, entry: Entry): Promise<void> {
  const { known, wanted } = entry;
  if (!known || !wanted) return;
  const facts: EventFacts | null = await visit.calendar.look(visit.calendarId, entry.eventId);
  const seen = facts && asSeen(facts);
  const verdict = judge(seen, known, wanted);
  if (verdict === 'moved' || verdict === 'deleted') return visit.propose(entry, verdict, facts);
  if (!facts || !seen || verdict === 'insert') return insert(visit, entry);
  if (verdict === 'write over') return update(visit, entry, facts.etag);
  await visit.noteArrived(entry, facts.etag, seen);
}
