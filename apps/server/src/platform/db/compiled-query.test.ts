import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { compiledQuery } from './compiled-query.ts';
import { Database, type Tx } from './database.ts';

/** Builds only: nothing here is sent. */
const tx = new Database('postgres://nobody@127.0.0.1:1/none', { max: 1, onError: () => undefined })
  .global;

const names = (on: Tx, tutorId: string, since: Date, atMost: number) =>
  on
    .selectFrom('students')
    .where('tutor_id', '=', tutorId)
    .where('created_at', '>', sql<Date>`${since}::timestamptz`)
    .where('name', 'in', ['Maya', 'Noah'])
    .select('name')
    .limit(atMost);

describe('a prepared query', () => {
  test('is the same statement as one that is built anew, with the values of each call', () => {
    const once = compiledQuery(names);
    const calls: [string, Date, number][] = [
      ['a', new Date(1), 5],
      ['b', new Date(2), 6],
      ['Maya', new Date(3), 7],
    ];
    for (const args of calls) {
      const { sql: text, parameters } = names(tx, ...args).compile();
      expect(once(tx, ...args).compile()).toMatchObject({ sql: text, parameters });
    }
  });

  test('is built once', () => {
    let built = 0;
    const once = compiledQuery((on, tutorId: string) => {
      built += 1;
      return on.selectFrom('students').where('tutor_id', '=', tutorId).select('name');
    });
    once(tx, 'a').compile();
    const after = built;
    once(tx, 'b').compile();
    expect(built).toBe(after);
  });

  test.each([
    ['chooses', (on: Tx, name: string) => (name === 'a' ? names : other)(on, name, new Date(1), 1)],
    ['reckons', (on: Tx, name: string) => names(on, name === 'a' ? 'first' : name, new Date(1), 1)],
    ['reads the clock', (on: Tx, name: string) => names(on, name, new Date(), 1)],
  ])('is refused if it %s', (_, build) => {
    expect(() => compiledQuery(build)(tx, 'a').compile()).toThrow(/looks at its arguments/);
  });
});

const other = (on: Tx, tutorId: string, since: Date, atMost: number) =>
  names(on, tutorId, since, atMost).orderBy('name');
