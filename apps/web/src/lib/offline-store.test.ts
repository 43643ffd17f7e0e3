import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import { offlineSnapshot } from '../test/user-fixtures.ts';
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

/** Fakes only the date; the storage needs real timers. */
const setClock = (time: number) => vi.setSystemTime(time);

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  setClock(SYNC);
  await clearOfflineStore();
  setOfflineOwner(offlineSnapshot().owner);
  if (!(await saveOfflineSnapshot(offlineSnapshot(), await getClearCount())))
    throw new Error('The snapshot was not saved');
});

const isReadable = async () => (await readOfflineRecord()) !== null;

/** Reads the raw database, without our own checks. */
async function readRawStore(): Promise<string> {
  const openRequest = indexedDB.open('lessonbook-offline', 1);
  const database = await new Promise<IDBDatabase>((resolve) => {
    openRequest.addEventListener('success', () => resolve(openRequest.result));
  });
  const all = database.transaction('records').objectStore('records').getAll();
  await new Promise((resolve) => all.addEventListener('success', resolve));
  database.close();
  return JSON.stringify(all.result);
}

test('a saved snapshot can be read for up to seven days', async () => {
  expect((await readOfflineRecord())?.snapshot).toEqual(offlineSnapshot());
  setClock(SYNC + 7 * DAY);
  expect(await isReadable()).toBe(true);
});

test('after seven days the snapshot is deleted, even if the clock is set back afterwards', async () => {
  setClock(SYNC + 7 * DAY + 1);
  expect(await isReadable()).toBe(false);
  expect(await readRawStore()).not.toContain('Maya');
  setClock(SYNC + HOUR);
  expect(await isReadable()).toBe(false);
});

test('each sync restarts the seven days', async () => {
  setClock(SYNC + 5 * DAY);
  await saveOfflineSnapshot(offlineSnapshot(), await getClearCount());
  setClock(SYNC + 11 * DAY);
  expect(await isReadable()).toBe(true);
});

test('setting the clock back to before the sync deletes the snapshot, but a small correction does not', async () => {
  setClock(SYNC - 60_000);
  expect(await isReadable()).toBe(true);
  setClock(SYNC - 10 * 60_000);
  expect(await isReadable()).toBe(false);
  expect(await readRawStore()).not.toContain('Maya');
});

test('setting the clock back to before the last read deletes the snapshot', async () => {
  setClock(SYNC + 6 * DAY);
  expect(await isReadable()).toBe(true);
  setClock(SYNC + DAY);
  expect(await isReadable()).toBe(false);
});

test.each([
  ['another tutor’s device', 'tutor-2'],
  ['a device without an owner', null],
])('on %s the snapshot cannot be read and is deleted', async (_, owner) => {
  setOfflineOwner(owner);
  expect(await isReadable()).toBe(false);
  expect(await readRawStore()).not.toContain('Maya');
});

test('a snapshot requested before the store was cleared is not saved afterwards', async () => {
  const clearCount = await getClearCount();
  await clearOfflineStore();
  expect(await saveOfflineSnapshot(offlineSnapshot(), clearCount)).toBe(false);
  expect(await isReadable()).toBe(false);
  expect(await readRawStore()).not.toContain('Maya');
});

test('a snapshot is not saved if offline reading was disabled during the request', async () => {
  await clearOfflineStore();
  const clearCount = await getClearCount();
  setOfflineOwner(null);
  expect(await saveOfflineSnapshot(offlineSnapshot(), clearCount)).toBe(false);
});

test('when storage is not accessible, clearing removes the owner instead', async () => {
  vi.spyOn(indexedDB, 'open').mockImplementation(() => {
    throw new DOMException('No', 'SecurityError');
  });
  await clearOfflineStore();
  vi.restoreAllMocks();
  expect(localStorage.getItem('lessonbook-own-device')).toBeNull();
  expect(await isReadable()).toBe(false);
});
