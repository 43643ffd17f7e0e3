import { expect, test } from 'vitest';
import { type CardStressOptions, runCardStress } from '../../test/card-stress.ts';

const long = process.env['LONG'] === '1';
const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1e9));
const say = (line: string) => process.stdout.write(`[cards] ${line}\n`);

const plan: CardStressOptions = long
  ? { seed, payments: 3_000, kills: 20, timeoutMs: 600_000 }
  : { seed, payments: 200, kills: 3, timeoutMs: 300_000 };

test(`${plan.payments} card payments in a storm: our book is the provider's, to the penny`, {
  timeout: long ? 3_600_000 : 600_000,
}, async () => {
  say(`SEED=${seed}`);
  const report = await runCardStress(plan);
  const { payments, events, deliveries, kills, forged, checked } = report;
  say(
    `${payments} payments, ${events} events in ${deliveries} deliveries, ${kills} workers killed, ${forged} forged, ${checked} exchanges held against the description`,
  );
  expect(report.differences).toEqual([]);
  expect(report.forgedTaken).toBe(0);
  expect(report.notOnce).toBe(0);
  expect(report.violations).toEqual([]);
  expect(kills).toBe(plan.kills);
});

test('without the unique key of an event, the storm is seen to fail', {
  timeout: 600_000,
}, async () => {
  const report = await runCardStress({
    seed,
    payments: 8,
    kills: 0,
    timeoutMs: 10_000,
    seededBug: 'alter table webhook_events drop constraint webhook_events_pkey',
  });
  expect(report.differences).not.toEqual([]);
});
