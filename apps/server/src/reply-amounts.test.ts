import type { Endpoint } from '@lessonbook/contract/endpoint';
import { majorUnits, minorUnits } from '@lessonbook/contract/schema-fields';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestApp, type TestApp } from './test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

const AMOUNT_NAME =
  /fees?$|amount$|^total$|^due$|^paid$|^credit$|^credited$|^owed$|^outstanding$|^charged$|^received$|^refunded$|net$|^balance$/i;
/** Numbers that are not amounts. */
const COUNTS = new Set(['week.total', 'export.total', 'contactCounts.total', 'total']);
const isCount = (path: readonly string[], endpoint: Endpoint) =>
  path[0] === 'counts' ||
  (COUNTS.has(path.join('.')) && !endpoint.path.startsWith('/api/invoices'));

interface Definition {
  type: string;
  shape?: Record<string, unknown>;
  innerType?: unknown;
  element?: unknown;
  options?: unknown[];
}

/** The numbers in a schema, with their paths. */
function numbersIn(schema: unknown, path: string[] = []): { path: string[]; schema: unknown }[] {
  const { def } = (schema as { _zod: { def: Definition } })._zod;
  if (def.type === 'number') return [{ path, schema }];
  const fields = Object.entries(def.shape ?? {});
  const inner = [def.innerType, def.element, ...(def.options ?? [])].filter(Boolean);
  return [
    ...fields.flatMap(([name, field]) => numbersIn(field, [...path, name])),
    ...inner.flatMap((part) => numbersIn(part, path)),
  ];
}

test('F18 every amount in a reply is in minor units, except the fees of lessons and subjects', () => {
  const amounts = app.http.endpoints.flatMap((endpoint) =>
    numbersIn(endpoint.reply)
      .filter(({ path }) => AMOUNT_NAME.test(path.at(-1) ?? '') && !isCount(path, endpoint))
      .map(({ path, schema }) => ({
        schema,
        name: `${endpoint.method} ${endpoint.path} ${path.join('.')}`,
      })),
  );
  expect(amounts.length).toBeGreaterThan(50);
  const undeclared = amounts.filter(({ schema }) => schema !== minorUnits && schema !== majorUnits);
  // The input for restoring a draft. Its schema has limits, but its amounts are also in minor units.
  expect(undeclared.map(({ name }) => name)).toEqual([
    'POST /api/invoices/drafts/delete drafts.lines.amount',
  ]);
  const inMajorUnits = amounts.filter(({ schema }) => schema === majorUnits);
  expect(inMajorUnits.map(({ name }) => name).toSorted()).toEqual([
    'DELETE /api/lessons/:id/students/:studentId fee',
    'DELETE /api/lessons/:id/students/:studentId seatFee',
    'DELETE /api/lessons/:id/students/:studentId students.fee',
    'GET /api/lessons fee',
    'GET /api/lessons seatFee',
    'GET /api/lessons students.fee',
    'GET /api/lessons/:id fee',
    'GET /api/lessons/:id seatFee',
    'GET /api/lessons/:id students.fee',
    'GET /api/subjects defaultFee',
    'POST /api/lessons/:id/students fee',
    'POST /api/lessons/:id/students seatFee',
    'POST /api/lessons/:id/students students.fee',
    'POST /api/subjects defaultFee',
    'PUT /api/subjects/:id defaultFee',
  ]);
});
