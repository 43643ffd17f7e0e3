import { OfflineSnapshot, offline } from '@lessonbook/contract/offline-snapshot';
import { systemNow } from '@lessonbook/contract/time';
import { ApiError, call } from '../../lib/http.ts';
import { getOfflineOwner } from '../../lib/offline-owner.ts';
import {
  clearOfflineStore,
  disableOffline,
  getClearCount,
  readOfflineRecord,
  saveOfflineSnapshot,
} from '../../lib/offline-store.ts';

/** What changed may wait so long; a phone's battery matters more than the last three minutes. */
const MIN_SYNC_INTERVAL_MS = 3 * 60_000;
/** What has not changed is kept anew this often, so that the seven days count from the last time the server was there. */
const MAX_SYNC_INTERVAL_MS = 60 * 60_000;

interface SignedInUser {
  id: string;
  revision: number;
  today: string;
}

/** After every answer about who is signed in: brings what is kept in step, and throws out what is another's. */
export async function syncSnapshot(reader: SignedInUser): Promise<void> {
  const owner = getOfflineOwner();
  if (owner === null) return;
  if (owner !== reader.id) {
    await disableOffline();
    return;
  }
  const kept = await readOfflineRecord();
  if (kept) {
    const age = systemNow().getTime() - kept.savedAt;
    const { revision, from } = kept.snapshot;
    const changed = revision !== reader.revision || from !== reader.today;
    if (age < (changed ? MIN_SYNC_INTERVAL_MS : MAX_SYNC_INTERVAL_MS)) return;
  }
  await fetchSnapshot(reader.id);
}

/** Without an answer what is kept stays, and its time runs; a refusal ends it. */
async function fetchSnapshot(id: string): Promise<void> {
  const turn = await getClearCount();
  try {
    // Cut to the contract here too: a server of tomorrow may say more than this version knows to be harmless.
    const book = OfflineSnapshot.parse(await call(offline.offlineSnapshot));
    if (book.owner === id) await saveOfflineSnapshot(book, turn);
    else await clearOfflineStore();
  } catch (problem) {
    if (problem instanceof ApiError && problem.status === 401) await clearOfflineStore();
  }
}
