import {
  CalendarRequestRejectedError,
  type RemoteEvent,
} from '../../../integrations/calendar-provider.ts';
import { classifyRemoteChange } from '../rules/classify-remote-change.ts';
import { conferenceRequest } from '../rules/google-meet-conference-state.ts';
import { REMOVING } from '../rules/sync-action.ts';
import { toCalendarEvent, toRemoteState } from './calendar-event.ts';
import type { SyncRun } from './save-sync-results.ts';
import { type SyncEntry, syncActionFor } from './sync-entries.ts';

/** After this many attempts, an event that keeps changing remotely is left for the next run. */
const MAX_ATTEMPTS = 4;

/** Sends pending changes in calendar order until the budget runs out. Returns true if all of them were sent. */
export async function pushChanges(run: SyncRun): Promise<boolean> {
  for (const entry of run.state.entries.values()) {
    const action = syncActionFor(entry, run.context.clock.now());
    if (action === 'nothing' || action === 'wait') continue;
    if (run.isBudgetSpent) return false;
    await pushEntry(run, entry);
  }
  return true;
}

async function pushEntry(run: SyncRun, entry: SyncEntry): Promise<void> {
  try {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const action = syncActionFor(entry, run.context.clock.now());
      if (action === 'nothing' || action === 'wait') return;
      if (action === 'overwrite') await discardExternalChange(run, entry);
      else if (action === 'insert') await insert(run, entry);
      else if (action === 'update') await update(run, entry, entry.known?.etag ?? '');
      else if (action === 'remove') await remove(run, entry);
      else await inspectRemote(run, entry);
    }
  } catch (error) {
    if (!(error instanceof CalendarRequestRejectedError)) throw error;
    if (await dropRejectedConference(run, entry)) return pushEntry(run, entry);
    run.context.log.warn({ err: error }, 'Google rejected a calendar event');
    await run.saveEntry(entry, {
      pendingHash: null,
      rejectedHash: entry.desired?.fingerprint ?? null,
    });
  }
}

/** For an account without Google Meet: the lesson is still written to the calendar, without a link. */
async function dropRejectedConference(run: SyncRun, entry: SyncEntry): Promise<boolean> {
  const { row, known } = entry;
  if (!row || !known || conferenceRequest(row.usesGoogleMeet, known) !== 'create') return false;
  run.context.log.warn('Google rejected a request for a Meet link');
  await run.saveEntry(entry, {
    conferenceStatus: 'failed',
    conferenceNumber: known.conferenceNumber + 1,
  });
  return true;
}

async function discardExternalChange(run: SyncRun, entry: SyncEntry): Promise<void> {
  await run.dropExternalChange(entry);
  await run.saveEntry(entry, { overwriteRemote: true });
}

async function insert(run: SyncRun, entry: SyncEntry): Promise<void> {
  const { row, desired } = entry;
  if (!row || !desired) return;
  // Saved before the request, so that if the response is lost we know that the event may exist.
  await run.saveEntry(entry, { etag: null, pendingHash: desired.fingerprint, removed: false });
  const { context, state, calendarId } = run;
  const request = conferenceRequest(row.usesGoogleMeet, entry.known);
  const calendarEvent = toCalendarEvent(context, state.timeZone, row, entry.known);
  const result = await run.calendar.insert(calendarId, calendarEvent);
  if (result === 'exists') return inspectRemote(run, entry);
  await run.markSynced(entry, result, desired, request);
}

async function update(run: SyncRun, entry: SyncEntry, etag: string): Promise<void> {
  const { row, desired } = entry;
  if (!row || !desired) return;
  await run.saveEntry(entry, { etag, pendingHash: desired.fingerprint });
  const { context, state, calendarId } = run;
  const request = conferenceRequest(row.usesGoogleMeet, entry.known);
  const calendarEvent = toCalendarEvent(context, state.timeZone, row, entry.known);
  const result = await run.calendar.update(calendarId, calendarEvent, etag);
  if (result === 'changed' || result === 'deleted') return inspectRemote(run, entry);
  await run.markSynced(entry, result, desired, request);
}

async function remove(run: SyncRun, entry: SyncEntry): Promise<void> {
  const { calendarId } = run;
  await run.saveEntry(entry, { pendingHash: REMOVING });
  const result = await run.calendar.remove(calendarId, entry.eventId, entry.known?.etag ?? null);
  if (result === 'deleted') return run.markRemoved(entry);
  const event = await run.calendar.getEvent(calendarId, entry.eventId);
  if (!event || event.deleted) return run.markRemoved(entry);
  await run.saveEntry(entry, { etag: event.etag });
}

/** Reads an event whose remote state is uncertain or has changed, then decides again. */
async function inspectRemote(run: SyncRun, entry: SyncEntry): Promise<void> {
  const { known, desired } = entry;
  if (!known || !desired) return;
  const event: RemoteEvent | null = await run.calendar.getEvent(run.calendarId, entry.eventId);
  const remote = event && toRemoteState(event);
  const change = classifyRemoteChange(remote, known, desired);
  if (change === 'moved' || change === 'deleted') {
    return run.recordExternalChange(entry, change, event);
  }
  if (!event || !remote || change === 'insert') return insert(run, entry);
  if (change === 'overwrite') return update(run, entry, event.etag);
  await run.markSynced(entry, event, remote);
}
