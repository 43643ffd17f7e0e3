import type { EventFacts } from '../../../integrations/calendar.ts';
import { updateLink } from '../queries/links.ts';
import { judge } from '../rules/read-back.ts';
import { asSeen, type Entry } from './book.ts';
import type { Visit } from './visit.ts';

/** Hears what was done in Google since the last time, or all of it where that is not known any more. */
export async function readBack(visit: Visit, syncToken: string | null): Promise<void> {
  const { book, calendarId, context, tutorId } = visit;
  const since = await visit.calendar.changes(calendarId, syncToken);
  const isWhole = syncToken === null || since === 'expired';
  const answer = since === 'expired' ? await visit.calendar.changes(calendarId, null) : since;
  if (answer === 'expired') throw new Error('A whole list cannot be too old');
  const known = [...book.entries.values()].filter((entry) => entry.known);
  const byEvent = new Map(known.map((entry) => [entry.eventId, entry]));
  const listed = new Set<string>();
  for (const facts of answer.events) {
    listed.add(facts.eventId);
    const entry = byEvent.get(facts.eventId);
    if (entry) await hear(visit, entry, facts);
  }
  if (isWhole) {
    for (const entry of known.filter(({ eventId }) => !listed.has(eventId))) {
      await hear(visit, entry, null);
    }
  }
  // Only now: whoever dies before reads the same again, and finds the same.
  await context.db.besideTutor(tutorId, (tx) =>
    updateLink(tx, tutorId, { sync_token: answer.syncToken || null }),
  );
}

async function hear(visit: Visit, entry: Entry, facts: EventFacts | null): Promise<void> {
  const { known, wanted } = entry;
  if (!known) return;
  if (facts && facts.etag === known.etag && known.sending === null) return;
  if (!wanted) {
    const isThere = facts !== null && !facts.deleted;
    // Taken out by the tutor before we did, or out of the bin again after we did.
    if (isThere === known.removed) {
      await (isThere
        ? visit.note(entry, { etag: facts.etag, removed: false })
        : visit.noteRemoved(entry));
    }
    return;
  }
  // Sent anew in a moment, whatever is there.
  if (known.removed) return;
  const seen = facts && asSeen(facts);
  const verdict = judge(seen, known, wanted);
  if (verdict === 'moved' || verdict === 'deleted') return visit.propose(entry, verdict, facts);
  await visit.drop(entry);
  if (verdict === 'insert') return visit.note(entry, { etag: null, forced: true });
  if (!facts || !seen) return;
  if (verdict === 'write over') {
    return visit.note(entry, { etag: facts.etag, sending: null, forced: true });
  }
  await visit.noteArrived(entry, facts.etag, seen);
}
