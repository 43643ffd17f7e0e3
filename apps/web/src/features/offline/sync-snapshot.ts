import { OfflineSnapshot, offline } from '@lessonbook/contract/offline-snapshot';
import { systemNow } from '@lessonbook/contract/time';
import { ApiError, callApi } from '../../lib/http.ts';
import { getOfflineOwner } from '../../lib/offline-owner.ts';
import {
  clearOfflineStore,
  disableOffline,
  getClearCount,
  readOfflineRecord,
  saveOfflineSnapshot,
} from '../../lib/offline-store.ts';

/** Even if the data has changed, the snapshot is renewed only at this interval, to save battery. */
const MIN_SYNC_INTERVAL_MS = 3 * 60_000;
/** How often an unchanged snapshot is renewed, so that its seven days count from the last connection. */
const MAX_SYNC_INTERVAL_MS = 60 * 60_000;

interface SignedInUser {
  id: string;
  revision: number;
  today: string;
}

/** Runs after every /api/me response: updates the snapshot, and clears another tutor's data. */
export async function syncSnapshot(user: SignedInUser): Promise<void> {
  const owner = getOfflineOwner();
  if (owner === null) return;
  if (owner !== user.id) {
    await disableOffline();
    return;
  }
  const record = await readOfflineRecord();
  if (record) {
    const age = systemNow().getTime() - record.savedAt;
    const { revision, from } = record.snapshot;
    const changed = revision !== user.revision || from !== user.today;
    if (age < (changed ? MIN_SYNC_INTERVAL_MS : MAX_SYNC_INTERVAL_MS)) return;
  }
  await fetchSnapshot(user.id);
}

/** Without a response the snapshot stays until it expires; a 401 clears it. */
async function fetchSnapshot(id: string): Promise<void> {
  const clearCount = await getClearCount();
  try {
    // Parsing drops any fields from a newer server, which must not be stored.
    const snapshot = OfflineSnapshot.parse(await callApi(offline.offlineSnapshot));
    if (snapshot.owner === id) await saveOfflineSnapshot(snapshot, clearCount);
    else await clearOfflineStore();
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) await clearOfflineStore();
  }
}
