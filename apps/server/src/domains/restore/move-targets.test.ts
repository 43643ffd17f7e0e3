import { startTcpProxy, type TcpProxy } from '@lessonbook/test-env/tcp-proxy';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  createSmallTutor,
  killMoveAfter,
  listJobIds,
  listStudentNames,
  runMove,
  type SmallTutor,
  startInstallation,
  statusAt,
} from '../../test/move-tutor-test-support.ts';
import type { TestApp } from '../../test/test-app.ts';
import { finishMove, rollBackMove } from './service/move-tutor.ts';

/* Moves between three installations, and moves whose connections are lost. */

let first: TestApp;
let second: TestApp;
let third: TestApp;

beforeAll(async () => {
  first = await startInstallation('first');
  second = await startInstallation('second');
  third = await startInstallation('third');
});
afterAll(() => Promise.all([first, second, third].map((app) => app.close())));

const statuses = ({ browser }: SmallTutor) =>
  Promise.all([first, second, third].map((app) => statusAt(browser, app)));
const finish = { command: finishMove };
const rollBack = { command: rollBackMove };

describe('a move that began with one target', () => {
  test.each(['draining', 'copied'] as const)(
    'if killed after "%s", is not continued or rolled back with a different one',
    async (step) => {
      const tutor = await createSmallTutor(first);
      const { username } = tutor.input;
      await killMoveAfter(first, second, username, step);
      await expect(runMove(first, third, username)).rejects.toThrow(/goes to another installation/);
      await expect(runMove(first, third, username, rollBack)).rejects.toThrow(
        /goes to another installation/,
      );
      await runMove(first, second, username);
      expect(await statuses(tutor)).toEqual([503, 200, 401]);
    },
  );

  test('can begin with a different one once it has been rolled back', async () => {
    const tutor = await createSmallTutor(first);
    const { username } = tutor.input;
    await killMoveAfter(first, second, username, 'copied');
    await runMove(first, second, username, rollBack);
    await runMove(first, third, username);
    expect(await statuses(tutor)).toEqual([503, 401, 200]);
    await expect(runMove(first, second, username)).rejects.toThrow(/goes to another installation/);
  });
});

describe('the rows left on the source can be deleted', () => {
  test('after a move back was started and rolled back', async () => {
    for (const step of ['draining', 'copied'] as const) {
      const tutor = await createSmallTutor(first);
      const { username } = tutor.input;
      await runMove(first, second, username);
      await killMoveAfter(second, first, username, step);
      await runMove(second, first, username, rollBack);
      await runMove(first, second, username, finish);
      expect(await listStudentNames(first, tutor.id)).toEqual([]);
      expect(await statuses(tutor)).toEqual([401, 200, 401]);
    }
  });

  test('after the tutor has moved on, if the command names the installation that serves them', async () => {
    const tutor = await createSmallTutor(first);
    const { username } = tutor.input;
    await runMove(first, second, username);
    await runMove(second, third, username);
    await expect(runMove(first, second, username, finish)).rejects.toThrow(/does not serve/);
    await runMove(first, third, username, finish);
    expect(await listStudentNames(first, tutor.id)).toEqual([]);
    expect(await listStudentNames(second, tutor.id)).toEqual(['Maya']);
    await runMove(second, third, username, finish);
    expect(await statuses(tutor)).toEqual([401, 401, 200]);
  });
});

describe('a move that loses its connections', () => {
  let proxies: TcpProxy[];
  const portOf = ({ urls }: TestApp) => Number(new URL(urls.maintenanceUrl).port);
  beforeAll(async () => {
    proxies = [await startTcpProxy(portOf(first)), await startTcpProxy(portOf(second))];
  });
  afterAll(async () => {
    for (const proxy of proxies) proxy.thaw();
    await Promise.all(proxies.map((proxy) => proxy.close()));
  });

  test.each(['draining', 'copied'] as const)(
    'fails if this happens after "%s", and the next run completes it',
    async (step) => {
      const tutor = await createSmallTutor(first);
      const { username } = tutor.input;
      const jobs = await listJobIds(first, tutor.id);
      const lost = runMove(first, second, username, {
        proxies,
        onStep: (done) => {
          if (done === step) for (const proxy of proxies) proxy.freeze();
        },
      });
      await expect(lost).rejects.toThrow();
      await runMove(first, second, username);
      expect(await statuses(tutor)).toEqual([503, 200, 401]);
      expect(await listJobIds(second, tutor.id)).toEqual(jobs);
      for (const proxy of proxies) proxy.thaw();
    },
  );
});
