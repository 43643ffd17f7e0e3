import { setTimeout as sleep } from 'node:timers/promises';
import { accounts, type SignupInput } from '@lessonbook/contract/accounts';
import type { Invoice, InvoiceRow } from '@lessonbook/contract/invoices';
import type pg from 'pg';
import { findFaults } from '../../invariants.ts';
import { newStudent } from '../book.ts';
import type { Answer, Browser } from '../browser.ts';
import type { House } from '../house.ts';
import { addLesson, openDesk, weekly } from '../teaching.ts';
import { tutorIdOf } from '../tutor-id.ts';
import { Random } from './random.ts';

/* Many browsers of one tutor that all write into one family's account. */

const CLIENTS = 32;
const PATIENCE = 40;

export interface MoneyOutcome {
  statuses: Record<string, number>;
  waits: number;
  /** Keys that took effect more than once, or not at all although an answer said so. */
  repeats: string[];
  /** Gaps and doubles in the numbers of invoices and credit notes. */
  numbers: string[];
  /** What the checker finds afterwards. */
  faults: string[];
  counts: { payments: number; invoices: number; notes: number; voided: number; charges: number };
}

/** What all browsers know, as they find it out. */
interface Counter {
  familyId: number;
  sessions: number[];
  invoices: number[];
  statuses: Map<number, number>;
  waits: number;
  /** Key of each payment and credit note, which is its note too, and whether any answer said that it was made. */
  wanted: Map<string, boolean>;
  repeats: string[];
}

type Send = (path: string, body: unknown, key?: string) => Promise<Answer<unknown>>;

/** Sends with patience: one who is asked to come again does so, with the same key. */
const sender =
  (counter: Counter, browser: Browser): Send =>
  async (path, body, key) => {
    for (let attempt = 1; ; attempt++) {
      const headers = key ? { 'idempotency-key': key } : {};
      const answer = await browser.send('POST', path, body, headers);
      const again = Number(answer.headers.get('retry-after'));
      if (answer.status === 503 && again > 0 && attempt < PATIENCE) {
        counter.waits += 1;
        await sleep(again * 1000);
        continue;
      }
      counter.statuses.set(answer.status, (counter.statuses.get(answer.status) ?? 0) + 1);
      return answer;
    }
  };

interface Visit {
  counter: Counter;
  send: Send;
  random: Random;
  key: string;
}

/** The same request two or three times, some of them at the same moment; all good answers must speak of the same thing. */
async function repeatedly(
  visit: Visit,
  path: string,
  body: unknown,
  same: (body: unknown) => string,
) {
  const { counter, send, random, key } = visit;
  const ask = () => send(path, body, key);
  const answers = await Promise.all([ask(), ask()]);
  if (random.chance(0.5)) answers.push(await ask());
  const good = answers.filter((answer) => answer.status < 300);
  const meant = new Set(good.map((answer) => same(answer.body)));
  if (meant.size > 1) counter.repeats.push(`${key} made ${[...meant].join(' and ')}`);
  return good[0]?.body;
}

const idOf = (body: unknown): string => String((body as { id: number }).id);
const idsOf = (body: unknown): string => (body as InvoiceRow[]).map(({ id }) => id).join();

async function pay(visit: Visit): Promise<void> {
  const { counter, random, key } = visit;
  const made = await repeatedly(
    visit,
    '/api/payments',
    {
      familyId: counter.familyId,
      amount: random.between(100, 9000),
      currency: 'GBP',
      method: 'cash',
      date: '2026-11-16',
      note: key,
    },
    idOf,
  );
  counter.wanted.set(key, made !== undefined);
}

async function complete({ counter, send, random }: Visit): Promise<void> {
  const charge = random.chance(0.9);
  await send(`/api/sessions/${random.pick(counter.sessions)}/complete`, { charge });
}

async function cancel({ counter, send, random }: Visit): Promise<void> {
  await send(`/api/sessions/${random.pick(counter.sessions)}/cancel`, { cancelledBy: 'tutor' });
}

async function reopen({ counter, send, random }: Visit): Promise<void> {
  await send(`/api/sessions/${random.pick(counter.sessions)}/reopen`, { acceptOverlaps: true });
}

/** Two who draft the same lessons at the same moment: one of them gets the number, the other looks again. */
async function draftAndIssue(visit: Visit): Promise<void> {
  const { counter, random, key } = visit;
  const week = random.between(0, 40);
  const day = (days: number) =>
    new Date(Date.UTC(2026, 10, 16) + days * 86_400_000).toISOString().slice(0, 10);
  const period = { from: day(week * 7), to: day(week * 7 + 13), includeComing: random.chance(0.7) };
  const body = { familyId: counter.familyId, ...period };
  const drafts = await repeatedly(visit, '/api/invoices', body, idsOf);
  const ids = ((drafts ?? []) as InvoiceRow[]).map(({ id }) => id);
  if (ids.length === 0) return;
  const issue = { ...visit, key: `${key}-issue` };
  const numbersOf = (rows: unknown) => (rows as InvoiceRow[]).map(({ number }) => number).join();
  const issued = await repeatedly(issue, '/api/invoices/issue', { ids }, numbersOf);
  if (issued) counter.invoices.push(...ids);
}

async function voidOne(visit: Visit): Promise<void> {
  const { counter, random } = visit;
  if (counter.invoices.length === 0) return;
  const id = random.pick(counter.invoices);
  await repeatedly(visit, `/api/invoices/${id}/void`, { reason: 'crowd' }, idOf);
}

async function creditOne(visit: Visit, browser: Browser): Promise<void> {
  const { counter, random, key } = visit;
  if (counter.invoices.length === 0) return;
  const id = random.pick(counter.invoices);
  const read = await browser.send('GET', `/api/invoices/${id}`);
  const { lines } = read.body as Invoice;
  const line = random.pick(lines);
  const left = line.amount - line.credited;
  const amount = random.chance(0.5) ? Math.max(1, left) : random.between(1, line.amount);
  const body = { lines: [{ chargeId: line.chargeId, amount }], reason: key };
  const made = await repeatedly(visit, `/api/invoices/${id}/credit-note`, body, idOf);
  counter.wanted.set(key, made !== undefined);
}

const OFTEN: [(visit: Visit, browser: Browser) => Promise<void>, number][] = [
  [pay, 3],
  [complete, 3],
  [cancel, 1],
  [reopen, 1],
  [draftAndIssue, 3],
  [voidOne, 1],
  [creditOne, 2],
];
const ALL = OFTEN.flatMap(([act, times]) => Array.from({ length: times }, () => act));

export async function crowdTheCounter(
  house: House,
  inside: pg.Client,
  crowd: { seed: number; rounds: number },
): Promise<MoneyOutcome> {
  const desk = await openDesk(house);
  const carerName = 'Ruth Okafor';
  const first = await newStudent(desk.browser, { name: 'Noor', carerName });
  const second = await newStudent(desk.browser, { name: 'Ben', carerId: first.carerId });
  for (const [index, studentId] of [first.id, second.id, first.id, second.id].entries()) {
    const times = { startTime: `${14 + index}:00`, endTime: `${14 + index}:50` };
    await addLesson(desk, weekly({ studentId, ...times, recurringEndDate: '2027-09-01' }));
  }
  const { username } = (await desk.browser.call(accounts.me)).body;
  const tutorId = await tutorIdOf(house, { username } as SignupInput);
  const { rows } = await inside.query<{ id: number }>(
    'select id from sessions where tutor_id = $1 order by id',
    [tutorId],
  );
  const counter: Counter = {
    familyId: first.familyId ?? 0,
    sessions: rows.map(({ id }) => id),
    invoices: [],
    statuses: new Map(),
    waits: 0,
    wanted: new Map(),
    repeats: [],
  };
  const client = async (index: number) => {
    const browser = house.browser();
    browser.cookies = new Map(desk.browser.cookies);
    const random = new Random(crowd.seed * 1000 + index);
    const send = sender(counter, browser);
    for (let round = 0; round < crowd.rounds; round++) {
      const visit = { counter, send, random, key: `crowd-${index}-${round}` };
      await random.pick(ALL)(visit, browser);
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, (_, index) => client(index)));
  return {
    statuses: Object.fromEntries([...counter.statuses].toSorted(([a], [b]) => a - b)),
    waits: counter.waits,
    ...(await look(inside, tutorId, counter)),
  };
}

/** What the database says when the dust has settled. */
async function look(inside: pg.Client, tutorId: string, counter: Counter) {
  const notes = await inside.query<{ note: string; count: number }>(
    `select note, count(*)::int as count from (
       select note from payments where tutor_id = $1
       union all select note from invoices where tutor_id = $1 and kind = 'credit_note') as written
     where note like 'crowd-%' group by note`,
    [tutorId],
  );
  const times = new Map(notes.rows.map((row) => [row.note, row.count]));
  const repeats = [...counter.wanted].flatMap(([key, made]) => {
    const count = times.get(key) ?? 0;
    return count === (made ? 1 : 0) ? [] : [`${key}: ${count} times`];
  });
  const numbers: string[] = [];
  const counts = { payments: 0, invoices: 0, notes: 0, voided: 0, charges: 0 };
  for (const kind of ['invoice', 'credit_note']) {
    const { rows } = await inside.query<{ sequence: number; number: string; voided: boolean }>(
      `select sequence, number, voided_at is not null as voided from invoices
       where tutor_id = $1 and kind = $2 and issued_at is not null order by sequence`,
      [tutorId, kind],
    );
    for (const [index, { sequence, number }] of rows.entries()) {
      if (sequence !== index + 1) numbers.push(`${kind} ${number} is the ${index + 1}.`);
    }
    if (new Set(rows.map(({ number }) => number)).size !== rows.length) numbers.push('a double');
    counts[kind === 'invoice' ? 'invoices' : 'notes'] = rows.length;
    counts.voided += rows.filter(({ voided }) => voided).length;
  }
  const { rows } = await inside.query<{ payments: number; charges: number }>(
    `select (select count(*)::int from payments where tutor_id = $1) as payments,
       (select count(*)::int from charges where tutor_id = $1) as charges`,
    [tutorId],
  );
  Object.assign(counts, rows[0]);
  const found = await findFaults(inside, tutorId);
  const faults = found.map(({ rule, detail }) => `${rule}: ${detail}`);
  return { repeats: [...counter.repeats, ...repeats], numbers, faults, counts };
}
