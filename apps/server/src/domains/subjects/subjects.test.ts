import { SUBJECT_COLORS, SUBJECT_CURRENCIES, subjects } from '@lessonbook/contract/subjects';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createSubject } from '../../test/create-student-and-subject.ts';
import { createTutor, findTutorId } from '../../test/create-tutor.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';
import { getSubjectOrThrow } from './service.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '100' });
});
afterAll(() => app.close());

const maths = { name: 'Maths', description: 'GCSE', defaultFee: 32.5, currency: 'EUR' } as const;

describe('creating and listing subjects', () => {
  test('[API-29, ENT-15] POST /api/subjects saves the name, description, defaultFee and currency and assigns an id', async () => {
    const { browser } = await createTutor(app);
    const response = await browser.call(subjects.createSubject, { body: maths });
    expect(response.status).toBe(201);
    expect(response.body).toEqual({ id: 1, ...maths, color: 'pine' });
    expect((await browser.call(subjects.listSubjects)).body).toEqual([response.body]);
  });

  test('F144 a colour can be chosen, and is not changed if it is omitted', async () => {
    const { browser } = await createTutor(app);
    const { body } = await browser.call(subjects.createSubject, {
      body: { ...maths, color: 'plum' },
    });
    expect(body.color).toBe('plum');
    const change = (input: { color?: 'sky' }) =>
      browser.call(subjects.updateSubject, {
        params: { id: body.id },
        body: { ...maths, ...input },
      });
    expect((await change({})).body.color).toBe('plum');
    expect((await change({ color: 'sky' })).body.color).toBe('sky');
    const invalid = await browser.send('PUT', `/api/subjects/${body.id}`, {
      ...maths,
      color: 'red',
    });
    expect(invalid.status).toBe(400);
  });

  test('requests with the same idempotency key, including concurrent ones, add one subject', async () => {
    const { browser } = await createTutor(app);
    const add = () =>
      browser.send('POST', '/api/subjects', maths, { 'idempotency-key': 'maths-once' });
    const [first, second] = await Promise.all([add(), add()]);
    for (const response of [first, second, await add()]) {
      expect(response).toMatchObject({ status: 201, body: first.body });
    }
    expect((await browser.call(subjects.listSubjects)).body).toEqual([first.body]);
  });

  test('[API-28] GET /api/subjects returns id, name, defaultFee and currency, sorted by name', async () => {
    const { browser } = await createTutor(app);
    expect((await browser.call(subjects.listSubjects)).body).toEqual([]);
    for (const name of ['physics', 'Écriture', 'Art', 'Maths Year 10', 'Maths Year 9'])
      await createSubject(browser, { name, defaultFee: 40, currency: 'USD' });
    const { body } = await browser.call(subjects.listSubjects);
    expect(body.map(({ id, name }) => [id, name])).toEqual([
      [3, 'Art'],
      [2, 'Écriture'],
      [5, 'Maths Year 9'],
      [4, 'Maths Year 10'],
      [1, 'physics'],
    ]);
    expect(body[0]).toMatchObject({ defaultFee: 40, currency: 'USD' });
  });

  test.each([
    ['omitted', undefined],
    ['null', null],
    ['empty', ''],
    ['blank', '  '],
  ])('[ENT-16] a description that is %s is stored as null', async (_, description) => {
    const { browser } = await createTutor(app);
    const body = {
      name: 'Maths',
      defaultFee: 30,
      ...(description === undefined ? {} : { description }),
    };
    const created = await browser.call(subjects.createSubject, { body });
    expect(created.body).toMatchObject({ description: null, currency: 'GBP' });
    const described = { ...body, description: 'GCSE' };
    const { id } = created.body;
    await browser.call(subjects.updateSubject, { params: { id }, body: described });
    const cleared = await browser.call(subjects.updateSubject, { params: { id }, body });
    expect(cleared.body.description).toBeNull();
  });

  test.each([1, 19.99, 30, 32.5, 0.1 + 0.2 + 34.7, 100_000])(
    '[ENT-17] the default fee %d is in major units in the API and in minor units in the database',
    async (defaultFee) => {
      const { browser, input } = await createTutor(app);
      const subject = await createSubject(browser, { defaultFee });
      expect(subject.defaultFee).toBe(Math.round(defaultFee * 100) / 100);
      expect((await browser.call(subjects.listSubjects)).body[0]?.defaultFee).toBe(
        subject.defaultFee,
      );
      const tutorId = await findTutorId(app, input);
      const stored = await app.context.db.tutorTransaction(tutorId, (tx) =>
        getSubjectOrThrow(tx, tutorId, subject.id),
      );
      expect(stored.defaultFee).toBe(Math.round(defaultFee * 100));
    },
  );

  test('colours are assigned in order, counting only active subjects', async () => {
    const { browser } = await createTutor(app);
    const added = [];
    for (const name of ['A', 'B', 'C', 'D', 'E', 'F', 'G'])
      added.push(await createSubject(browser, { name }));
    expect(added.map(({ color }) => color)).toEqual([...SUBJECT_COLORS, 'pine']);
    // The plum subject has been deleted, so plum is now the least used colour.
    await browser.call(subjects.deleteSubject, { params: { id: 3 } });
    expect((await createSubject(browser, { name: 'H' })).color).toBe('plum');
  });
});

describe('changing and deleting', () => {
  test('[API-31] PUT /api/subjects/{id} with the same body as POST changes the subject, but not its colour', async () => {
    const { browser } = await createTutor(app);
    await createSubject(browser, { name: 'Art' });
    const { id, color } = await createSubject(browser);
    const response = await browser.call(subjects.updateSubject, { params: { id }, body: maths });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ id, ...maths, color });
    expect((await browser.call(subjects.listSubjects)).body[1]).toEqual(response.body);
  });

  test('[API-33] DELETE /api/subjects/{id} without a body removes the subject from the list but keeps the row', async () => {
    const { browser, input } = await createTutor(app);
    const { id } = await createSubject(browser);
    const other = await createSubject(browser, { name: 'Art' });
    const response = await browser.call(subjects.deleteSubject, { params: { id } });
    expect(response.status).toBe(200);
    expect(response.body).toEqual({ message: 'Subject deleted successfully' });
    expect((await browser.call(subjects.listSubjects)).body).toEqual([other]);
    const tutorId = await findTutorId(app, input);
    const [rows] = await app.context.db.tutorRead(tutorId, (tx) => [
      tx
        .selectFrom('subjects')
        .where('tutor_id', '=', tutorId)
        .where('id', '=', id)
        .select(['name', 'archived_at']),
    ]);
    expect(rows).toEqual([{ name: 'Maths', archived_at: app.clock.now() }]);
  });

  test('an unknown or deleted subject returns 404, and getSubjectOrThrow throws not_found', async () => {
    const { browser, input } = await createTutor(app);
    const { id: deleted } = await createSubject(browser);
    await browser.call(subjects.deleteSubject, { params: { id: deleted } });
    const tutorId = await findTutorId(app, input);
    for (const id of [deleted, 99, 2_147_483_647]) {
      const responses = [
        await browser.call(subjects.updateSubject, { params: { id }, body: maths }),
        await browser.call(subjects.deleteSubject, { params: { id } }),
      ];
      for (const { status, error } of responses) {
        expect(status).toBe(404);
        expect(error).toEqual({ code: 'not_found', message: "We couldn't find that subject." });
      }
      await expect(
        app.context.db.tutorTransaction(tutorId, (tx) => getSubjectOrThrow(tx, tutorId, id)),
      ).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  test.each(['0', '-1', '1.5', 'abc', '2147483648', '1e99'])(
    'returns 400 for the id %s in the path',
    async (id) => {
      const { browser } = await createTutor(app);
      expect((await browser.send('PUT', `/api/subjects/${id}`, maths)).status).toBe(400);
      expect((await browser.send('DELETE', `/api/subjects/${id}`)).status).toBe(400);
    },
  );

  test('ids are never reused', async () => {
    const { browser } = await createTutor(app);
    const { id } = await createSubject(browser);
    await browser.call(subjects.deleteSubject, { params: { id } });
    expect((await createSubject(browser)).id).toBe(id + 1);
  });
});

describe('validation', () => {
  const invalidInputs: [string, object, string][] = [
    ['name', { name: '' }, 'Name is required'],
    ['name', { name: '   ' }, 'Name is required'],
    ['name', { name: undefined }, 'Name is required'],
    ['name', { name: 'x'.repeat(101) }, 'Please use at most 100 characters'],
    ['description', { description: 'x'.repeat(1001) }, 'Please use at most 1000 characters'],
    ['defaultFee', { defaultFee: 0 }, 'Fee must be greater than 0'],
    ['defaultFee', { defaultFee: 0.5 }, 'Fee must be greater than 0'],
    ['defaultFee', { defaultFee: -30 }, 'Fee must be greater than 0'],
    ['defaultFee', { defaultFee: undefined }, 'Fee must be greater than 0'],
    ['defaultFee', { defaultFee: '30' }, 'Fee must be greater than 0'],
    ['defaultFee', { defaultFee: 100_000.01 }, 'That fee is too large'],
  ];

  test.each(invalidInputs)(
    '[API-50] rejects an invalid %s (%j) with the same message as the form',
    async (field, change, message) => {
      const { browser } = await createTutor(app);
      const { id } = await createSubject(browser);
      const before = (await browser.call(subjects.listSubjects)).body;
      const responses = [
        await browser.send('POST', '/api/subjects', { ...maths, ...change }),
        await browser.send('PUT', `/api/subjects/${id}`, { ...maths, ...change }),
      ];
      for (const { status, error } of responses) {
        expect(status).toBe(400);
        expect(error).toEqual({ code: 'invalid', message, fields: { [field]: message } });
      }
      expect((await browser.call(subjects.listSubjects)).body).toEqual(before);
    },
  );

  test('[CONST-18] accepts pounds, dollars and euros, and rejects rupees and any other currency', async () => {
    const { browser } = await createTutor(app);
    for (const currency of SUBJECT_CURRENCIES)
      expect((await createSubject(browser, { currency })).currency).toBe(currency);
    const { id } = await createSubject(browser);
    const message = 'Please choose a currency from the list';
    for (const currency of ['INR', 'CHF', 'JPY', 'gbp', '', '£', null, 826]) {
      for (const [method, path] of [
        ['POST', '/api/subjects'],
        ['PUT', `/api/subjects/${id}`],
      ] as const) {
        const { status, error } = await browser.send(method, path, { ...maths, currency });
        expect([currency, status]).toEqual([currency, 400]);
        expect(error.fields).toEqual({ currency: message });
      }
    }
    expect((await browser.call(subjects.listSubjects)).body).toHaveLength(4);
  });
});

describe('concurrency', () => {
  test('a request repeated with the same idempotency key creates one subject', async () => {
    const { browser } = await createTutor(app);
    const body = { name: 'Maths', defaultFee: 30 };
    const send = () =>
      browser.send('POST', '/api/subjects', body, { 'idempotency-key': 'one-subject' });
    const responses = [...(await Promise.all([send(), send(), send()])), await send()];
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    expect(new Set(responses.map((response) => JSON.stringify(response.body))).size).toBe(1);
    expect((await browser.call(subjects.listSubjects)).body).toHaveLength(1);
  });

  test('eight concurrent creates assign the ids 1 to 8 and the colours in order', async () => {
    const { browser } = await createTutor(app);
    const created = await Promise.all(
      Array.from({ length: 8 }, (_, index) => createSubject(browser, { name: `Subject ${index}` })),
    );
    const sorted = created.toSorted((a, b) => a.id - b.id);
    expect(sorted.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    expect(sorted.map(({ color }) => color)).toEqual([...SUBJECT_COLORS, 'pine', 'sky']);
  });

  test('when two updates are concurrent, one wins completely', async () => {
    const { browser } = await createTutor(app);
    const { id, color } = await createSubject(browser);
    const first = { ...maths, name: 'One', description: 'one', defaultFee: 11 };
    const second = {
      name: 'Other',
      description: 'other',
      defaultFee: 22,
      currency: 'USD',
    } as const;
    const responses = await Promise.all(
      [first, second].map((body) => browser.call(subjects.updateSubject, { params: { id }, body })),
    );
    expect(responses.map(({ status }) => status)).toEqual([200, 200]);
    const [saved] = (await browser.call(subjects.listSubjects)).body;
    expect([first, second].map((body) => ({ id, ...body, color }))).toContainEqual(saved);
  });

  test('only one of eight concurrent deletes succeeds', async () => {
    const { browser } = await createTutor(app);
    const { id } = await createSubject(browser);
    const responses = await Promise.all(
      Array.from({ length: 8 }, () => browser.call(subjects.deleteSubject, { params: { id } })),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(responses.filter(({ status }) => status === 404)).toHaveLength(7);
  });
});
