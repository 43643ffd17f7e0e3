import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type Postgres, startPostgres } from '@lessonbook/stage/postgres';
import { CI_SLOWDOWN } from '@lessonbook/stage/slow-machine';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { stateBefore } from './upgrade/history.ts';
import { rehearseLastUpgrade } from './upgrade/last-upgrade.ts';
import { rehearseUpgrade } from './upgrade/rehearse.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const before = stateBefore(root);
if (!before)
  console.warn('SKIPPED: no history, so the server before the newest migration is not known');

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

test.skipIf(!before)(
  'the server before the newest migration serves while the schema changes and the new server takes over',
  async () => {
    const outcome = await rehearseLastUpgrade(
      root,
      before as never,
      postgres.adminUrl,
      1_000,
      CI_SLOWDOWN,
    );
    console.log(
      `upgrade: ${outcome.requests} requests over ${outcome.applied.join(', ')}, the longest took ${Math.round(outcome.longestMs)} ms`,
    );
    expect(outcome.failures).toEqual([]);
    expect(outcome.faults).toBe(0);
    expect(outcome.applied).toEqual(before?.newFiles);
    expect(outcome.requests).toBeGreaterThan(100);
  },
  600_000,
);

describe('what the rehearsal must notice', () => {
  test.each([
    [
      // Longer than two and a half times what the longest answer takes on a slow machine.
      'a lock that shuts everybody out for five seconds',
      'lock table sessions in access exclusive mode; select pg_sleep(5);',
      /\d{4} ms/,
    ],
    [
      'a column that the running server still writes',
      'alter table lessons drop column place;',
      /POST \/api\/lessons: 500/,
    ],
  ])(
    '%s',
    async (_, planted, words) => {
      const folder = mkdtempSync(join(tmpdir(), 'lessonbook-planted-'));
      try {
        cpSync(join(root, 'apps/server/migrations'), folder, { recursive: true });
        writeFileSync(join(folder, '9999_planted.sql'), planted);
        const outcome = await rehearseUpgrade({
          adminUrl: postgres.adminUrl,
          oldRoot: root,
          files: pathToFileURL(`${folder}/`),
          withLogins: true,
          ms: 700,
        });
        expect(outcome.applied).toEqual(['9999_planted.sql']);
        expect(outcome.failures.join('\n')).toMatch(words);
      } finally {
        rmSync(folder, { recursive: true });
      }
    },
    600_000,
  );
});
