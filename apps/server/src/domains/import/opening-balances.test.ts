import { families } from '@lessonbook/contract/families';
import { imports } from '@lessonbook/contract/import';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createStudent } from '../../test/create-student-and-subject.ts';
import { createTutor } from '../../test/create-tutor.ts';
import { assertInvariants } from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  await assertInvariants(app);
  await app.close();
});

test('F145 imports the opening balance of each new family once', async () => {
  const { browser } = await createTutor(app);
  await createStudent(browser, {
    name: 'Ada Known',
    carerName: 'Kit Known',
    carerEmail: 'kit@x.example',
  });
  const text = `Name,Carer name,Carer email,Amount owed
Lena Hale,Ruth Hale,ruth@x.example,£70.50
Noah Hale,Ruth Hale,ruth@x.example,70.50
Maya,,,-12
Tom Known,Kit Known,kit@x.example,20
Una,,,a lot
Sam,,,0.00`;
  const file = { kind: 'students' as const, text };
  const { body } = await browser.call(imports.previewImport, { body: file });
  expect(
    body.rows.map(({ row, what, state, makes, notes }) =>
      [row, what, state, ...(makes ? [makes] : []), ...notes].join(' | '),
    ),
  ).toEqual([
    '2 | Lena Hale | new | New student, carer Ruth Hale, £70.50 owed',
    '3 | Noah Hale | new | New student, carer Ruth Hale | The opening balance of this family is in row 2',
    '4 | Maya | new | New student, £12.00 in credit',
    '5 | Tom Known | new | New student, carer Kit Known | Left out the opening balance: Kit Known is already in your account',
    '6 | Una | invalid | The opening balance must be an amount',
    '7 | Sam | new | New student',
  ]);
  await browser.send('POST', '/api/import', file, { 'idempotency-key': 'opening-balances' });
  await browser.send('POST', '/api/import', file, { 'idempotency-key': 'opening-balances' });
  await browser.send('POST', '/api/import', file);
  const list = (await browser.call(families.listFamilies, { query: {} })).body;
  const balances = list.map(({ name, balances: each }) => [
    name,
    each.map(({ owed, credit }) => owed - credit),
  ]);
  expect(Object.fromEntries(balances)).toMatchObject({
    'Ruth Hale': [7050],
    Maya: [-1200],
    'Kit Known': [],
    Sam: [],
  });
});
