import { expect, test } from 'vitest';
import { type CalendarStressOptions, runCalendarStress } from '../../test/calendar-stress.ts';
import { isLongRun, seedFromEnvironment } from '../../test/model/random.ts';

const seed = seedFromEnvironment();
const log = (line: string) => process.stdout.write(`[calendar] ${line}\n`);

const options: CalendarStressOptions = isLongRun()
  ? { seed, histories: 500, steps: 30, kills: 40, timeoutMs: 3_000_000 }
  : { seed, histories: 16, steps: 30, kills: 2, timeoutMs: 300_000 };

test(`${options.histories} histories of changes on both sides, with faults and killed workers, leave no differences`, {
  timeout: 2 * options.timeoutMs,
}, async () => {
  log(`SEED=${seed}`);
  const report = await runCalendarStress(options);
  const { lessons, externalChanges, kills, checked } = report;
  log(
    `${lessons} lessons compared, ${externalChanges} external changes, ${kills} workers killed, ${checked} exchanges checked against Google's API description`,
  );
  for (const violation of report.violations) log(JSON.stringify(violation));
  expect(report.differences).toEqual([]);
  expect(report.violations).toEqual([]);
  expect(kills).toBe(options.kills);
});

test('self-test: differences are found when event ids are not stable', {
  timeout: 600_000,
}, async () => {
  const report = await runCalendarStress({
    seed,
    // Enough for any seed: a single history may not touch an event twice.
    histories: 8,
    steps: 8,
    kills: 0,
    timeoutMs: 5_000,
    seededBug: `
      create function seeded_bug() returns trigger language plpgsql as $$
        begin new.event_id := md5(random()::text); return new; end $$;
      create trigger seeded_bug before insert on calendar_events for each row execute function seeded_bug()`,
  });
  expect(report.differences).not.toEqual([]);
});
