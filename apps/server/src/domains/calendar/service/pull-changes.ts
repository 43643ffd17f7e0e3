import type { RemoteEvent } from '../../../integrations/calendar-provider.ts';
import { updateConnection } from '../queries/connections.ts';
import { classifyRemoteChange } from '../rules/classify-remote-change.ts';
import type { SyncRun } from './sync-run.ts';
import { type SyncEntry, toRemoteState } from './sync-state.ts';

/** Hears what was done in Google since the last time, or all of it where that is not known any more. */
export async function pullChanges(run: SyncRun, syncToken: string | null): Promise<void> {
  const { state, calendarId, context, tutorId } = run;
  const since = await run.calendar.listChanges(calendarId, syncToken);
  const isWhole = syncToken === null || since === 'expired';
  const answer = since === 'expired' ? await run.calendar.listChanges(calendarId, null) : since;
  if (answer === 'expired') throw new Error('A whole list cannot be too old');
  const known = [...state.entries.values()].filter((entry) => entry.known);
  const byEvent = new Map(known.map((entry) => [entry.eventId, entry]));
  const listed = new Set<string>();
  for (const facts of answer.events) {
    listed.add(facts.eventId);
    const entry = byEvent.get(facts.eventId);
    if (entry) await applyRemoteEvent(run, entry, facts);
  }
  if (isWhole) {
    for (const entry of known.filter(({ eventId }) => !listed.has(eventId))) {
      await applyRemoteEvent(run, entry, null);
    }
  }
  // Only now: whoever dies before reads the same again, and finds the same.
  await context.db.tutorTransactionUnlocked(tutorId, (tx) =>
    updateConnection(tx, tutorId, { sync_token: answer.syncToken || null }),
  );
}

async function applyRemoteEvent(
  run: SyncRun,
  entry: SyncEntry,
  facts: RemoteEvent | null,
): Promise<void> {
  const { known, wanted } = entry;
  if (!known) return;
  if (facts && facts.etag === known.etag && known.sending === null) return;
  if (!wanted) {
    const isThere = facts !== null && !facts.deleted;
    // Taken out by the tutor before we did, or out of the bin again after we did.
    if (isThere === known.removed) {
      await (isThere
        ? run.saveEntry(entry, { etag: facts.etag, removed: false })
        : run.markRemoved(entry));
    }
    return;
  }
  // Sent anew in a moment, whatever is there.
  if (known.removed) return;
  const seen = facts && toRemoteState(facts);
  const change = classifyRemoteChange(seen, known, wanted);
  if (change === 'moved' || change === 'deleted')
    return run.recordExternalChange(entry, change, facts);
  await run.dropExternalChange(entry);
  if (change === 'insert') return run.saveEntry(entry, { etag: null, forced: true });
  if (!facts || !seen) return;
  if (change === 'write over') {
    return run.saveEntry(entry, { etag: facts.etag, sending: null, forced: true });
  }
  await run.markSynced(entry, facts.etag, seen);
}
