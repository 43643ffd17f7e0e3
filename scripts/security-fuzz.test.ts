import { gzipSync } from 'node:zlib';
import { zipFile } from '@lessonbook/server/src/test/data-export.ts';
import { Random } from '@lessonbook/server/src/test/model/random.ts';
import { describe, expect, test } from 'vitest';
import { findLeaks } from './security-fuzz/assertions.ts';
import { CANARY } from './security-fuzz/canaries.ts';
import { decodeResponse } from './security-fuzz/decode-response.ts';
import { buildRequest } from './security-fuzz/example-request.ts';
import { resourceKind } from './security-fuzz/id-pool.ts';
import { stripTenantFilter } from './security-fuzz/tenant-filter.ts';

const knowledge = {
  places: new Map([[`${CANARY}0007`, 'students.notes']]),
  secrets: new Set(['0198c0de-aaaa-7bbb-8ccc-0123456789ab']),
};

async function leaks(body: Buffer | string, headers: Record<string, string> = {}) {
  return findLeaks(await decodeResponse(headers, Buffer.from(body)), knowledge);
}

describe('a canary is seen', () => {
  const word = `${CANARY}0007abcd`;
  const letters = Array.from(Buffer.from(word));
  test.each([
    ['as it stands', JSON.stringify({ notes: word })],
    ['in capitals', word.toUpperCase()],
    ['in an address', letters.map((code) => `%${code.toString(16)}`).join('')],
    ['in JSON escapes', letters.map((code) => `\\u00${code.toString(16)}`).join('')],
    ['in HTML', letters.map((code) => `&#${code};`).join('')],
    ['in base64', Buffer.from(`to ${word}`).toString('base64')],
    ['in base64, shifted by one', Buffer.from(`it ${word.slice(0, 9)}`).toString('base64url')],
    ['in base64, shifted by two', Buffer.from(`a:${word}`).toString('base64')],
    ['in hexadecimal digits', Buffer.from(word).toString('hex')],
  ])('%s', async (_, body) => expect(await leaks(body)).not.toEqual([]));

  test('packed on the way, in a file of many, in a header', async () => {
    expect(await leaks(gzipSync(word), { 'content-encoding': 'gzip' })).not.toEqual([]);
    expect(await leaks(zipFile('a.csv', word))).not.toEqual([]);
    expect(await leaks('', { location: `/x?y=${word}` })).toEqual(['shows students.notes']);
  });

  test('and so is a secret, but nothing else', async () => {
    expect(await leaks('id=0198c0de-aaaa-7bbb-8ccc-0123456789ab')).toHaveLength(1);
    expect(await leaks('plainly nothing 0198c0de-aaaa-7bbb-8ccc-0123456789aa')).toEqual([]);
  });
});

describe("the application's tenant check", () => {
  const global = new Set(['login_directory', 'logins']);
  test.each([
    [
      'select "id" from "students" where "tutor_id" = $1 and "id" = $2',
      'select "id" from "students" where $1::uuid is not null and "id" = $2',
    ],
    [
      'select 1 from "sessions" as "s" join "students" as "st" on "st"."tutor_id" = "s"."tutor_id" where "s"."tutor_id" = $3',
      'select 1 from "sessions" as "s" join "students" as "st" on "st"."tutor_id" = "s"."tutor_id" where $3::uuid is not null',
    ],
    [
      'update lessons set title = $2 where tutor_id = $12',
      'update lessons set title = $2 where $12::uuid is not null',
    ],
  ])('is taken out of %s', (text, stripped) =>
    expect(stripTenantFilter(text, global)).toBe(stripped),
  );

  test('stays where it is the only one', () => {
    const only = 'delete from "logins" where "tutor_id" = $1';
    expect(stripTenantFilter(only, global)).toBe(only);
    const mixed =
      'select 1 from "tutors" as "t" join "login_directory" as "d" on true where "t"."tutor_id" = $1 and "d"."tutor_id" = $1';
    expect(stripTenantFilter(mixed, global)).toBe(
      'select 1 from "tutors" as "t" join "login_directory" as "d" on true where $1::uuid is not null and "d"."tutor_id" = $1',
    );
  });
});

describe('a request', () => {
  test('names things by the kind that the field and the address say', () => {
    expect(resourceKind('PUT /api/invoices/{id}', 'lines[0].chargeId')).toBe('charge');
    expect(resourceKind('POST /api/invoices/issue', 'ids[0]')).toBe('invoice:draft');
    expect(resourceKind('GET /api/students/{id}/balance', 'id')).toBe('student');
    expect(resourceKind('POST /api/students', 'name')).toBeUndefined();
  });

  test('of one seed is always the same', () => {
    const operation = {
      name: 'POST /api/things',
      method: 'POST',
      path: '/api/things',
      needsLogin: true,
      parameters: [],
      body: {
        type: 'object',
        required: ['name', 'studentId'],
        properties: {
          name: { type: 'string', minLength: 2 },
          studentId: { type: 'integer' },
          amount: { type: 'integer', minimum: 1 },
        },
      },
    };
    const make = (seed: number) =>
      buildRequest({
        operation,
        random: new Random(seed),
        pool: { student: [3, 4] },
        today: '2026-11-16',
        username: 'x',
      });
    expect(make(5)).toEqual(make(5));
    expect((make(5).body as { studentId: number }).studentId).toBeOneOf([3, 4]);
  });
});
