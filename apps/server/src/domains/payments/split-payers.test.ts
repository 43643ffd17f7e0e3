import { cancellationPolicy } from '@lessonbook/contract/cancellation-policy-settings';
import { families } from '@lessonbook/contract/families';
import { type InvoiceRow, invoices } from '@lessonbook/contract/invoices';
import { payments } from '@lessonbook/contract/payments';
import { publicBills } from '@lessonbook/contract/public-bill';
import { sessions } from '@lessonbook/contract/sessions';
import { studentContacts } from '@lessonbook/contract/student-contacts-and-payers';
import { type Student, students } from '@lessonbook/contract/students';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createStudent } from '../../test/create-student-and-subject.ts';
import {
  addLesson,
  createTutorWithStudentAndSubject,
  fetchSessionsBetween,
  type LessonFixture,
} from '../../test/lesson-fixture.ts';
import { isLongRun, Random, seedFromEnvironment } from '../../test/model/random.ts';
import { assertInvariants, createPayment, readFamily } from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterAll(() => app.close());
afterEach(() => assertInvariants(app));

interface Split {
  fixture: LessonFixture;
  studentId: number;
  contactIds: [number, number];
  /** The accounts of Ruth, who pays 60 per cent and the odd pennies, and of Tom, who pays 40. */
  ruth: number;
  tom: number;
}

const START = '1900-01-01';

async function createSplit(from = START): Promise<Split> {
  const fixture = await createTutorWithStudentAndSubject(app);
  const { browser } = fixture;
  const student = await createStudent(browser, { name: 'Lena Hale', carerName: 'Ruth Hale' });
  const params = { id: student.id };
  const { body } = await browser.call(studentContacts.addContact, {
    params,
    body: { name: 'Tom Vos' },
  });
  const contactIds = body.contacts.map(({ id }) => id) as [number, number];
  const payers = [
    { contactId: contactIds[0], percent: 60 },
    { contactId: contactIds[1], percent: 40 },
  ];
  const response = await browser.call(studentContacts.setPayers, {
    params,
    body: { from, payers },
  });
  if (response.status !== 200) throw new Error(response.error.message);
  const [ruth, tom] = response.body.payers.slice(-2).map(({ familyId }) => familyId) as [
    number,
    number,
  ];
  return { fixture, studentId: student.id, contactIds, ruth, tom };
}

const addSession = async ({ fixture, studentId }: Split, change: object = {}): Promise<number> =>
  (await addLesson(fixture, { studentId, fee: 33.33, ...change })).sessionId;

const complete = (split: Split, id: number) =>
  split.fixture.browser.call(sessions.completeSession, { params: { id }, body: {} });

const readSession = async (split: Split, id: number) =>
  (await split.fixture.browser.call(sessions.session, { params: { id } })).body;

/** What each account owes, and its entries, newest first. */
async function readAccounts(split: Split) {
  const read = async (id: number) => {
    const family = await readFamily(split.fixture.browser, id);
    return {
      owed: family.balances[0]?.owed ?? 0,
      entries: family.entries.map(({ kind, amount }) => `${kind} ${amount}`),
    };
  };
  return { ruth: await read(split.ruth), tom: await read(split.tom) };
}

const readOwed = async (split: Split) => {
  const { ruth, tom } = await readAccounts(split);
  return [ruth.owed, tom.owed];
};

const DECEMBER = { from: '2026-11-01', to: '2026-12-31' };

async function draft(split: Split, familyId: number): Promise<InvoiceRow> {
  const response = await split.fixture.browser.call(invoices.draftInvoice, {
    body: { familyId, ...DECEMBER, includeUpcoming: true },
  });
  return response.body[0] as InvoiceRow;
}

const issue = (split: Split, ...ids: number[]) =>
  split.fixture.browser.call(invoices.issueInvoices, { body: { ids } });

const readInvoice = async (split: Split, id: number) =>
  (await split.fixture.browser.call(invoices.invoice, { params: { id } })).body;

describe('a completed session', () => {
  test('is charged 60/40, with the odd penny to the first payer', async () => {
    const split = await createSplit();
    const id = await addSession(split);
    await complete(split, id);
    expect(await readAccounts(split)).toEqual({
      ruth: { owed: 2000, entries: ['lesson 2000'] },
      tom: { owed: 1333, entries: ['lesson 1333'] },
    });
    const listed = await fetchSessionsBetween(split.fixture, '2026-11-17', '2026-11-17');
    expect(listed).toMatchObject([{ id, charged: 3333, outstanding: 3333, paymentId: null }]);
  });

  test('is paid when every payer has paid', async () => {
    const split = await createSplit();
    const id = await addSession(split);
    await complete(split, id);
    await createPayment(split.fixture.browser, split.ruth, 2000);
    expect(await readSession(split, id)).toMatchObject({ outstanding: 1333, paymentId: null });
    const last = await createPayment(split.fixture.browser, split.tom, 1333);
    expect(await readSession(split, id)).toMatchObject({ outstanding: 0, paymentId: last.id });
  });

  test('is charged to the payers on its date', async () => {
    const split = await createSplit('2026-11-20');
    const before = await addSession(split, { date: '2026-11-19' });
    const after = await addSession(split, { date: '2026-11-20' });
    await complete(split, before);
    expect(await readOwed(split)).toEqual([3333, 0]);
    await complete(split, after);
    expect(await readOwed(split)).toEqual([5333, 1333]);
  });

  test('keeps its charges when the payers change', async () => {
    const split = await createSplit();
    const first = await addSession(split);
    await complete(split, first);
    await split.fixture.browser.call(studentContacts.setPayers, {
      params: { id: split.studentId },
      body: { from: '2026-11-01', payers: [{ contactId: split.contactIds[1], percent: 100 }] },
    });
    const second = await addSession(split, { date: '2026-11-18' });
    await complete(split, second);
    expect(await readOwed(split)).toEqual([2000, 1333 + 3333]);
  });

  test('is reversed for every payer when it is reopened, and charged again', async () => {
    const split = await createSplit();
    const id = await addSession(split);
    await complete(split, id);
    await split.fixture.browser.call(sessions.reopenSession, { params: { id }, body: {} });
    expect(await readOwed(split)).toEqual([0, 0]);
    await complete(split, id);
    expect((await readAccounts(split)).tom).toEqual({
      owed: 1333,
      entries: expect.arrayContaining(['lesson 1333', 'reversal -1333', 'lesson 1333']),
    });
    expect(await readOwed(split)).toEqual([2000, 1333]);
  });

  test('cannot be reopened if a share of it is on an invoice', async () => {
    const split = await createSplit();
    const id = await addSession(split);
    await complete(split, id);
    await issue(split, (await draft(split, split.tom)).id);
    const reopened = await split.fixture.browser.call(sessions.reopenSession, {
      params: { id },
      body: {},
    });
    expect(reopened.status).toBe(409);
    expect(await readOwed(split)).toEqual([2000, 1333]);
  });

  test('stays charged to the other payer after one share is credited', async () => {
    const split = await createSplit();
    const id = await addSession(split);
    await complete(split, id);
    const { id: invoiceId } = await draft(split, split.tom);
    await issue(split, invoiceId);
    const [line] = (await readInvoice(split, invoiceId)).lines;
    const credited = await split.fixture.browser.call(invoices.creditInvoice, {
      params: { id: invoiceId },
      body: { lines: [{ chargeId: line?.chargeId as number, amount: 1333 }], reason: 'Mistake' },
    });
    expect(credited.status).toBe(201);
    expect(await readOwed(split)).toEqual([2000, 0]);
    expect(await readSession(split, id)).toMatchObject({ charged: 2000 });
  });
});

test('the cancellation fee of a session is split', async () => {
  const split = await createSplit();
  const id = await addSession(split, {
    date: '2026-11-16',
    startTime: '14:00',
    endTime: '15:00',
  });
  const response = await split.fixture.browser.call(sessions.cancelSession, {
    params: { id },
    body: { cancelledBy: 'carer', chargeFee: true },
  });
  expect(response.status).toBe(200);
  expect(await readAccounts(split)).toEqual({
    ruth: { owed: 2000, entries: ['cancellation 2000'] },
    tom: { owed: 1333, entries: ['cancellation 1333'] },
  });
});

describe('an invoice issued in advance', () => {
  test('contains only one payer’s share, and completing the lesson charges the other payer', async () => {
    const split = await createSplit();
    const id = await addSession(split);
    const { id: invoiceId } = await draft(split, split.tom);
    await issue(split, invoiceId);
    expect((await readInvoice(split, invoiceId)).lines).toMatchObject([{ amount: 1333 }]);
    expect(await readOwed(split)).toEqual([0, 1333]);
    await complete(split, id);
    expect(await readOwed(split)).toEqual([2000, 1333]);
    await complete(split, id);
    expect(await readOwed(split)).toEqual([2000, 1333]);
  });

  test('for all families is drafted once for each payer, and the drafts are issued together', async () => {
    const split = await createSplit();
    const id = await addSession(split);
    const { body: drafts } = await split.fixture.browser.call(invoices.draftAllInvoices, {
      body: { ...DECEMBER, includeUpcoming: true },
    });
    expect(drafts.map(({ familyId, total }) => [familyId, total])).toEqual([
      [split.ruth, 2000],
      [split.tom, 1333],
    ]);
    expect((await issue(split, ...drafts.map((each) => each.id))).status).toBe(200);
    await complete(split, id);
    expect(await readOwed(split)).toEqual([2000, 1333]);
    expect(await readSession(split, id)).toMatchObject({ charged: 3333 });
  });

  test('offers each payer the share that is not on an invoice yet', async () => {
    const split = await createSplit();
    await addSession(split);
    const ruthDraft = await draft(split, split.ruth);
    const tomDraft = await draft(split, split.tom);
    expect([ruthDraft.total, tomDraft.total]).toEqual([2000, 1333]);
    await issue(split, ruthDraft.id);
    const { id } = await draft(split, split.ruth);
    const choices = await split.fixture.browser.call(invoices.availableInvoiceLines, {
      params: { id },
    });
    expect(choices.body).toEqual([]);
    expect((await issue(split, tomDraft.id)).status).toBe(200);
  });

  test('moves with the session, and the rest is charged to the payers on the original date', async () => {
    const split = await createSplit();
    const id = await addSession(split);
    await issue(split, (await draft(split, split.tom)).id);
    const ruthOnly = [{ contactId: split.contactIds[0], percent: 100 }];
    const changed = await split.fixture.browser.call(studentContacts.setPayers, {
      params: { id: split.studentId },
      body: { from: '2026-12-01', payers: ruthOnly },
    });
    expect(changed.status).toBe(200);
    const moved = await split.fixture.browser.call(sessions.rescheduleSession, {
      params: { id },
      body: { date: '2026-12-08', startTime: '16:00', endTime: '17:00' },
    });
    expect(moved.status).toBe(200);
    const [later] = await fetchSessionsBetween(split.fixture, '2026-12-08', '2026-12-08');
    await complete(split, later?.id ?? 0);
    expect(await readOwed(split)).toEqual([2000, 1333]);
  });

  test('prevents the payers of the lesson from being changed until the invoice is voided', async () => {
    const split = await createSplit();
    await addSession(split);
    const tomInvoice = await draft(split, split.tom);
    await issue(split, tomInvoice.id);
    const change = (from: string) =>
      split.fixture.browser.call(studentContacts.setPayers, {
        params: { id: split.studentId },
        body: { from, payers: [{ contactId: split.contactIds[0], percent: 100 }] },
      });
    expect((await change(START)).status).toBe(409);
    const ruthInvoice = await draft(split, split.ruth);
    await issue(split, ruthInvoice.id);
    expect((await change(START)).status).toBe(409);
    expect((await change('2027-01-01')).status).toBe(200);
    for (const { id } of [tomInvoice, ruthInvoice])
      await split.fixture.browser.call(invoices.voidInvoice, {
        params: { id },
        body: { reason: null },
      });
    expect((await change(START)).status).toBe(200);
  });

  test('is reduced to each payer’s share of the cancellation fee when the lesson is cancelled late', async () => {
    const split = await createSplit();
    const { browser } = split.fixture;
    await browser.call(cancellationPolicy.updatePolicy, {
      body: { tiers: [{ noticeHours: 24, feePercent: 50 }] },
    });
    const id = await addSession(split, {
      date: '2026-11-16',
      startTime: '14:00',
      endTime: '15:00',
    });
    await issue(split, (await draft(split, split.tom)).id);
    const response = await browser.call(sessions.cancelSession, {
      params: { id },
      body: { cancelledBy: 'carer', chargeFee: true },
    });
    expect(response.status).toBe(200);
    const { ruth, tom } = await readAccounts(split);
    expect(ruth.owed + tom.owed).toBe((await readSession(split, id)).charged);
    expect(tom.entries).toHaveLength(2);
    expect([ruth.owed, tom.owed]).toEqual([1001, 666]);
  });

  test('is credited when the lesson is cancelled free of charge', async () => {
    const split = await createSplit();
    const id = await addSession(split);
    await issue(split, (await draft(split, split.ruth)).id, (await draft(split, split.tom)).id);
    await split.fixture.browser.call(sessions.cancelSession, {
      params: { id },
      body: { cancelledBy: 'tutor' },
    });
    expect(await readOwed(split)).toEqual([0, 0]);
  });

  test('can be voided, and completing the lesson charges the share again', async () => {
    const split = await createSplit();
    const id = await addSession(split);
    const { id: invoiceId } = await draft(split, split.tom);
    await issue(split, invoiceId);
    await split.fixture.browser.call(invoices.voidInvoice, {
      params: { id: invoiceId },
      body: { reason: null },
    });
    await complete(split, id);
    expect(await readOwed(split)).toEqual([2000, 1333]);
  });
});

describe('each payer', () => {
  test('sees only their own share on the account and the payment page', async () => {
    const split = await createSplit();
    await complete(split, await addSession(split));
    const { browser } = split.fixture;
    for (const [familyId, name, other, amount] of [
      [split.ruth, 'Ruth Hale', 'Tom', 2000],
      [split.tom, 'Tom Vos', 'Ruth', 1333],
    ] as const) {
      const family = await readFamily(browser, familyId);
      expect(family).toMatchObject({
        name,
        students: ['Lena Hale'],
        children: [{ id: split.studentId, balances: [{ owed: amount }] }],
      });
      const bill = await app.browser().call(publicBills.publicBill, {
        params: { token: family.payToken },
      });
      expect(bill.status).toBe(200);
      const shown = JSON.stringify(bill.body);
      expect(shown).toContain(String(amount));
      expect(shown).not.toContain(other);
      expect(shown).not.toContain(String(amount === 2000 ? 1333 : 2000));
    }
  });

  test('is in the list of families, and the payment form opens for the one who owes', async () => {
    const split = await createSplit();
    const id = await addSession(split);
    await complete(split, id);
    const { browser } = split.fixture;
    const list = (await browser.call(families.listFamilies)).body;
    const listed = list.filter((family) => [split.ruth, split.tom].includes(family.id));
    expect(listed).toMatchObject([
      { students: ['Lena Hale'], balances: [{ owed: 2000 }] },
      { students: ['Lena Hale'], balances: [{ owed: 1333 }] },
    ]);
    const form = async () =>
      (await browser.call(payments.paymentFormData, { query: { sessionId: id } })).body.familyId;
    expect(await form()).toBe(split.ruth);
    await createPayment(browser, split.ruth, 2000);
    expect(await form()).toBe(split.tom);
  });
});

describe('random histories', () => {
  const seed = seedFromEnvironment();
  process.stdout.write(`[split payers] SEED=${seed} (set it to repeat this run)\n`);
  const dates = Array.from(
    { length: 8 },
    (_, index) => `2026-12-${String(index + 1).padStart(2, '0')}`,
  );
  const fees = [33.33, 1.01, 1.07, 10.01, 35, 99.99, 2.03, 21.37];

  test.each(Array.from({ length: isLongRun() ? 200 : 4 }, (_, index) => index + 1))(
    '%d: every completed session is charged its fee, to the penny',
    async (run) => {
      const random = new Random(seed + run);
      const split = await createSplit();
      const { browser } = split.fixture;
      const params = { id: split.studentId };
      for (const name of ['Ann Vos', 'Jo Vos'])
        await browser.call(studentContacts.addContact, { params, body: { name } });
      const { contacts } = (await browser.call(students.listStudents)).body.find(
        ({ id }) => id === split.studentId,
      ) as Student;
      for (const [index, date] of dates.entries())
        await addSession(split, { date, fee: fees[index] });

      const list = () => fetchSessionsBetween(split.fixture, '2026-12-01', '2027-01-31');
      const pickSession = async () => random.pick(await list()).id;
      const changePayers = () => {
        const count = random.between(1, contacts.length);
        const payers = contacts.slice(0, count).map(({ id }, index) => ({
          contactId: id,
          percent: index === 0 ? 100 - 13 * (count - 1) : 13,
        }));
        const body = { from: random.pick([START, ...dates]), payers };
        return browser.call(studentContacts.setPayers, { params, body });
      };
      const issueOne = async () => {
        const { body } = await browser.call(families.listFamilies);
        const { id } = await draft(split, random.pick(body).id);
        const issued = await issue(split, id);
        if (issued.status !== 200) await browser.call(invoices.deleteInvoice, { params: { id } });
        return issued;
      };
      const voidOne = async () => {
        const { body } = await browser.call(invoices.listInvoices);
        const open = body.filter(
          ({ state, kind }) => kind === 'invoice' && ['sent', 'overdue'].includes(state),
        );
        if (open.length === 0) return null;
        const { id } = random.pick(open);
        return browser.call(invoices.voidInvoice, { params: { id }, body: { reason: null } });
      };
      const actions = [
        changePayers,
        issueOne,
        voidOne,
        async () => complete(split, await pickSession()),
        async () => complete(split, await pickSession()),
        async () => {
          const id = await pickSession();
          return browser.call(sessions.reopenSession, { params: { id }, body: {} });
        },
        async () => {
          const body = { date: random.pick(dates), startTime: '18:00', endTime: '19:00' };
          return browser.call(sessions.rescheduleSession, {
            params: { id: await pickSession() },
            body: { ...body, acceptOverlaps: true },
          });
        },
      ];
      const counts = { done: 0, refused: 0 };
      for (let step = 0; step < 40; step += 1) {
        const response = await random.pick(actions)();
        if (!response) continue;
        expect(response.status, response.error.message).toBeLessThan(500);
        counts[response.status < 300 ? 'done' : 'refused'] += 1;
      }
      // A history with few successful actions proves little, but with some seeds only ten actions succeed.
      expect(counts.done).toBeGreaterThan(3);
      for (const { id, status } of await list())
        if (status === 'scheduled') await complete(split, id);
      const rows = await list();
      for (const { status, charged, fee } of rows)
        expect(charged).toBe(status === 'completed' ? fee : null);
      const { body } = await browser.call(families.listFamilies);
      const totalOwed = body.reduce((sum, { balances }) => sum + (balances[0]?.owed ?? 0), 0);
      expect(totalOwed).toBe(rows.reduce((sum, { charged }) => sum + (charged ?? 0), 0));
    },
  );
});
