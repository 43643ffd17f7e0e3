import { bulkMessages } from '@lessonbook/contract/bulk-messages';
import { messages } from '@lessonbook/contract/messages';
import { type PriceRiseInput, priceRises } from '@lessonbook/contract/price-rises';
import { rates } from '@lessonbook/contract/rates';
import { sessions } from '@lessonbook/contract/sessions';
import { waitUntil } from '@lessonbook/test-env/wait-until';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Browser } from '../../test/browser-client.ts';
import { createStudent, createSubject } from '../../test/create-student-and-subject.ts';
import { createTutorWhoCanEmailFamilies } from '../../test/create-tutor.ts';
import { addLesson, fetchSessionsBetween, weekly } from '../../test/lesson-fixture.ts';
import { markStudentsAsLeft } from '../../test/mark-students-as-left.ts';
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

/** Maya has the subject's fee of £35, Noa a rate of £40 an hour, Isla a manually entered fee; sessions end on 15 December. */
async function createTutor() {
  const { browser } = await createTutorWhoCanEmailFamilies(app);
  const email = `ruth-${crypto.randomUUID()}@families.example`;
  const maya = await createStudent(browser, {
    name: 'Maya Okafor',
    carerName: 'Ruth Okafor',
    carerEmail: email,
  });
  const noa = await createStudent(browser, {
    name: 'Noa Goldberg',
    carerName: 'Helen Goldberg',
    carerPhone: '+447700900456',
  });
  const isla = await createStudent(browser, { name: 'Isla Brennan', carerName: 'Daniel Brennan' });
  const subject = await createSubject(browser, { name: 'Maths', defaultFee: 35 });
  const fixture = { browser, studentId: maya.id, subjectId: subject.id };
  await addLesson(fixture, weekly({ usesRates: true }));
  await browser.call(rates.saveRate, {
    body: {
      studentId: noa.id,
      subjectId: subject.id,
      amount: 40,
      unit: 'hour',
      validFrom: '2026-11-01',
    },
  });
  const at = (startTime: string, endTime: string) => ({ startTime, endTime });
  await addLesson(fixture, {
    ...weekly({ usesRates: true }),
    studentId: noa.id,
    ...at('17:00', '18:30'),
  });
  await addLesson(fixture, { ...weekly(), studentId: isla.id, ...at('19:00', '20:00') });
  const feesOf = async (studentId: number) =>
    (await fetchSessionsBetween(fixture, '2026-11-01', '2026-12-31'))
      .filter((row) => row.studentId === studentId)
      .map(({ fee }) => fee);
  const emails = () => app.mailbox.emails().filter(({ to }) => to.includes(email));
  return { browser, fixture, maya, noa, isla, feesOf, emails };
}

const rise = (overrides: Partial<PriceRiseInput> = {}) => ({
  kind: 'percent' as const,
  value: 10,
  rounding: 'half' as const,
  from: '2026-12-01',
  ...overrides,
});
const preview = async (browser: Browser, overrides: Partial<PriceRiseInput> = {}) =>
  (await browser.call(priceRises.previewPriceRise, { body: rise(overrides) })).body;
const save = (browser: Browser, fingerprint: string, overrides: Partial<PriceRiseInput> = {}) =>
  browser.call(priceRises.savePriceRise, { body: { ...rise(overrides), fingerprint } });

describe('the preview', () => {
  test('shows the old and new prices of each family, the lessons and the prices that are kept, and saves nothing', async () => {
    const { browser, feesOf, maya } = await createTutor();
    const { families, kept, noticeDays } = await preview(browser);
    expect(noticeDays).toBe(15);
    expect(families.map(({ toName, prices }) => [toName, ...prices])).toMatchObject([
      ['Ruth Okafor', { unit: 'lesson', oldAmount: 3500, newAmount: 3850, lessons: 3 }],
      ['Helen Goldberg', { unit: 'hour', oldAmount: 4000, newAmount: 4400, lessons: 3 }],
    ]);
    expect(kept).toEqual([{ reason: 'own_fee', lessons: 3 }]);
    expect(await feesOf(maya.id)).toEqual([3500, 3500, 3500, 3500, 3500]);
    expect((await browser.call(messages.outbox)).body).toEqual([]);
  });

  test('the message to a family mentions only its own children', async () => {
    const { browser } = await createTutor();
    const { families } = await preview(browser);
    const [ruth, helen] = families.map(({ subject, text }) => `${subject} ${text}`);
    expect(ruth).toContain('Maya, Maths: £38.50 a lesson (currently £35.00)');
    expect(ruth).not.toMatch(/Noa|Goldberg|Helen|44\.00|40\.00/);
    expect(helen).toContain('Noa, Maths: £44.00 an hour (currently £40.00)');
    expect(helen).not.toMatch(/Maya|Okafor|Ruth|38\.50|35\.00/);
  });

  test('a student whose last day is on or after the date is included', async () => {
    const { browser, noa } = await createTutor();
    await markStudentsAsLeft(browser, { studentIds: [noa.id], lastDate: '2026-12-08' });
    const helens = async (overrides: Partial<PriceRiseInput> = {}) =>
      (await preview(browser, overrides)).families
        .filter(({ toName }) => toName === 'Helen Goldberg')
        .flatMap(({ prices }) => prices.map(({ newAmount, lessons }) => [newAmount, lessons]));
    expect(await helens()).toEqual([[4400, 2]]);
    expect(await helens({ from: '2026-12-09' })).toEqual([]);
  });

  test('a student who pays for themselves is not named in their message', async () => {
    const { browser, fixture } = await createTutor();
    const anna = await createStudent(browser, {
      name: 'Anna Weber',
      email: `anna-${crypto.randomUUID()}@families.example`,
    });
    const times = { startTime: '12:00', endTime: '13:00' };
    await addLesson(fixture, { ...weekly({ usesRates: true }), studentId: anna.id, ...times });
    const { families } = await preview(browser);
    const message = families.find(({ toName }) => toName === 'Anna Weber');
    expect(message?.text).toContain(':\n\nMaths: £38.50 a lesson (currently £35.00)\n');
  });

  test('rejects a date in the past, a percentage over 100 and a value of 0', async () => {
    const { browser } = await createTutor();
    const fieldsOf = async (overrides: Partial<PriceRiseInput>) => {
      const { status, error } = await browser.call(priceRises.previewPriceRise, {
        body: rise(overrides),
      });
      return [status, ...Object.keys(error.fields ?? {})];
    };
    expect(await fieldsOf({ from: '2026-11-15' })).toEqual([400, 'from']);
    expect(await fieldsOf({ value: 101 })).toEqual([400, 'value']);
    expect(await fieldsOf({ value: 0 })).toEqual([400, 'value']);
  });
});

describe('saving', () => {
  test('F145 changes the prices from the given date and drafts a message for each family', async () => {
    const { browser, feesOf, maya, noa, isla, emails } = await createTutor();
    const { fingerprint } = await preview(browser);
    expect((await save(browser, fingerprint)).body).toEqual({
      rates: 2,
      changedSeats: 6,
      messages: 2,
    });
    expect(await feesOf(maya.id)).toEqual([3500, 3500, 3850, 3850, 3850]);
    expect(await feesOf(noa.id)).toEqual([6000, 6000, 6600, 6600, 6600]);
    expect(await feesOf(isla.id)).toEqual([3500, 3500, 3500, 3500, 3500]);
    const drafts = (await browser.call(messages.outbox)).body;
    expect(drafts.map(({ toName, channel, state }) => [toName, channel, state])).toEqual([
      ['Ruth Okafor', 'email', 'draft'],
      ['Helen Goldberg', 'whatsapp', 'draft'],
    ]);
    expect(emails()).toEqual([]);
  });

  test('a draft is sent once, with the text that the tutor has changed', async () => {
    const { browser, emails } = await createTutor();
    await save(browser, (await preview(browser)).fingerprint);
    const [email, whatsapp] = (await browser.call(messages.outbox)).body;
    const send = (id = 0) =>
      browser.call(bulkMessages.sendDraft, {
        params: { id },
        body: { subject: 'New prices', text: 'Hi Ruth, as we discussed.' },
      });
    const settle = await browser.call(messages.setMessageOutcome, {
      params: { id: email?.id ?? 0 },
      body: { outcome: 'sent' },
    });
    expect([settle.status, (await send(whatsapp?.id)).status]).toEqual([409, 409]);
    const statuses = await Promise.all([send(email?.id), send(email?.id)]);
    expect(statuses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
    await waitUntil(
      async () => emails().length > 0,
      () => 'the email has not arrived',
    );
    expect(emails()).toHaveLength(1);
    expect(emails()[0]?.text).toContain('as we discussed');
  });

  test('rejects an outdated preview and changes nothing', async () => {
    const { browser, fixture, feesOf, maya } = await createTutor();
    const { fingerprint } = await preview(browser);
    const [first] = await fetchSessionsBetween(fixture, '2026-12-01', '2026-12-31');
    await browser.call(sessions.cancelSession, {
      params: { id: first?.id ?? 0 },
      body: { cancelledBy: 'tutor' },
    });
    expect((await save(browser, fingerprint)).status).toBe(409);
    expect((await save(browser, fingerprint, { value: 11 })).status).toBe(409);
    expect(await feesOf(maya.id)).toEqual([3500, 3500, 3500, 3500, 3500]);
    expect((await browser.call(rates.listRates)).body).toHaveLength(1);
    expect((await browser.call(messages.outbox)).body).toEqual([]);
  });

  test('two concurrent requests raise the prices once, and a repeated request gets the same reply', async () => {
    const { browser, feesOf, maya } = await createTutor();
    const { fingerprint } = await preview(browser);
    const saves = await Promise.all([save(browser, fingerprint), save(browser, fingerprint)]);
    expect(saves.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
    const next = await preview(browser, { from: '2026-12-10' });
    const body = { ...rise({ from: '2026-12-10' }), fingerprint: next.fingerprint };
    const key = { 'idempotency-key': 'price-rise-once' };
    const first = await browser.send('POST', '/api/price-rises', body, key);
    const second = await browser.send('POST', '/api/price-rises', body, key);
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body).toEqual(first.body);
    expect(await feesOf(maya.id)).toEqual([3500, 3500, 3850, 3850, 4250]);
    expect((await browser.call(messages.outbox)).body).toHaveLength(4);
  });

  test("another tutor's students and subjects are not found, and their prices are unchanged", async () => {
    const theirs = await createTutor();
    const mine = await createTutor();
    const { fingerprint } = await preview(mine.browser);
    expect((await save(theirs.browser, fingerprint)).status).toBe(201);
    expect(await mine.feesOf(mine.maya.id)).toEqual([3500, 3500, 3500, 3500, 3500]);
    // Ids are per tutor, so these get ids that only the other tutor has.
    const zoe = await createStudent(theirs.browser, { name: 'Zoe Lund' });
    const physics = await createSubject(theirs.browser, { name: 'Physics', defaultFee: 35 });
    for (const overrides of [{ studentIds: [zoe.id] }, { subjectIds: [physics.id] }]) {
      const none = await preview(mine.browser, overrides);
      expect([none.families, none.kept]).toEqual([[], []]);
      expect((await save(mine.browser, none.fingerprint, overrides)).status).toBe(409);
    }
  });
});
