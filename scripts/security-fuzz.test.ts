import { gzipSync } from 'node:zlib';
import { zipFile } from '@lessonbook/server/src/test/create-and-download-export.ts';
import { Random } from '@lessonbook/server/src/test/model/random.ts';
import { describe, expect, test } from 'vitest';
import { findLeaks, type KnownSecrets } from './security-fuzz/assertions.ts';
import { buildRequest } from './security-fuzz/build-valid-request.ts';
import { CANARY } from './security-fuzz/canaries.ts';
import { decodeResponse } from './security-fuzz/decode-response.ts';
import { resourceKind } from './security-fuzz/resource-kind-of-field.ts';
import { stripTenantFilter } from './security-fuzz/strip-tenant-filter-from-sql.ts';

const known: KnownSecrets = {
  canaryColumns: new Map([[`${CANARY}0007`, 'students.notes']]),
  secrets: new Set(['0198c0de-aaaa-7bbb-8ccc-0123456789ab']),
};

async function leaks(body: Buffer | string, headers: Record<string, string> = {}) {
  return findLeaks(await decodeResponse(headers, Buffer.from(body)), known);
}

describe('findLeaks detects a canary', () => {
  const canary = `${CANARY}0007abcd`;
  const bytes = Array.from(Buffer.from(canary));
  test.each([
    ['in plain text', JSON.stringify({ notes: canary })],
    ['in upper case', canary.toUpperCase()],
    ['in a URL', bytes.map((code) => `%${code.toString(16)}`).join('')],
    ['in JSON escapes', bytes.map((code) => `\\u00${code.toString(16)}`).join('')],
    ['in HTML entities', bytes.map((code) => `&#${code};`).join('')],
    ['in base64', Buffer.from(`to ${canary}`).toString('base64')],
    ['in base64, shifted by one', Buffer.from(`it ${canary.slice(0, 9)}`).toString('base64url')],
    ['in base64, shifted by two', Buffer.from(`a:${canary}`).toString('base64')],
    ['in hex', Buffer.from(canary).toString('hex')],
  ])('%s', async (_, body) => expect(await leaks(body)).not.toEqual([]));

  test('in a compressed body, in a zip file or in a header', async () => {
    expect(await leaks(gzipSync(canary), { 'content-encoding': 'gzip' })).not.toEqual([]);
    expect(await leaks(zipFile('a.csv', canary))).not.toEqual([]);
    expect(await leaks('', { location: `/x?y=${canary}` })).toEqual(['shows students.notes']);
  });

  test('detects a known secret, but ignores other ids', async () => {
    expect(await leaks('id=0198c0de-aaaa-7bbb-8ccc-0123456789ab')).toHaveLength(1);
    expect(await leaks('no secrets here 0198c0de-aaaa-7bbb-8ccc-0123456789aa')).toEqual([]);
  });
});

describe('stripTenantFilter', () => {
  const globalTables = new Set(['login_directory', 'logins']);
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
  ])('removes the filter from %s', (text, stripped) =>
    expect(stripTenantFilter(text, globalTables)).toBe(stripped),
  );

  test('keeps the filter on global tables', () => {
    const only = 'delete from "logins" where "tutor_id" = $1';
    expect(stripTenantFilter(only, globalTables)).toBe(only);
    const mixed =
      'select 1 from "tutors" as "t" join "login_directory" as "d" on true where "t"."tutor_id" = $1 and "d"."tutor_id" = $1';
    expect(stripTenantFilter(mixed, globalTables)).toBe(
      'select 1 from "tutors" as "t" join "login_directory" as "d" on true where $1::uuid is not null and "d"."tutor_id" = $1',
    );
  });
});

describe('buildRequest', () => {
  test('derives the resource kind from the field and the path', () => {
    expect(resourceKind('PUT /api/invoices/{id}', 'lines[0].chargeId')).toBe('charge');
    expect(resourceKind('POST /api/invoices/issue', 'ids[0]')).toBe('invoice:draft');
    expect(resourceKind('GET /api/students/{id}/balance', 'id')).toBe('student');
    expect(resourceKind('POST /api/students', 'name')).toBeUndefined();
    const cancelSeat = 'POST /api/sessions/{id}/students/{studentId}/cancel';
    expect(resourceKind(cancelSeat, 'id')).toBe('session:scheduled');
    expect(resourceKind(cancelSeat, 'studentId')).toBe('student');
    expect(resourceKind('POST /api/lessons/{id}/students', 'id')).toBe('lesson');
    expect(resourceKind('PUT /api/students/{id}/payers', 'payers[0].contactId')).toBe('contact');
  });

  test('chooses a student who is expected in the session', () => {
    const path = '/api/sessions/{id}/students/{studentId}/cancel';
    const integer = { type: 'integer' };
    const { path: params } = buildRequest({
      operation: {
        name: `POST ${path}`,
        method: 'POST',
        path,
        needsLogin: true,
        parameters: ['id', 'studentId'].map((name) => ({
          name,
          in: 'path',
          required: true,
          schema: integer,
        })),
      },
      random: new Random(1),
      pool: { student: [3, 4], 'session:scheduled': [8, 9], 'session and seat': ['9 4'] },
      today: '2026-11-16',
      username: 'x',
    });
    expect(params).toEqual({ id: 9, studentId: 4 });
  });

  test('returns the same request for the same seed', () => {
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
