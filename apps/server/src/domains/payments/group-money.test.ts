import { dashboard } from '@lessonbook/contract/dashboard';
import { invoices } from '@lessonbook/contract/invoices';
import { payments } from '@lessonbook/contract/payments';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createStudent } from '../../test/create-student-and-subject.ts';
import {
  createGroupFixture,
  createThreeFamilies,
  formatCharges,
  issueInvoicesForAll,
  readSession,
} from '../../test/group-lesson-fixture.ts';
import {
  ALL,
  balancesOf,
  cancelSeat,
  completeSession,
  SUM,
  thisAfternoon,
} from '../../test/group-lesson-requests.ts';
import { addLesson, weekly } from '../../test/lesson-fixture.ts';
import { assertInvariants, createPayment } from '../../test/payment-fixture.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
});
afterEach(() => app.restartClock());
afterAll(async () => {
  await assertInvariants(app);
  await app.close();
});

describe('invoices for a group', () => {
  test('each family gets its own invoice in advance, with its own child and fee', async () => {
    const group = await createGroupFixture(app, weekly());
    const { browser, sessionId, maya, sam, ida } = group;
    const issued = await issueInvoicesForAll(browser);
    expect(issued.map(({ familyId, students: names, total }) => [familyId, names, total])).toEqual([
      [maya.familyId, ['Maya'], 2 * 3117],
      [sam.familyId, ['Sam'], 2 * 4229],
      [ida.familyId, ['Ida'], 2 * 5341],
    ]);
    const session = await readSession(browser, sessionId);
    expect(session).toMatchObject({ charged: SUM, invoice: null, familyId: null });
    // Completing a session that was invoiced in advance creates no further charge.
    await completeSession(browser, sessionId);
    expect(await balancesOf(group)).toEqual(ALL.map((fee) => `GBP owes ${2 * fee}`));
  });

  async function createSiblings() {
    const tutor = await createThreeFamilies(app);
    const { browser, fixture } = tutor;
    const lena = await createStudent(browser, { name: 'Lena Holm', carerName: 'Ulla Holm' });
    const noah = await createStudent(browser, { name: 'Noah Holm', carerId: lena.carerId });
    const lesson = await addLesson(fixture, {
      studentId: lena.id,
      students: [{ studentId: lena.id }, { studentId: noah.id, fee: 20 }],
      title: 'Year 11 maths',
    });
    return { ...tutor, ...lesson, lena, noah, familyId: lena.familyId as number };
  }

  test('siblings in one group have two lines on one invoice', async () => {
    const { browser, sessionId, lena, noah, familyId } = await createSiblings();
    const [issued] = await issueInvoicesForAll(browser);
    expect(issued).toMatchObject({ familyId, students: ['Lena', 'Noah'], total: 5500 });
    const invoice = await browser.call(invoices.invoice, { params: { id: issued?.id ?? 0 } });
    expect(invoice.body.lines.map((line) => [line.sessionId, line.studentId, line.amount])).toEqual(
      [
        [sessionId, lena.id, 3500],
        [sessionId, noah.id, 2000],
      ],
    );
    expect(await readSession(browser, sessionId)).toMatchObject({
      charged: 5500,
      familyId,
      invoice: { id: issued?.id, number: issued?.number },
    });
  });

  test("a draft can contain only one sibling's place, and the student id identifies each sibling's place", async () => {
    const { browser, sessionId, lena, noah, familyId } = await createSiblings();
    const period = { from: '2026-11-01', to: '2026-11-30', includeUpcoming: true };
    const [draft] = (await browser.call(invoices.draftInvoice, { body: { familyId, ...period } }))
      .body;
    const params = { id: draft?.id ?? 0 };
    const save = (lines: { sessionId: number; studentId?: number }[]) =>
      browser.call(invoices.updateInvoiceDraft, { params, body: { lines } });
    const one = await save([{ sessionId, studentId: noah.id }]);
    expect([one.status, one.body.total]).toEqual([200, 2000]);
    const choices = await browser.call(invoices.availableInvoiceLines, { params });
    expect(choices.body).toMatchObject([{ sessionId, studentId: lena.id, amount: 3500 }]);
    expect((await save([{ sessionId }])).status).toBe(409);
    const twice = { sessionId, studentId: lena.id };
    expect((await save([twice, twice])).status).toBe(409);
    const both = await save([twice, { sessionId, studentId: noah.id }]);
    expect([both.status, both.body.total]).toEqual([200, 5500]);
    const issued = await browser.call(invoices.issueInvoices, { body: { ids: [params.id] } });
    expect(issued.body).toMatchObject([{ total: 5500, lineCount: 2 }]);
    expect(formatCharges(await readSession(browser, sessionId))).toEqual([
      'Lena 3500',
      'Noah 2000',
    ]);
  });

  test("a draft cannot contain another family's place in the same session", async () => {
    const { browser, sessionId, maya, sam } = await createGroupFixture(app);
    const period = { from: '2026-11-01', to: '2026-11-30', includeUpcoming: true };
    const [draft] = (
      await browser.call(invoices.draftInvoice, { body: { familyId: maya.familyId, ...period } })
    ).body;
    const params = { id: draft?.id ?? 0 };
    const save = (lines: { sessionId: number; studentId?: number }[]) =>
      browser.call(invoices.updateInvoiceDraft, { params, body: { lines } });
    expect((await save([{ sessionId, studentId: sam.id }])).status).toBe(409);
    const own = await save([{ sessionId }]);
    expect(own.body.lines).toMatchObject([{ studentId: maya.id, amount: 3117 }]);
  });

  test('a draft cannot be issued once its seat is cancelled, but the drafts of other families can', async () => {
    const { browser, sessionId, sam } = await createGroupFixture(app);
    const drafts = await browser.call(invoices.draftAllInvoices, {
      body: { from: '2026-11-01', to: '2026-11-30', includeUpcoming: true },
    });
    await cancelSeat(browser, sessionId, sam.id);
    const statuses: [number, number][] = [];
    for (const { id, familyId } of drafts.body) {
      const response = await browser.call(invoices.issueInvoices, { body: { ids: [id] } });
      statuses.push([familyId, response.status]);
    }
    expect(statuses.filter(([, status]) => status !== 200)).toEqual([[sam.familyId, 409]]);
    expect(statuses).toHaveLength(3);
  });
});

describe('the payment form', () => {
  test.each(['session', 'lesson'] as const)(
    'when opened from a %s of a group, shows each family in turn with its own charges',
    async (origin) => {
      const { browser, lessonId, sessionId, maya, sam, ida } = await createGroupFixture(
        app,
        thisAfternoon,
      );
      await completeSession(browser, sessionId);
      const query = origin === 'session' ? { sessionId } : { lessonId };
      for (const [index, member] of [maya, sam, ida].entries()) {
        const { body } = await browser.call(payments.paymentFormData, { query });
        expect(body.familyId).toBe(member.familyId);
        expect(body.charges.map(({ outstanding }) => outstanding)).toEqual([ALL[index]]);
        expect(body.preselectedChargeIds).toEqual(body.charges.map(({ id }) => id));
        await createPayment(browser, member.familyId, ALL[index] ?? 0);
      }
    },
  );
});

describe('the dashboard', () => {
  test('counts a group session as one lesson in both the totals and the list limits', async () => {
    const group = await createGroupFixture(app, thisAfternoon);
    const { browser, fixture, maya, sam, ida } = group;
    const ids = [maya, sam, ida].map(({ id }) => ({ studentId: id }));
    for (const date of ['17', '18', '19', '20', '23'])
      await addLesson(fixture, { students: ids, date: `2026-11-${date}` });
    for (const date of ['09', '10'])
      await addLesson(fixture, { students: ids, date: `2026-11-${date}` });
    const { body } = await browser.call(dashboard.dashboard);
    expect(body.todayCount).toBe(1);
    expect(body.upcoming.map(({ date }) => date)).toEqual(
      ['16', '17', '18', '19', '20'].map((day) => `2026-11-${day}`),
    );
    expect([body.incompleteCount, body.incomplete.length]).toEqual([2, 2]);
    expect(body.week).toMatchObject({
      total: 5,
      money: [{ currency: 'GBP', scheduledFees: SUM + 4 * 3 * 3500 }],
    });
  });

  test("lists unpaid lessons with each family's own share and only its own child", async () => {
    const { browser, sessionId, maya, sam, ida } = await createGroupFixture(app, {
      date: '2026-11-10',
    });
    await completeSession(browser, sessionId);
    const { body } = await browser.call(dashboard.dashboard);
    expect(
      body.unpaid.map(({ familyId, outstanding, session }) => [
        familyId,
        outstanding,
        session.studentName,
        session.outstanding,
      ]),
    ).toEqual([
      [maya.familyId, 3117, 'Maya Reid', 3117],
      [sam.familyId, 4229, 'Sam Hale', 4229],
      [ida.familyId, 5341, 'Ida Lund', 5341],
    ]);
    expect(body.unpaidCount).toBe(3);
  });
});
