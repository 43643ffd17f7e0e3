import { groupLessons } from '@lessonbook/contract/group-lessons';
import { invoices } from '@lessonbook/contract/invoices';
import { sessions } from '@lessonbook/contract/sessions';
import { timeOff } from '@lessonbook/contract/time-off';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createStudent } from '../../test/create-student-and-subject.ts';
import {
  createGroupFixture,
  createThreeFamilies,
  formatCharges,
  formatSeats,
  issueInvoicesForAll,
  readSession,
} from '../../test/group-lesson-fixture.ts';
import {
  ALL,
  addStudentToLesson,
  balancesOf,
  cancelSeat,
  cancelSession,
  completeSession,
  moveSession,
  removeStudentFromLesson,
  reopenSession,
  restoreSeat,
  sessionIdOn,
  thisAfternoon,
  undoSessionMove,
} from '../../test/group-lesson-requests.ts';
import { addLesson, fetchSessionsBetween, weekly } from '../../test/lesson-fixture.ts';
import { assertInvariants } from '../../test/payment-fixture.ts';
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

describe('cancelling for one student', () => {
  test('in time, charges nothing, and the session takes place for the others', async () => {
    const group = await createGroupFixture(app);
    const { browser, sessionId, sam } = group;
    const proposal = await browser.call(groupLessons.seatCancellationProposal, {
      params: { id: sessionId, studentId: sam.id },
      query: { cancelledBy: 'carer' },
    });
    expect(proposal.body).toEqual({
      freeUntil: '2026-11-16T16:00:00.000Z',
      noticeMinutes: 28 * 60,
      fee: null,
      currency: 'GBP',
      reason: "28 hours' notice: no charge",
    });
    const { body } = await cancelSeat(browser, sessionId, sam.id, { chargeFee: true });
    expect(body).toMatchObject({ status: 'scheduled', fee: 3117 + 5341, charged: null });
    expect(formatSeats(body)).toEqual(['Maya 3117', 'Sam cancelled 4229', 'Ida 5341']);
  });

  test("late, charges only that student's own fee", async () => {
    const group = await createGroupFixture(app, thisAfternoon);
    const { browser, sessionId, sam } = group;
    const proposal = await browser.call(groupLessons.seatCancellationProposal, {
      params: { id: sessionId, studentId: sam.id },
      query: { cancelledBy: 'student' },
    });
    expect(proposal.body).toMatchObject({ fee: 4229, reason: "2 hours' notice: £42.29" });
    const { body } = await cancelSeat(browser, sessionId, sam.id, { chargeFee: true });
    expect(formatCharges(body)).toEqual(['Sam 4229']);
    expect(await balancesOf(group)).toEqual(['', 'GBP owes 4229', '']);
    // Completing charges the others and does not charge this student twice.
    await completeSession(browser, sessionId);
    expect(await balancesOf(group)).toEqual(ALL.map((fee) => `GBP owes ${fee}`));
  });

  test('by the tutor, charges nothing, even if a fee is requested', async () => {
    const group = await createGroupFixture(app, thisAfternoon);
    const { body } = await cancelSeat(group.browser, group.sessionId, group.sam.id, {
      cancelledBy: 'tutor',
      chargeFee: true,
    });
    expect(body.charged).toBeNull();
    expect(await balancesOf(group)).toEqual(['', '', '']);
  });

  test('a place invoiced in advance is credited, and the other invoices are unchanged', async () => {
    const group = await createGroupFixture(app);
    const { browser, sessionId, sam } = group;
    await issueInvoicesForAll(browser);
    await cancelSeat(browser, sessionId, sam.id);
    expect(await balancesOf(group)).toEqual(['GBP owes 3117', '', 'GBP owes 5341']);
    const list = await browser.call(invoices.listInvoices, { query: {} });
    const creditNotes = list.body.filter(({ kind }) => kind === 'credit_note');
    expect(creditNotes).toMatchObject([{ familyId: sam.familyId, total: 4229 }]);
  });

  test('is rejected for the last student, for a cancelled seat and for an outsider', async () => {
    const { browser, sessionId, maya, sam, ida } = await createGroupFixture(app);
    await cancelSeat(browser, sessionId, maya.id);
    expect((await cancelSeat(browser, sessionId, maya.id)).status).toBe(404);
    await cancelSeat(browser, sessionId, sam.id);
    const last = await cancelSeat(browser, sessionId, ida.id);
    expect([last.status, last.error.message]).toEqual([
      409,
      'This is the only student left in the lesson. Please cancel the whole lesson.',
    ]);
    const outsider = await createStudent(browser, { name: 'Outsider' });
    expect((await cancelSeat(browser, sessionId, outsider.id)).status).toBe(404);
    expect((await restoreSeat(browser, sessionId, outsider.id)).status).toBe(404);
    expect((await cancelSession(browser, sessionId)).body.status).toBe('cancelled');
    expect((await cancelSeat(browser, sessionId, ida.id)).status).toBe(409);
  });

  test('succeeds for exactly one of the last two students if both are cancelled concurrently', async () => {
    const { browser, sessionId, maya, sam, ida } = await createGroupFixture(app);
    await cancelSeat(browser, sessionId, maya.id);
    const responses = await Promise.all([
      cancelSeat(browser, sessionId, sam.id),
      cancelSeat(browser, sessionId, ida.id),
    ]);
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    const { students: seats } = await readSession(browser, sessionId);
    expect(seats.filter(({ state }) => state === 'expected')).toHaveLength(1);
  });

  test('restoring the seat reverses the charge', async () => {
    const group = await createGroupFixture(app, thisAfternoon);
    const { browser, sessionId, sam } = group;
    const before = await readSession(browser, sessionId);
    await cancelSeat(browser, sessionId, sam.id, { chargeFee: true });
    const restored = await restoreSeat(browser, sessionId, sam.id);
    expect([restored.status, restored.body]).toEqual([200, before]);
    expect(await balancesOf(group)).toEqual(['', '', '']);
    expect((await restoreSeat(browser, sessionId, sam.id)).status).toBe(409);
    await completeSession(browser, sessionId);
    expect(await balancesOf(group)).toEqual(ALL.map((fee) => `GBP owes ${fee}`));
  });

  test('the seat cannot be restored once the fee is on an invoice', async () => {
    const group = await createGroupFixture(app, thisAfternoon);
    const { browser, sessionId, sam } = group;
    await cancelSeat(browser, sessionId, sam.id, { chargeFee: true });
    expect(await issueInvoicesForAll(browser, { includeUpcoming: false })).toMatchObject([
      { familyId: sam.familyId, total: 4229 },
    ]);
    expect((await restoreSeat(browser, sessionId, sam.id)).status).toBe(409);
    expect(formatSeats(await readSession(browser, sessionId))).toContain('Sam cancelled 4229');
    expect(await balancesOf(group)).toEqual(['', 'GBP owes 4229', '']);
  });
});

describe('cancelling the whole session', () => {
  test('late, charges each expected student their own fee', async () => {
    const group = await createGroupFixture(app, thisAfternoon);
    const { browser, sessionId, maya } = group;
    await cancelSeat(browser, sessionId, maya.id);
    const proposal = await browser.call(sessions.cancellationProposal, {
      params: { id: sessionId },
      query: { cancelledBy: 'carer' },
    });
    expect(proposal.body).toMatchObject({ fee: 4229 + 5341, reason: "2 hours' notice: £95.70" });
    const { body } = await cancelSession(browser, sessionId, { chargeFee: true });
    expect(body).toMatchObject({ status: 'cancelled', charged: 4229 + 5341 });
    expect(await balancesOf(group)).toEqual(['', 'GBP owes 4229', 'GBP owes 5341']);
    await reopenSession(browser, sessionId);
    expect(await balancesOf(group)).toEqual(['', '', '']);
    // The earlier cancellation for one student is unchanged.
    expect(formatSeats(await readSession(browser, sessionId))[0]).toBe('Maya cancelled 3117');
  });

  test('without a fee, places invoiced in advance are credited for every family', async () => {
    const group = await createGroupFixture(app);
    await issueInvoicesForAll(group.browser);
    expect(await balancesOf(group)).toEqual(ALL.map((fee) => `GBP owes ${fee}`));
    await cancelSession(group.browser, group.sessionId, { cancelledBy: 'tutor' });
    expect(await balancesOf(group)).toEqual(['', '', '']);
  });
});

describe('moving a group', () => {
  test('moves the expected seats and their prepaid charges; undoing it restores everything', async () => {
    const group = await createGroupFixture(app);
    const { browser, sessionId, sam } = group;
    await issueInvoicesForAll(browser);
    app.clock.set('2026-11-17T14:00:00Z');
    // The cancellation is late, so the fee for the seat stays on its invoice.
    await cancelSeat(browser, sessionId, sam.id, { chargeFee: true });
    const before = await readSession(browser, sessionId);
    expect(formatCharges(before)).toEqual(['Maya 3117', 'Sam 4229', 'Ida 5341']);
    const moved = await moveSession(browser, sessionId, '2026-11-20');
    expect(formatSeats(moved.body)).toEqual(['Maya 3117', 'Ida 5341']);
    expect(formatCharges(moved.body)).toEqual(['Maya 3117', 'Ida 5341']);
    expect(formatCharges(await readSession(browser, sessionId))).toEqual(['Sam 4229']);
    expect(await balancesOf(group)).toEqual(ALL.map((fee) => `GBP owes ${fee}`));
    const undone = await undoSessionMove(browser, moved.body.id);
    expect([undone.status, undone.body]).toEqual([200, before]);
    expect(formatCharges(await readSession(browser, moved.body.id))).toEqual([]);
    await completeSession(browser, sessionId);
    expect(await balancesOf(group)).toEqual(ALL.map((fee) => `GBP owes ${fee}`));
  });

  test('completing after a move charges each family once', async () => {
    const group = await createGroupFixture(app);
    const moved = await moveSession(group.browser, group.sessionId, '2026-11-20');
    await completeSession(group.browser, moved.body.id);
    expect(await balancesOf(group)).toEqual(ALL.map((fee) => `GBP owes ${fee}`));
  });

  test('cannot be undone while a student has cancelled or another has joined', async () => {
    const { browser, lessonId, sessionId, sam } = await createGroupFixture(app);
    const moved = await moveSession(browser, sessionId, '2026-11-20');
    await cancelSeat(browser, moved.body.id, sam.id);
    expect((await undoSessionMove(browser, moved.body.id)).status).toBe(409);
    await restoreSeat(browser, moved.body.id, sam.id);
    const joiner = await createStudent(browser, { name: 'Noah Berg' });
    await addStudentToLesson(browser, lessonId, joiner.id, '2026-11-18');
    expect((await undoSessionMove(browser, moved.body.id)).status).toBe(409);
    await removeStudentFromLesson(browser, lessonId, joiner.id, '2026-11-18');
    expect((await undoSessionMove(browser, moved.body.id)).status).toBe(200);
  });
});

describe('time off', () => {
  test('cancels the session for the whole group without a fee, and deleting it restores the seats', async () => {
    const group = await createGroupFixture(app, weekly());
    const { browser, fixture, sam } = group;
    const id = await sessionIdOn(fixture, '2026-11-24');
    await cancelSeat(browser, id, sam.id);
    const before = await readSession(browser, id);
    const week = { fromDate: '2026-11-23', toDate: '2026-11-29' };
    const preview = await browser.call(timeOff.previewTimeOff, { body: week });
    expect(preview.body.map((row) => row.id)).toEqual([id]);
    const created = await browser.call(timeOff.createTimeOff, {
      body: { ...week, cancelSessionIds: [id] },
    });
    expect(await readSession(browser, id)).toMatchObject({ status: 'cancelled', charged: null });
    await browser.call(timeOff.deleteTimeOff, {
      params: { id: created.body.id },
      query: { restore: 'true' },
    });
    expect(await readSession(browser, id)).toEqual(before);
  });

  test('a group created during time off has cancelled sessions that keep all its students', async () => {
    const { browser, fixture, maya, sam } = await createThreeFamilies(app);
    const week = { fromDate: '2026-11-23', toDate: '2026-11-29' };
    await browser.call(timeOff.createTimeOff, { body: week });
    await addLesson(fixture, {
      ...weekly(),
      students: [{ studentId: maya.id }, { studentId: sam.id, fee: null }],
    });
    const [row] = await fetchSessionsBetween(fixture, '2026-11-24', '2026-11-24');
    expect(row?.status).toBe('cancelled');
    expect(formatSeats(row as never)).toEqual(['Maya 3500', 'Sam free']);
  });
});
