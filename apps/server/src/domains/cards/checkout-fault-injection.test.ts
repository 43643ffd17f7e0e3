import { expect, test } from 'vitest';
import { type CardStressOptions, runCardStress } from '../../test/card-stress.ts';

const isLongRun = process.env['LONG'] === '1';
const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1e9));
const log = (line: string) => process.stdout.write(`[cards] ${line}\n`);

const options: CardStressOptions = isLongRun
  ? { seed, payments: 3_000, kills: 20, timeoutMs: 600_000 }
  : { seed, payments: 150, kills: 3, timeoutMs: 300_000 };

test(`${options.payments} card payments with injected faults: our ledger matches the provider's exactly`, {
  timeout: isLongRun ? 3_600_000 : 600_000,
}, async () => {
  log(`SEED=${seed}`);
  const report = await runCardStress(options);
  const { payments, events, deliveries, kills, forged, checked } = report;
  log(
    `${payments} payments, ${events} events in ${deliveries} deliveries, ${kills} workers killed, ${forged} forged, ${checked} exchanges checked against the API specification`,
  );
  expect(report.differences).toEqual([]);
  expect(report.acceptedForgeries).toBe(0);
  expect(report.mishandledEvents).toBe(0);
  expect(report.violations).toEqual([]);
  expect(kills).toBe(options.kills);
});

test('the stress test detects a missing primary key on webhook_events', {
  timeout: 600_000,
}, async () => {
  const report = await runCardStress({
    seed,
    payments: 8,
    kills: 0,
    timeoutMs: 5_000,
    seededBug: 'alter table webhook_events drop constraint webhook_events_pkey',
  });
  expect(report.differences).not.toEqual([]);
});
