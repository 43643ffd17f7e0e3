import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import { getOfflineOwner, setOfflineOwner } from '../../lib/offline-owner.ts';
import { clearOfflineStore, readOfflineRecord } from '../../lib/offline-store.ts';
import { json, mockApi, unauthenticated } from '../../test/mock-api.ts';
import { offlineSnapshot } from '../../test/offline-fixtures.ts';
import { ada } from '../../test/user-fixtures.ts';
import { syncSnapshot } from './sync-snapshot.ts';

const BOOK = 'GET /api/offline-book';
const reader = { id: ada.id, revision: 1, today: '2026-11-17' };

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  await clearOfflineStore();
  setOfflineOwner(ada.id);
});

async function lookAt(time: string, change: Partial<typeof reader> = {}) {
  vi.setSystemTime(`2026-11-17T${time}Z`);
  await syncSnapshot({ ...reader, ...change });
}

test('what is kept follows the book, but not more often than every three minutes, and is renewed each hour', async () => {
  const server = mockApi({ [BOOK]: () => json(200, offlineSnapshot()) });
  await lookAt('15:30:00');
  expect(server.count(BOOK)).toBe(1);
  await lookAt('15:40:00');
  expect(server.count(BOOK)).toBe(1);

  server.answers[BOOK] = () => json(200, offlineSnapshot({ revision: 2 }));
  await lookAt('16:29:00', { revision: 2 });
  expect(server.count(BOOK)).toBe(2);
  server.answers[BOOK] = () => json(200, offlineSnapshot({ revision: 3 }));
  await lookAt('16:31:00', { revision: 3 });
  expect(server.count(BOOK)).toBe(2);
  await lookAt('16:32:00', { revision: 3 });
  expect(server.count(BOOK)).toBe(3);
  await lookAt('17:31:00', { revision: 3 });
  expect(server.count(BOOK)).toBe(3);
  await lookAt('17:32:00', { revision: 3 });
  expect(server.count(BOOK)).toBe(4);
});

test('on a device that nobody called their own nothing is asked for', async () => {
  setOfflineOwner(null);
  const server = mockApi({ [BOOK]: () => json(200, offlineSnapshot()) });
  await lookAt('15:30:00');
  expect(server.count(BOOK)).toBe(0);
});

test('without an answer what is kept stays with its own time; a refusal ends it', async () => {
  const server = mockApi({ [BOOK]: () => json(200, offlineSnapshot()) });
  await lookAt('15:30:00');
  const first = await readOfflineRecord();
  delete server.answers[BOOK];
  await lookAt('17:00:00');
  expect((await readOfflineRecord())?.expiresAt).toBe(first?.expiresAt);
  server.answers[BOOK] = unauthenticated;
  await lookAt('17:10:00');
  expect(await readOfflineRecord()).toBeNull();
});

test('an answer about somebody else is not kept, and ends what was', async () => {
  const server = mockApi({ [BOOK]: () => json(200, offlineSnapshot()) });
  await lookAt('15:30:00');
  server.answers[BOOK] = () => json(200, offlineSnapshot({ owner: 'tutor-2' }));
  await lookAt('17:00:00');
  expect(await readOfflineRecord()).toBeNull();
  expect(getOfflineOwner()).toBe(ada.id);
});
