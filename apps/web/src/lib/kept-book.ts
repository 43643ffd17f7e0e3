import type { OfflineBook } from '@lessonbook/contract/offline';
import { rightNow } from '@lessonbook/contract/time';
import { ownerOfDevice } from './own-device.ts';
import { setOwnerOfDevice } from './own-device-switch.ts';
import { isStillKept, KEPT_MS, type KeptBook } from './still-kept.ts';

/*
 * The one place where anything of a tutor's book lies in a browser: a named exception, described in
 * docs/security/offline-reading.md. Every change is one transaction, so that tabs cannot come between each other.
 */
const NAME = 'lessonbook-offline';
const SHELF = 'kept';
const BOOK = 'book';
/** Counts the wipings: an answer that was asked for before one must not be put back after it. */
const TURN = 'turn';

/** What is kept, if it may still be shown; otherwise it is gone after this look. */
export async function readKeptBook(): Promise<KeptBook | null> {
  const owner = ownerOfDevice();
  const now = rightNow().getTime();
  return onShelf(async (shelf) => {
    const kept = await answer<KeptBook | undefined>(shelf.get(BOOK));
    if (!kept) return null;
    if (!isStillKept(kept, now, owner)) {
      await clear(shelf);
      return null;
    }
    shelf.put({ ...kept, seenAt: Math.max(now, kept.seenAt) }, BOOK);
    return kept;
  });
}

/** Names the time before which nothing was wiped; `keepBook` wants it back. */
export const turnOfShelf = (): Promise<number> => onShelf(readTurn);

/** False where it was wiped since, or where the device is not the tutor's own any more. */
export async function keepBook(book: OfflineBook, turn: number): Promise<boolean> {
  const now = rightNow().getTime();
  const keptUntil = now + KEPT_MS;
  return onShelf(async (shelf) => {
    if ((await readTurn(shelf)) !== turn || ownerOfDevice() !== book.owner) return false;
    shelf.put({ book, keptAt: now, keptUntil, seenAt: now } satisfies KeptBook, BOOK);
    return true;
  });
}

/** A shelf that cannot be emptied is thrown away, and the device is nobody's own, so that nothing on it is shown. */
export async function wipeKeptBook(): Promise<void> {
  try {
    await onShelf(clear);
  } catch {
    setOwnerOfDevice(null);
    // Some browsers have no such shelf at all, and then nothing lies on it.
    if (typeof indexedDB !== 'undefined') indexedDB.deleteDatabase(NAME);
  }
}

/** The device is nobody's own from here on. */
export async function stopKeeping(): Promise<void> {
  setOwnerOfDevice(null);
  await wipeKeptBook();
}

async function clear(shelf: IDBObjectStore): Promise<void> {
  const turn = await readTurn(shelf);
  shelf.delete(BOOK);
  shelf.put(turn + 1, TURN);
}

const readTurn = async (shelf: IDBObjectStore): Promise<number> =>
  (await answer<number | undefined>(shelf.get(TURN))) ?? 0;

async function onShelf<T>(work: (shelf: IDBObjectStore) => Promise<T>): Promise<T> {
  const opening = indexedDB.open(NAME, 1);
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(SHELF));
  const database = await answer(opening);
  try {
    const transaction = database.transaction(SHELF, 'readwrite', { durability: 'strict' });
    const done = new Promise<void>((resolve, reject) => {
      transaction.addEventListener('complete', () => resolve());
      transaction.addEventListener('abort', () => reject(transaction.error));
    });
    const result = await work(transaction.objectStore(SHELF));
    await done;
    return result;
  } finally {
    database.close();
  }
}

const answer = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result));
    request.addEventListener('error', () => reject(request.error));
  });
