import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { checkMigrations, lintSql } from './migration-lint/check-migrations.ts';

const rules = (sql: string) => lintSql(sql).map(({ rule }) => rule);

test.each([
  [
    'an index that blocks writes',
    'create index i on lessons (tutor_id, title);',
    'require-concurrent-index-creation',
  ],
  [
    'a default that rewrites the table',
    'alter table lessons add column seen timestamptz default clock_timestamp();',
    'adding-field-with-default',
  ],
  [
    'a column that the running server does not fill',
    'alter table lessons add column room text not null;',
    'adding-required-field',
  ],
  [
    'a not-null constraint that scans the table',
    'alter table lessons alter column place set not null;',
    'adding-not-nullable-field',
  ],
  ['a type change', 'alter table lessons alter column fee type bigint;', 'changing-column-type'],
  [
    'a foreign key validated under the lock',
    'alter table lessons add foreign key (tutor_id, student_id) references students;',
    'adding-foreign-key-constraint',
  ],
  [
    'a check constraint validated under the lock',
    'alter table lessons add constraint c check (fee > 0);',
    'constraint-missing-not-valid',
  ],
  [
    'a unique constraint',
    'alter table lessons add unique (tutor_id, title);',
    'disallowed-unique-constraint',
  ],
  ['a column that is still read', 'alter table lessons drop column place;', 'ban-drop-column'],
  ['a table that is still read', 'drop table time_off;', 'ban-drop-table'],
  ['a renamed column', 'alter table lessons rename column place to room;', 'renaming-column'],
  ['a renamed table', 'alter table lessons rename to classes;', 'renaming-table'],
  [
    'an index dropped under the lock',
    'drop index lessons_student_idx;',
    'require-concurrent-index-deletion',
  ],
  [
    'a concurrent index inside a transaction',
    'create index concurrently i on lessons (tutor_id);',
    'concurrently-needs-no-transaction',
  ],
  [
    'two existing tables in one file',
    'alter table lessons add column a text;\nalter table sessions add column a text;',
    'one-table-per-file',
  ],
  [
    'a backfill under the lock',
    'alter table lessons add column a text;\nupdate lessons set a = place;',
    'separate-backfill',
  ],
  ['truncate', 'truncate lessons;', 'heavy-lock'],
  ['an explicit lock', 'LOCK TABLE lessons IN ACCESS EXCLUSIVE MODE;', 'heavy-lock'],
  ['a custom lock timeout', `set lock_timeout = '1h';`, 'no-lock-timeout'],
  [
    'two statements without a transaction',
    '-- no-transaction\ncreate index concurrently i on lessons (tutor_id);\nselect 1;',
    'one-statement-without-transaction',
  ],
  [
    'DDL in a do block',
    `do $$ begin execute 'alter table lessons drop column place'; end $$;`,
    'no-hidden-ddl',
  ],
  [
    'DDL in a do block without quotes',
    'do $$ begin alter table lessons drop column place; end $$;',
    'no-hidden-ddl',
  ],
  [
    'an exception without a reason',
    '\n-- squawk-ignore ban-drop-column\nalter table lessons drop column place;',
    'exception-needs-reason',
  ],
])('rejects %s', (_, sql, rule) => {
  expect(rules(sql)).toContain(rule);
});

test('accepts migrations that do not block a running server', () => {
  const tenants = readFileSync('apps/server/migrations/0008_audit.sql', 'utf8');
  const block = /do \$\$[^]*?\$\$;/.exec(tenants)?.[0] ?? '';
  expect(block).toContain('force row level security');
  expect(rules(block)).toEqual([]);
  expect(
    rules(`create table rooms (tutor_id uuid not null references tutors on delete cascade, id integer not null,
      name text not null, primary key (tutor_id, id));
      create index rooms_by_name on rooms (tutor_id, name); -- it is empty: alter table lessons drop column place;
      alter table rooms enable row level security;
      alter table lessons add column room_id integer;
      alter table lessons add constraint lessons_room foreign key (tutor_id, room_id) references rooms not valid;`),
  ).toEqual([]);
  expect(rules('alter table lessons validate constraint lessons_room;')).toEqual([]);
  expect(rules(`alter table lessons add column kind text not null default 'single';`)).toEqual([]);
  expect(
    rules(
      '-- no-transaction\ncreate index concurrently lessons_of_room on lessons (tutor_id, room_id);',
    ),
  ).toEqual([]);
  expect(
    rules(`-- No release since 0014 reads it: the contract step of docs/decisions/0042.
-- squawk-ignore ban-drop-column
alter table lessons drop column place;`),
  ).toEqual([]);
});

test('a migration that requires the servers to be stopped may lock and replace tables if it gives a reason', () => {
  const changes = 'alter table lessons drop column place;\nalter table students rename to pupils;';
  const reason = '-- The previous release reads the columns that this file replaces.';
  expect(rules(`-- needs-stop\n${reason}\n${changes}`)).toEqual([]);
  expect(rules(`-- needs-stop\n${changes}`)).toEqual(['stop-needs-reason']);
  expect(
    rules(`-- needs-stop\n${reason}\ndo $$ begin execute 'drop table lessons'; end $$;`),
  ).toEqual(['no-hidden-ddl']);
});

test('reports the file and line of every finding', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lessonbook-migrations-'));
  try {
    writeFileSync(join(folder, '0001_first.sql'), 'create table planted (id integer);');
    expect(checkMigrations(folder)).toEqual([]);
    writeFileSync(
      join(folder, '0002_second.sql'),
      '-- A comment\n\ndrop table lessons;\ntruncate sessions;',
    );
    expect(
      checkMigrations(folder).map(({ file, line, rule }) => `${file}:${line} ${rule}`),
    ).toEqual(['0002_second.sql:3 ban-drop-table', '0002_second.sql:4 heavy-lock']);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the migrations in this repository pass', () => {
  expect(checkMigrations('apps/server/migrations')).toEqual([]);
});
