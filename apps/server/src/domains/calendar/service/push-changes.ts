import { CalendarRefused, type RemoteEvent } from '../../../integrations/calendar-provider.ts';
import { classifyRemoteChange } from '../rules/classify-remote-change.ts';
import { REMOVING } from '../rules/sync-action.ts';
import type { SyncRun } from './sync-run.ts';
import { type SyncEntry, syncActionOf, toCalendarEvent, toRemoteState } from './sync-state.ts';

/** What changes under our hands is looked at again, but not for ever: the next turn goes on. */
const MAX_ATTEMPTS = 4;

/** Sends what differs, in the order of the calendar, until the turn is over. Gives whether all is done. */
export async function pushChanges(run: SyncRun): Promise<boolean> {
  for (const entry of run.state.entries.values()) {
    const step = syncActionOf(entry);
    if (step === 'nothing' || step === 'hold') continue;
    if (run.isBudgetSpent) return false;
    await pushEntry(run, entry);
  }
  return true;
}

async function pushEntry(run: SyncRun, entry: SyncEntry): Promise<void> {
  try {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const step = syncActionOf(entry);
      if (step === 'nothing' || step === 'hold') return;
      if (step === 'overrule') await discardExternalChange(run, entry);
      else if (step === 'insert') await insert(run, entry);
      else if (step === 'update') await update(run, entry, entry.known?.etag ?? '');
      else if (step === 'remove') await remove(run, entry);
      else await inspectRemote(run, entry);
    }
  } catch (error) {
    if (!(error instanceof CalendarRefused)) throw error;
    run.context.log.warn({ err: error }, 'a lesson was refused by the calendar');
    await run.saveEntry(entry, { sending: null, refused: entry.wanted?.fingerprint ?? null });
  }
}

async function discardExternalChange(run: SyncRun, entry: SyncEntry): Promise<void> {
  await run.dropExternalChange(entry);
  await run.saveEntry(entry, { forced: true });
}

async function insert(run: SyncRun, entry: SyncEntry): Promise<void> {
  const { row, wanted } = entry;
  if (!row || !wanted) return;
  // Before it goes: whatever comes of it, it is known that it may be there.
  await run.saveEntry(entry, { etag: null, sending: wanted.fingerprint, removed: false });
  const { context, state, calendarId } = run;
  const calendarEvent = toCalendarEvent(context, state.timeZone, row);
  const answer = await run.calendar.insert(calendarId, calendarEvent);
  if (answer === 'exists') return inspectRemote(run, entry);
  await run.markSynced(entry, answer.etag, wanted);
}

async function update(run: SyncRun, entry: SyncEntry, etag: string): Promise<void> {
  const { row, wanted } = entry;
  if (!row || !wanted) return;
  await run.saveEntry(entry, { etag, sending: wanted.fingerprint });
  const { context, state, calendarId } = run;
  const calendarEvent = toCalendarEvent(context, state.timeZone, row);
  const answer = await run.calendar.update(calendarId, calendarEvent, etag);
  if (answer === 'changed' || answer === 'gone') return inspectRemote(run, entry);
  await run.markSynced(entry, answer.etag, wanted);
}

async function remove(run: SyncRun, entry: SyncEntry): Promise<void> {
  const { calendarId } = run;
  await run.saveEntry(entry, { sending: REMOVING });
  const answer = await run.calendar.remove(calendarId, entry.eventId, entry.known?.etag ?? null);
  if (answer === 'gone') return run.markRemoved(entry);
  const facts = await run.calendar.getEvent(calendarId, entry.eventId);
  if (!facts || facts.deleted) return run.markRemoved(entry);
  await run.saveEntry(entry, { etag: facts.etag });
}

/** What is there is not what we thought. */
async function inspectRemote(run: SyncRun, entry: SyncEntry): Promise<void> {
  const { known, wanted } = entry;
  if (!known || !wanted) return;
  const facts: RemoteEvent | null = await run.calendar.getEvent(run.calendarId, entry.eventId);
  const seen = facts && toRemoteState(facts);
  const change = classifyRemoteChange(seen, known, wanted);
  if (change === 'moved' || change === 'deleted')
    return run.recordExternalChange(entry, change, facts);
  if (!facts || !seen || change === 'insert') return insert(run, entry);
  if (change === 'write over') return update(run, entry, facts.etag);
  await run.markSynced(entry, facts.etag, seen);
}
