import type { OfflineSnapshot } from '@lessonbook/contract/offline-snapshot';
import { systemNow } from '@lessonbook/contract/time';
import { getOfflineOwner, setOfflineOwner } from './offline-owner.ts';

/** So long after the last answer of the server a device forgets. */
const OFFLINE_TTL_MS = 7 * 86_400_000;
/** Clocks are put right by a little all the time; more than this is somebody turning it back. */
const CLOCK_SLACK_MS = 5 * 60_000;

/** What lies in the device. All times are of its own clock, which is the only one there is without a network. */
interface OfflineRecord {
  snapshot: OfflineSnapshot;
  savedAt: number;
  expiresAt: number;
  /** When it was last looked at: time does not go back behind it. */
  seenAt: number;
}

/** Whether it may still be shown, at this time and to whom the device belongs. */
function isRecordValid(record: OfflineRecord, now: number, owner: string | null): boolean {
  if (owner === null || record.snapshot.owner !== owner) return false;
  if (now > record.expiresAt) return false;
  return now >= Math.max(record.savedAt, record.seenAt) - CLOCK_SLACK_MS;
}

/*
 * The one place where anything of a tutor's book lies in a browser: a named exception, described in
 * docs/security/offline-reading.md. Every change is one transaction, so that tabs cannot come between each other.
 */
const DATABASE = 'lessonbook-offline';
const STORE = 'kept';
const SNAPSHOT_KEY = 'book';
/** Counts the wipings: an answer that was asked for before one must not be put back after it. */
const CLEAR_COUNT_KEY = 'turn';

/** What is kept, if it may still be shown; otherwise it is gone after this look. */
export async function readOfflineRecord(): Promise<OfflineRecord | null> {
  const owner = getOfflineOwner();
  const now = systemNow().getTime();
  return withStore(async (store) => {
    const record = await requestResult<OfflineRecord | undefined>(store.get(SNAPSHOT_KEY));
    if (!record) return null;
    if (!isRecordValid(record, now, owner)) {
      await clearStore(store);
      return null;
    }
    store.put({ ...record, seenAt: Math.max(now, record.seenAt) }, SNAPSHOT_KEY);
    return record;
  });
}

/** Names the time before which nothing was wiped; `keepBook` wants it back. */
export const getClearCount = (): Promise<number> => withStore(readClearCount);

/** False where it was wiped since, or where the device is not the tutor's own any more. */
export async function saveOfflineSnapshot(
  snapshot: OfflineSnapshot,
  clearCount: number,
): Promise<boolean> {
  const now = systemNow().getTime();
  const keptUntil = now + OFFLINE_TTL_MS;
  return withStore(async (store) => {
    if ((await readClearCount(store)) !== clearCount || getOfflineOwner() !== snapshot.owner)
      return false;
    store.put(
      { snapshot, savedAt: now, expiresAt: keptUntil, seenAt: now } satisfies OfflineRecord,
      SNAPSHOT_KEY,
    );
    return true;
  });
}

/** A shelf that cannot be emptied is thrown away, and the device is nobody's own, so that nothing on it is shown. */
export async function clearOfflineStore(): Promise<void> {
  try {
    await withStore(clearStore);
  } catch {
    setOfflineOwner(null);
    // Some browsers have no such shelf at all, and then nothing lies on it.
    if (typeof indexedDB !== 'undefined') indexedDB.deleteDatabase(DATABASE);
  }
}

/** The device is nobody's own from here on. */
export async function disableOffline(): Promise<void> {
  setOfflineOwner(null);
  await clearOfflineStore();
}

async function clearStore(store: IDBObjectStore): Promise<void> {
  const clearCount = await readClearCount(store);
  store.delete(SNAPSHOT_KEY);
  store.put(clearCount + 1, CLEAR_COUNT_KEY);
}

const readClearCount = async (store: IDBObjectStore): Promise<number> =>
  (await requestResult<number | undefined>(store.get(CLEAR_COUNT_KEY))) ?? 0;

async function withStore<T>(work: (store: IDBObjectStore) => Promise<T>): Promise<T> {
  const openRequest = indexedDB.open(DATABASE, 1);
  openRequest.addEventListener('upgradeneeded', () => openRequest.result.createObjectStore(STORE));
  const database = await requestResult(openRequest);
  try {
    const transaction = database.transaction(STORE, 'readwrite', { durability: 'strict' });
    const done = new Promise<void>((resolve, reject) => {
      transaction.addEventListener('complete', () => resolve());
      transaction.addEventListener('abort', () => reject(transaction.error));
    });
    const result = await work(transaction.objectStore(STORE));
    await done;
    return result;
  } finally {
    database.close();
  }
}

const requestResult = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error));
  });
