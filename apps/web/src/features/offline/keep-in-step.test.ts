import 'fake-indexeddb/auto';
import { beforeEach, expect, test, vi } from 'vitest';
import { readKeptBook, wipeKeptBook } from '../../lib/kept-book.ts';
import { ownerOfDevice } from '../../lib/own-device.ts';
import { setOwnerOfDevice } from '../../lib/own-device-switch.ts';
import { adasBook } from '../../test/offline.ts';
import { answerCalls, json, signedOut } from '../../test/responder.ts';
import { ada } from '../../test/users.ts';
import { keepInStep } from './api.ts';

const BOOK = 'GET /api/offline-book';
const reader = { id: ada.id, revision: 1, today: '2026-11-17' };

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  await wipeKeptBook();
  setOwnerOfDevice(ada.id);
});

async function lookAt(time: string, change: Partial<typeof reader> = {}) {
  vi.setSystemTime(`2026-11-17T${time}Z`);
  await keepInStep({ ...reader, ...change });
}

test('what is kept follows the book, but not more often than every three minutes, and is renewed each hour', async () => {
  const server = answerCalls({ [BOOK]: () => json(200, adasBook()) });
  await lookAt('15:30:00');
  expect(server.count(BOOK)).toBe(1);
  await lookAt('15:40:00');
  expect(server.count(BOOK)).toBe(1);

  server.answers[BOOK] = () => json(200, adasBook({ revision: 2 }));
  await lookAt('16:29:00', { revision: 2 });
  expect(server.count(BOOK)).toBe(2);
  server.answers[BOOK] = () => json(200, adasBook({ revision: 3 }));
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
  setOwnerOfDevice(null);
  const server = answerCalls({ [BOOK]: () => json(200, adasBook()) });
  await lookAt('15:30:00');
  expect(server.count(BOOK)).toBe(0);
});

test('without an answer what is kept stays with its own time; a refusal ends it', async () => {
  const server = answerCalls({ [BOOK]: () => json(200, adasBook()) });
  await lookAt('15:30:00');
  const first = await readKeptBook();
  delete server.answers[BOOK];
  await lookAt('17:00:00');
  expect((await readKeptBook())?.keptUntil).toBe(first?.keptUntil);
  server.answers[BOOK] = signedOut;
  await lookAt('17:10:00');
  expect(await readKeptBook()).toBeNull();
});

test('an answer about somebody else is not kept, and ends what was', async () => {
  const server = answerCalls({ [BOOK]: () => json(200, adasBook()) });
  await lookAt('15:30:00');
  server.answers[BOOK] = () => json(200, adasBook({ owner: 'tutor-2' }));
  await lookAt('17:00:00');
  expect(await readKeptBook()).toBeNull();
  expect(ownerOfDevice()).toBe(ada.id);
});
