import type { RemoteEvent } from '../../../integrations/calendar-provider.ts';
import { classifyRemoteChange } from '../rules/classify-remote-change.ts';
import { toRemoteState } from './calendar-event.ts';
import type { SyncRun } from './save-sync-results.ts';
import type { SyncEntry } from './sync-entries.ts';

/** Applies the changes made in Google since the sync token, or compares all events if there is no valid token. */
export async function pullChanges(run: SyncRun, syncToken: string | null): Promise<void> {
  const { state, calendarId } = run;
  const firstResult = await run.calendar.listChanges(calendarId, syncToken);
  const isFullList = syncToken === null || firstResult === 'expired';
  const changes =
    firstResult === 'expired' ? await run.calendar.listChanges(calendarId, null) : firstResult;
  if (changes === 'expired')
    throw new Error('Google reported an expired sync token for a full list');
  const known = [...state.entries.values()].filter((entry) => entry.known);
  const entriesByEventId = new Map(known.map((entry) => [entry.eventId, entry]));
  const listedIds = new Set<string>();
  for (const event of changes.events) {
    listedIds.add(event.eventId);
    const entry = entriesByEventId.get(event.eventId);
    if (entry) await applyRemoteEvent(run, entry, event);
  }
  if (isFullList) {
    for (const entry of known.filter(({ eventId }) => !listedIds.has(eventId))) {
      await applyRemoteEvent(run, entry, null);
    }
  }
  // Saved last, so that after a crash the next run reads the same changes again.
  await run.saveConnection({ sync_token: changes.syncToken || null });
}

async function applyRemoteEvent(
  run: SyncRun,
  entry: SyncEntry,
  event: RemoteEvent | null,
): Promise<void> {
  const { known, desired } = entry;
  if (!known) return;
  if (event && event.etag === known.etag && known.pendingHash === null) return;
  if (!desired) {
    const exists = event !== null && !event.deleted;
    // The tutor deleted the event before we did, or restored it from the bin after we deleted it.
    if (exists === known.removed) {
      await (exists
        ? run.saveEntry(entry, { etag: event.etag, removed: false })
        : run.markRemoved(entry));
    }
    return;
  }
  // The push that follows inserts the event again.
  if (known.removed) return;
  const remote = event && toRemoteState(event);
  const change = classifyRemoteChange(remote, known, desired);
  if (change === 'moved' || change === 'deleted') {
    return run.recordExternalChange(entry, change, event);
  }
  await run.dropExternalChange(entry);
  if (change === 'insert') return run.saveEntry(entry, { etag: null, overwriteRemote: true });
  if (!event || !remote) return;
  if (change === 'overwrite') {
    return run.saveEntry(entry, { etag: event.etag, pendingHash: null, overwriteRemote: true });
  }
  await run.markSynced(entry, event, remote);
}
