import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { CI_SLOWDOWN } from '@lessonbook/test-env/ci-slowdown';
import { type Postgres, startPostgres } from '@lessonbook/test-env/postgres';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  AT_BASELINE,
  findCommitBefore,
  findPreviousVersion,
  NO_HISTORY,
} from './upgrade-test/find-previous-version.ts';
import {
  findChangedReplies,
  runLastUpgrade,
  runUpgrade,
  type UpgradeOutcome,
} from './upgrade-test/run-upgrade.ts';
import { compareReplies } from './upgrade-test/seed-and-compare-replies.ts';

const root = fileURLToPath(new URL('../', import.meta.url));
const previousVersion = findPreviousVersion(root);
const isUpgrade = !('reason' in previousVersion);
if (!isUpgrade) console.warn(`SKIPPED: ${previousVersion.reason}`);

let postgres: Postgres;
beforeAll(async () => {
  postgres = await startPostgres();
});
afterAll(() => postgres.stop());

test.skipIf(!isUpgrade)(
  'the previous server keeps responding while the newest migrations run, until the new server takes over',
  async () => {
    const outcome = await runLastUpgrade(
      root,
      previousVersion as never,
      postgres.adminUrl,
      1_000,
      CI_SLOWDOWN,
    );
    console.log(
      `upgrade: ${outcome.requests} requests during ${outcome.applied.join(', ')}, the longest took ${Math.round(outcome.longestMs)} ms`,
    );
    expect(outcome.failures).toEqual([]);
    expect(outcome.violationCount).toBe(0);
    expect(outcome.applied).toEqual(isUpgrade && previousVersion.newFiles);
    expect(outcome.requests).toBeGreaterThan(100);
  },
  600_000,
);

/** Since F88, students who pay for themselves are not named on their own payment page. */
const ADULT_STUDENT_NAME =
  /^tutor \d payment page of family \d+\.lines\[\d+\]\.studentName: ".+" became null$/;

/** The label of a reversed entry was renamed. */
const REVERSED_LABEL = /\.description: "Taken back(.*)" became "Reversed\1"$/;

/** Names are joined with "and". */
const NAMES_OF_CHILDREN =
  /^tutor \d \/api\/people\?kind=carer\[\d+\]\.about: "(.*), (.*)" became "\1 and \2"$/;

const beforeContacts = findCommitBefore(root, '0017_contacts_and_payers.sql');
test.skipIf(beforeContacts === null)(
  'balances, accounts, invoices, students and lessons are unchanged after carers became contacts',
  async () => {
    const { replyCount, differences, violationCount } = await findChangedReplies(
      root,
      beforeContacts as string,
      postgres.adminUrl,
    );
    console.log(`upgrade: ${replyCount} replies compared`);
    const isIntended = (difference: string) =>
      [ADULT_STUDENT_NAME, REVERSED_LABEL, NAMES_OF_CHILDREN].some((text) => text.test(difference));
    expect(differences.filter((difference) => !isIntended(difference))).toEqual([]);
    expect(violationCount).toBe(0);
    expect(replyCount).toBeGreaterThan(60);
  },
  600_000,
);

test('compareReplies finds changed, missing and removed values, but not added fields', () => {
  const before = new Map<string, unknown>([
    ['/a', { owed: 1, lines: [{ id: 1 }] }],
    ['/b', []],
  ]);
  expect(
    compareReplies(
      before,
      new Map<string, unknown>([
        ['/a', { owed: 1, lines: [{ id: 1, added: true }], other: 2 }],
        ['/b', []],
      ]),
    ),
  ).toEqual([]);
  expect(
    compareReplies(
      before,
      new Map<string, unknown>([
        ['/a', { owed: 2, lines: [] }],
        ['/b', [1]],
      ]),
    ),
  ).toEqual(['/a.owed: 1 became 2', '/a.lines: 1 items became 0', '/b: 0 items became 1']);
});

/** Runs the current server while one additional migration is applied. */
async function runWithMigration(sql: string, newRoot?: string): Promise<UpgradeOutcome> {
  const folder = mkdtempSync(join(tmpdir(), 'lessonbook-planted-'));
  try {
    cpSync(join(root, 'apps/server/migrations'), folder, { recursive: true });
    writeFileSync(join(folder, '9999_planted.sql'), sql);
    return await runUpgrade({
      adminUrl: postgres.adminUrl,
      oldRoot: root,
      // A failure must be detected with the strict limit; a success may use the CI limit.
      ...(newRoot === undefined ? {} : { newRoot, slowdown: CI_SLOWDOWN }),
      migrationsFolder: pathToFileURL(`${folder}/`),
      ms: 700,
    });
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test('a valid migration passes, and the new server takes over', async () => {
  const outcome = await runWithMigration('alter table lessons add column room text;', root);
  expect(outcome.failures).toEqual([]);
  expect(outcome.violationCount).toBe(0);
  expect(outcome.applied).toEqual(['9999_planted.sql']);
  expect(outcome.requests).toBeGreaterThan(100);
}, 600_000);

describe('findPreviousVersion', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'lessonbook-history-'));
    mkdirSync(join(folder, 'apps/server/migrations'), { recursive: true });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const git = (...args: string[]) =>
    execFileSync(
      'git',
      ['-C', folder, '-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args],
      {
        encoding: 'utf8',
      },
    ).trim();
  const add = (name: string) => writeFileSync(join(folder, 'apps/server/migrations', name), '-- x');
  const commit = () => {
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', '--message', 'x');
    return git('rev-parse', 'HEAD');
  };

  test('returns the commit before the newest migration, or none at the baseline or without history', () => {
    add('0008_audit.sql');
    expect(findPreviousVersion(folder)).toEqual(AT_BASELINE);
    add('0009_rooms.sql');
    expect(findPreviousVersion(folder)).toEqual(NO_HISTORY);
    rmSync(join(folder, 'apps/server/migrations/0009_rooms.sql'));
    git('init', '--quiet');
    const baseline = commit();
    expect(findPreviousVersion(folder)).toEqual(AT_BASELINE);
    add('0009_rooms.sql');
    expect(findPreviousVersion(folder)).toEqual({ commit: baseline, newFiles: ['0009_rooms.sql'] });
    commit();
    const last = commit();
    expect(findPreviousVersion(folder)).toEqual({ commit: baseline, newFiles: ['0009_rooms.sql'] });
    add('0010_tables.sql');
    expect(findPreviousVersion(folder)).toEqual({ commit: last, newFiles: ['0010_tables.sql'] });
    commit();
    expect(findPreviousVersion(folder)).toEqual({ commit: last, newFiles: ['0010_tables.sql'] });
  });

  test('returns none for a schema that the baseline replaced', () => {
    add('0001_core.sql');
    add('0011_chairs.sql');
    expect(findPreviousVersion(folder)).toEqual(AT_BASELINE);
  });
});

describe('runUpgrade detects', () => {
  test.each([
    [
      // This is more than 2.5 times the longest response on a slow machine.
      'a lock that blocks all requests for five seconds',
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
    async (_, planted, failure) => {
      const outcome = await runWithMigration(planted);
      expect(outcome.applied).toEqual(['9999_planted.sql']);
      expect(outcome.failures.join('\n')).toMatch(failure);
    },
    600_000,
  );
});
