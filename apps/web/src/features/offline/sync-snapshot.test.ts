import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import { getOfflineOwner, setOfflineOwner } from '../../lib/offline-owner.ts';
import { clearOfflineStore, readOfflineRecord } from '../../lib/offline-store.ts';
import { json, mockApi, unauthenticated } from '../../test/mock-api.ts';
import { ada, offlineSnapshot } from '../../test/user-fixtures.ts';
import { syncSnapshot } from './sync-snapshot.ts';

const SNAPSHOT = 'GET /api/offline-snapshot';
const user = { id: ada.id, revision: 1, today: '2026-11-17' };

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  await clearOfflineStore();
  setOfflineOwner(ada.id);
});

async function syncAt(time: string, overrides: Partial<typeof user> = {}) {
  vi.setSystemTime(`2026-11-17T${time}Z`);
  await syncSnapshot({ ...user, ...overrides });
}

test('syncs a new revision at most every three minutes and an unchanged one every hour', async () => {
  const server = mockApi({ [SNAPSHOT]: () => json(200, offlineSnapshot()) });
  await syncAt('15:30:00');
  expect(server.count(SNAPSHOT)).toBe(1);
  await syncAt('15:40:00');
  expect(server.count(SNAPSHOT)).toBe(1);

  server.handlers[SNAPSHOT] = () => json(200, offlineSnapshot({ revision: 2 }));
  await syncAt('16:29:00', { revision: 2 });
  expect(server.count(SNAPSHOT)).toBe(2);
  server.handlers[SNAPSHOT] = () => json(200, offlineSnapshot({ revision: 3 }));
  await syncAt('16:31:00', { revision: 3 });
  expect(server.count(SNAPSHOT)).toBe(2);
  await syncAt('16:32:00', { revision: 3 });
  expect(server.count(SNAPSHOT)).toBe(3);
  await syncAt('17:31:00', { revision: 3 });
  expect(server.count(SNAPSHOT)).toBe(3);
  await syncAt('17:32:00', { revision: 3 });
  expect(server.count(SNAPSHOT)).toBe(4);
});

test('requests nothing when offline data is not enabled', async () => {
  setOfflineOwner(null);
  const server = mockApi({ [SNAPSHOT]: () => json(200, offlineSnapshot()) });
  await syncAt('15:30:00');
  expect(server.count(SNAPSHOT)).toBe(0);
});

test('without a response, keeps the snapshot and its expiry; on a 401, clears it', async () => {
  const server = mockApi({ [SNAPSHOT]: () => json(200, offlineSnapshot()) });
  await syncAt('15:30:00');
  const first = await readOfflineRecord();
  delete server.handlers[SNAPSHOT];
  await syncAt('17:00:00');
  expect((await readOfflineRecord())?.expiresAt).toBe(first?.expiresAt);
  server.handlers[SNAPSHOT] = unauthenticated;
  await syncAt('17:10:00');
  expect(await readOfflineRecord()).toBeNull();
});

test('clears the snapshot when the response belongs to another tutor', async () => {
  const server = mockApi({ [SNAPSHOT]: () => json(200, offlineSnapshot()) });
  await syncAt('15:30:00');
  server.handlers[SNAPSHOT] = () => json(200, offlineSnapshot({ owner: 'tutor-2' }));
  await syncAt('17:00:00');
  expect(await readOfflineRecord()).toBeNull();
  expect(getOfflineOwner()).toBe(ada.id);
});
