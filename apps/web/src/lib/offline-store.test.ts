import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import { offlineSnapshot } from '../test/offline-fixtures.ts';
import { setOfflineOwner } from './offline-owner.ts';
import {
  clearOfflineStore,
  getClearCount,
  readOfflineRecord,
  saveOfflineSnapshot,
} from './offline-store.ts';

const SYNC = new Date('2026-11-17T14:05:00Z').getTime();
const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The device's clock alone; what waits for the storage must go on. */
const setClock = (time: number) => vi.setSystemTime(time);

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  setClock(SYNC);
  await clearOfflineStore();
  setOfflineOwner(offlineSnapshot().owner);
  if (!(await saveOfflineSnapshot(offlineSnapshot(), await getClearCount())))
    throw new Error('Nothing was kept');
});

const isThere = async () => (await readOfflineRecord()) !== null;

/** Past every check of ours: what really lies in the browser. */
async function onDisk(): Promise<string> {
  const opening = indexedDB.open('lessonbook-offline', 1);
  const database = await new Promise<IDBDatabase>((resolve) => {
    opening.addEventListener('success', () => resolve(opening.result));
  });
  const all = database.transaction('kept').objectStore('kept').getAll();
  await new Promise((resolve) => all.addEventListener('success', resolve));
  database.close();
  return JSON.stringify(all.result);
}

test('what was kept is read back, up to seven days after', async () => {
  expect((await readOfflineRecord())?.snapshot).toEqual(offlineSnapshot());
  setClock(SYNC + 7 * DAY);
  expect(await isThere()).toBe(true);
});

test('after seven days it is not shown and not there, also when the clock is put back afterwards', async () => {
  setClock(SYNC + 7 * DAY + 1);
  expect(await isThere()).toBe(false);
  expect(await onDisk()).not.toContain('Maya');
  setClock(SYNC + HOUR);
  expect(await isThere()).toBe(false);
});

test('each sync counts the seven days anew', async () => {
  setClock(SYNC + 5 * DAY);
  await saveOfflineSnapshot(offlineSnapshot(), await getClearCount());
  setClock(SYNC + 11 * DAY);
  expect(await isThere()).toBe(true);
});

test('a clock that went back before the sync ends it, one that was put right by a little does not', async () => {
  setClock(SYNC - 60_000);
  expect(await isThere()).toBe(true);
  setClock(SYNC - 10 * 60_000);
  expect(await isThere()).toBe(false);
  expect(await onDisk()).not.toContain('Maya');
});

test('time does not go back behind the last look either', async () => {
  setClock(SYNC + 6 * DAY);
  expect(await isThere()).toBe(true);
  setClock(SYNC + DAY);
  expect(await isThere()).toBe(false);
});

test.each([
  ['another tutor’s device', 'tutor-2'],
  ['nobody’s own device', null],
])('on %s it is not shown and goes', async (_whose, owner) => {
  setOfflineOwner(owner);
  expect(await isThere()).toBe(false);
  expect(await onDisk()).not.toContain('Maya');
});

test('an answer that was asked for before a wiping is not put back after it', async () => {
  const turn = await getClearCount();
  await clearOfflineStore();
  expect(await saveOfflineSnapshot(offlineSnapshot(), turn)).toBe(false);
  expect(await isThere()).toBe(false);
  expect(await onDisk()).not.toContain('Maya');
});

test('a device that was switched off while the answer came keeps nothing', async () => {
  await clearOfflineStore();
  const turn = await getClearCount();
  setOfflineOwner(null);
  expect(await saveOfflineSnapshot(offlineSnapshot(), turn)).toBe(false);
});

test('where the storage is closed, wiping closes the device instead', async () => {
  vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new DOMException('No', 'SecurityError');
  });
  await clearOfflineStore();
  vi.restoreAllMocks();
  expect(localStorage.getItem('lessonbook-own-device')).toBeNull();
  expect(await isThere()).toBe(false);
});
