import { setTimeout as pause } from 'node:timers/promises';
import type { House, Tutor } from '../clients/tutor.ts';
import type { Errands } from '../errands.ts';
import type { Weather } from '../killers/vendors.ts';
import { droppedLetters } from '../killers/vendors.ts';
import type { Victim } from '../plan.ts';
import { checkMail, checkRepeats } from './mail.ts';
import {
  CALENDAR,
  CALLS,
  CARDS,
  calendarFaults,
  callFaults,
  cardFaults,
  deadJobs,
  JOBS,
  jobsLeft,
  NOTICES,
  noticeFaults,
} from './vendors.ts';

const PATIENCE_MS = 240_000;
const LOOK_MS = 1_000;
/** Ours, and the product's own, which may begin anew at any moment. */
const COMES_ROUND =
  /^(send-reminders|enqueue-calendar-syncs|reconcile-cards|daily-digest|cleanup-|generate-|delete-|rotate-|__pgboss)/;

/** Waits until the vendors, who work again, and the queue have nothing left to do; then compares with both. */
export async function closingChecks(
  house: House,
  tutors: readonly Tutor[],
  weather: Weather,
  errands: Errands,
  times: Record<Victim, readonly number[]>,
): Promise<string[]> {
  const { inside, tally, mailbox, stripe } = house;
  const start = performance.now();
  const end = start + PATIENCE_MS;
  for (;;) {
    await weather.heal();
    await errands.hurry();
    await pause(LOOK_MS);
    await stripe.quiet();
    if (await isQuiet(house, tutors)) break;
    if (performance.now() > end) break;
  }
  for (const job of await busy(inside)) tally.fault(JOBS, job);
  for (const job of await deadJobs(inside)) tally.fault(JOBS, job);
  for (const fault of await callFaults(house)) tally.fault(CALLS, fault);
  for (const fault of await cardFaults(house, tutors)) tally.fault(CARDS, fault);
  for (const fault of await noticeFaults(inside)) tally.fault(NOTICES, fault);
  const { lessons, differences } = await calendarFaults(house, tutors);
  for (const fault of differences) tally.fault(CALENDAR, fault);
  const mail = await checkMail(inside, tally, mailbox, tutors);
  const kills = { worker: times.worker.length, postgres: times.postgres.length };
  const books = await stripe.books();
  const paid = books.flatMap(({ payments }) => payments).filter(({ state }) => state === 'paid');
  const refunds = books.flatMap(({ refunds: each }) => each).length;
  return [
    `vendors failed ${weather.troubles} times; all was quiet ${((performance.now() - start) / 1000).toFixed(0)} s after they were healed`,
    ...mail,
    checkRepeats(tally, mailbox, kills, droppedLetters()),
    `${paid.length} card payments and ${refunds} refunds compared with the provider, ${lessons} lessons with the calendar`,
  ];
}

const busy = async (inside: House['inside']): Promise<string[]> =>
  (await jobsLeft(inside)).filter((job) => !COMES_ROUND.test(job));

async function isQuiet(house: House, tutors: readonly Tutor[]): Promise<boolean> {
  if ((await busy(house.inside)).length > 0) return false;
  if ((await noticeFaults(house.inside)).length > 0) return false;
  if ((await cardFaults(house, tutors)).length > 0) return false;
  if ((await calendarFaults(house, tutors)).differences.length > 0) return false;
  return (await remindersLeft(house, tutors)) === 0;
}

/** Lessons of tomorrow that nobody has been reminded of yet, and readers who believe what is no longer so. */
async function remindersLeft({ mailbox }: House, tutors: readonly Tutor[]): Promise<number> {
  const counts = Map.groupBy(mailbox.mails(), ({ to }) => to[0] ?? '');
  const open = tutors
    .flatMap(({ room }) => room?.reminded ?? [])
    .filter(({ address, cancelledAt }) => {
      const got = new Set((counts.get(address) ?? []).map(({ messageId }) => messageId)).size;
      return cancelledAt === null ? got === 0 : got === 1;
    });
  return open.length;
}
