import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { compiledQuery } from './compiled-query.ts';
import { Database, type Tx } from './database.ts';

/** Only builds queries; nothing is sent to a database. */
const tx = new Database(
  { connectionString: 'postgres://nobody@127.0.0.1:1/none' },
  { max: 1, onError: () => undefined },
).global;

const names = (db: Tx, tutorId: string, since: Date, limit: number) =>
  db
    .selectFrom('students')
    .where('tutor_id', '=', tutorId)
    .where('created_at', '>', sql<Date>`${since}::timestamptz`)
    .where('name', 'in', ['Maya', 'Noah'])
    .select('name')
    .limit(limit);

describe('compiledQuery', () => {
  test('returns the same statement as building it each time, with the values from each call', () => {
    const compiled = compiledQuery(names);
    const calls: [string, Date, number][] = [
      ['a', new Date(1), 5],
      ['b', new Date(2), 6],
      ['Maya', new Date(3), 7],
    ];
    for (const args of calls) {
      const { sql: text, parameters } = names(tx, ...args).compile();
      expect(compiled(tx, ...args).compile()).toMatchObject({ sql: text, parameters });
    }
  });

  test('builds the query only on the first call', () => {
    let builds = 0;
    const compiled = compiledQuery((db, tutorId: string) => {
      builds += 1;
      return db.selectFrom('students').where('tutor_id', '=', tutorId).select('name');
    });
    compiled(tx, 'a').compile();
    const after = builds;
    compiled(tx, 'b').compile();
    expect(builds).toBe(after);
  });

  test.each([
    [
      'branches',
      (db: Tx, name: string) => (name === 'a' ? names : sortedNames)(db, name, new Date(1), 1),
    ],
    [
      'computes a value',
      (db: Tx, name: string) => names(db, name === 'a' ? 'first' : name, new Date(1), 1),
    ],
    ['reads the clock', (db: Tx, name: string) => names(db, name, new Date(), 1)],
  ])('throws if the build function %s', (_, build) => {
    expect(() => compiledQuery(build)(tx, 'a').compile()).toThrow(/depends on its arguments/);
  });
});

const sortedNames = (db: Tx, tutorId: string, since: Date, limit: number) =>
  names(db, tutorId, since, limit).orderBy('name');
