import { OfflineBook, offline } from '@lessonbook/contract/offline';
import { rightNow } from '@lessonbook/contract/time';
import { ApiError, call } from '../../lib/http.ts';
import {
  keepBook,
  readKeptBook,
  stopKeeping,
  turnOfShelf,
  wipeKeptBook,
} from '../../lib/kept-book.ts';
import { ownerOfDevice } from '../../lib/own-device.ts';

/** What changed may wait so long; a phone's battery matters more than the last three minutes. */
const PAUSE_MS = 3 * 60_000;
/** What has not changed is kept anew this often, so that the seven days count from the last time the server was there. */
const RENEW_MS = 60 * 60_000;

interface Reader {
  id: string;
  revision: number;
  today: string;
}

/** After every answer about who is signed in: brings what is kept in step, and throws out what is another's. */
export async function keepInStep(reader: Reader): Promise<void> {
  const owner = ownerOfDevice();
  if (owner === null) return;
  if (owner !== reader.id) {
    await stopKeeping();
    return;
  }
  const kept = await readKeptBook();
  if (kept) {
    const age = rightNow().getTime() - kept.keptAt;
    const { revision, from } = kept.book;
    const changed = revision !== reader.revision || from !== reader.today;
    if (age < (changed ? PAUSE_MS : RENEW_MS)) return;
  }
  await keepNow(reader.id);
}

/** Without an answer what is kept stays, and its time runs; a refusal ends it. */
async function keepNow(id: string): Promise<void> {
  const turn = await turnOfShelf();
  try {
    // Cut to the contract here too: a server of tomorrow may say more than this version knows to be harmless.
    const book = OfflineBook.parse(await call(offline.offlineBook));
    if (book.owner === id) await keepBook(book, turn);
    else await wipeKeptBook();
  } catch (problem) {
    if (problem instanceof ApiError && problem.status === 401) await wipeKeptBook();
  }
}
