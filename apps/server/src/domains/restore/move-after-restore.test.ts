import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createSmallTutor,
  killMoveAfter,
  listStudentNames,
  runMove,
  type SmallTutor,
  startInstallation,
  statusAt,
} from '../../test/move-tutor-test-support.ts';
import type { TestApp } from '../../test/test-app.ts';
import { finishMove, rollBackMove } from './service/move-tutor.ts';

/* The SQL in docs/operating/restore.md, for an installation that was restored to a time before a move. */

const page = readFileSync(
  new URL('../../../../../docs/operating/restore.md', import.meta.url),
  'utf8',
);
const section = page.slice(page.indexOf('### Tutors who have moved'));
const [listMoves = '', listUndecided = '', listReturned = '', serveAgain = ''] = [
  ...section.matchAll(/```sql\n(.*?)```/gs),
].map(([, sql]) => sql);

let restored: TestApp;
let other: TestApp;

beforeAll(async () => {
  restored = await startInstallation('restored');
  other = await startInstallation('other');
});
afterAll(async () => {
  await restored.close();
  await other.close();
});

const statuses = ({ browser }: SmallTutor) =>
  Promise.all([restored, other].map((app) => statusAt(browser, app)));

/** The rows of the source stay until the move is finished, so this is its state before the move. */
const forgetMove = (tutorId: string) =>
  restored.admin.query('delete from tutor_moves where tutor_id = $1', [tutorId]);

async function markMovedTutors(): Promise<void> {
  const { rows } = await other.admin.query<{ format: string }>(listMoves);
  for (const { format } of rows) await restored.admin.query(format);
}

async function listUndecidedTutors(): Promise<string[]> {
  const { rows } = await restored.admin.query<{ tutor_id: string }>(listUndecided);
  return rows.map((row) => row.tutor_id);
}

test('a tutor who moved away after the backup is served by the other installation only', async () => {
  const tutor = await createSmallTutor(restored);
  const { username } = tutor.input;
  await runMove(restored, other, username);
  await forgetMove(tutor.id);
  expect(await statuses(tutor)).toEqual([200, 200]);
  await markMovedTutors();
  await markMovedTutors();
  expect(await statuses(tutor)).toEqual([503, 200]);
  expect(await listUndecidedTutors()).toEqual([]);
  await runMove(restored, other, username);
  await runMove(restored, other, username, { command: finishMove });
  expect(await statuses(tutor)).toEqual([401, 200]);
});

test.each(['copied', 'moved'] as const)(
  'a move that was interrupted after "%s" can be undone or started again',
  async (step) => {
    const tutor = await createSmallTutor(restored);
    const { username } = tutor.input;
    await killMoveAfter(restored, other, username, step);
    await forgetMove(tutor.id);
    await markMovedTutors();
    expect(await listUndecidedTutors()).toEqual([tutor.id]);
    await runMove(restored, other, username, { command: rollBackMove });
    expect(await statuses(tutor)).toEqual([200, 401]);
    await runMove(restored, other, username);
    expect(await statuses(tutor)).toEqual([503, 200]);
  },
);

test('a tutor who moved to the restored installation after the backup is found and served again', async () => {
  const tutor = await createSmallTutor(other);
  const { username } = tutor.input;
  await runMove(other, restored, username);
  await restored.admin.query('delete from tutors where tutor_id = $1', [tutor.id]);
  await forgetMove(tutor.id);
  expect(await statuses(tutor)).toEqual([401, 503]);
  await markMovedTutors();
  const { origin } = restored.context.config;
  const list = listReturned.replace('https://restored.example', origin);
  const { rows } = await other.admin.query(list);
  expect(rows).toEqual([{ tutor_id: tutor.id, state: 'moved' }]);
  await expect(runMove(other, restored, username)).rejects.toThrow(/not with a move/);
  await other.admin.query(serveAgain.replace('…', tutor.id));
  expect(await statuses(tutor)).toEqual([401, 200]);
  expect(await listStudentNames(other, tutor.id)).toEqual(['Maya']);
});
