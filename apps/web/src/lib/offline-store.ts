import type { OfflineSnapshot } from '@lessonbook/contract/offline-snapshot';
import { systemNow } from '@lessonbook/contract/time';
import { type IDBPObjectStore, openDB } from 'idb';
import { getOfflineOwner, setOfflineOwner } from './offline-owner.ts';

/** A device deletes its snapshot this long after the server's last response. */
const OFFLINE_TTL_MS = 7 * 86_400_000;
/** Clocks are often corrected by small amounts; a larger difference means that the clock was set back. */
const CLOCK_TOLERANCE_MS = 5 * 60_000;

/** All times are from the device's clock, the only one available offline. */
interface OfflineRecord {
  snapshot: OfflineSnapshot;
  savedAt: number;
  expiresAt: number;
  /** When it was last read. A clock that shows an earlier time is not trusted. */
  lastReadAt: number;
}

/** Whether the device's owner may still read it. */
function isRecordValid(record: OfflineRecord, now: number, owner: string | null): boolean {
  if (owner === null || record.snapshot.owner !== owner) return false;
  if (now > record.expiresAt) return false;
  return now >= Math.max(record.savedAt, record.lastReadAt) - CLOCK_TOLERANCE_MS;
}

/* The only place where tutor data is stored in a browser: a deliberate exception, see
   docs/security/offline-reading.md. Every change is one transaction, so that tabs cannot interfere with each
   other. */
const DATABASE = 'lessonbook-offline';
const STORE = 'records';
type Store = IDBPObjectStore<unknown, [typeof STORE], typeof STORE, 'readwrite'>;
const SNAPSHOT_KEY = 'snapshot';
/** Counts how many times the store has been cleared: a snapshot requested before that must not be saved afterwards. */
const CLEAR_COUNT_KEY = 'clear-count';

/** The record if it is still valid; otherwise it is deleted. */
export async function readOfflineRecord(): Promise<OfflineRecord | null> {
  const owner = getOfflineOwner();
  const now = systemNow().getTime();
  return withStore(async (store) => {
    const record: OfflineRecord | undefined = await store.get(SNAPSHOT_KEY);
    if (!record) return null;
    if (!isRecordValid(record, now, owner)) {
      await clearStore(store);
      return null;
    }
    await store.put({ ...record, lastReadAt: Math.max(now, record.lastReadAt) }, SNAPSHOT_KEY);
    return record;
  });
}

/** Passed to `saveOfflineSnapshot`. */
export const getClearCount = (): Promise<number> => withStore(readClearCount);

/** Returns false if the store was cleared in the meantime or offline reading was disabled. */
export async function saveOfflineSnapshot(
  snapshot: OfflineSnapshot,
  clearCount: number,
): Promise<boolean> {
  const now = systemNow().getTime();
  const expiresAt = now + OFFLINE_TTL_MS;
  return withStore(async (store) => {
    if ((await readClearCount(store)) !== clearCount || getOfflineOwner() !== snapshot.owner)
      return false;
    await store.put(
      { snapshot, savedAt: now, expiresAt, lastReadAt: now } satisfies OfflineRecord,
      SNAPSHOT_KEY,
    );
    return true;
  });
}

/** If the store cannot be cleared, the database is deleted and the owner removed, so that no data is shown. */
export async function clearOfflineStore(): Promise<void> {
  try {
    await withStore(clearStore);
  } catch {
    setOfflineOwner(null);
    // Some browsers have no IndexedDB, and then there is nothing to delete.
    if (typeof indexedDB !== 'undefined') indexedDB.deleteDatabase(DATABASE);
  }
}

export async function disableOffline(): Promise<void> {
  setOfflineOwner(null);
  await clearOfflineStore();
}

async function clearStore(store: Store): Promise<void> {
  const clearCount = await readClearCount(store);
  await store.delete(SNAPSHOT_KEY);
  await store.put(clearCount + 1, CLEAR_COUNT_KEY);
}

const readClearCount = async (store: Store): Promise<number> =>
  (await store.get(CLEAR_COUNT_KEY)) ?? 0;

async function withStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
  const database = await openDB(DATABASE, 1, {
    upgrade: (created) => created.createObjectStore(STORE),
  });
  try {
    const transaction = database.transaction(STORE, 'readwrite', { durability: 'strict' });
    const [result] = await Promise.all([work(transaction.store), transaction.done]);
    return result;
  } finally {
    database.close();
  }
}
