import { expect, test } from 'vitest';
import { type CalendarStressOptions, runCalendarStress } from '../../test/calendar-stress.ts';
import { isLong, seedFromEnvironment } from '../../test/model/random.ts';

const seed = seedFromEnvironment();
const say = (line: string) => process.stdout.write(`[calendar] ${line}\n`);

const plan: CalendarStressOptions = isLong()
  ? { seed, histories: 500, steps: 30, kills: 40, timeoutMs: 3_000_000 }
  : { seed, histories: 20, steps: 30, kills: 2, timeoutMs: 300_000 };

test(`${plan.histories} histories on both sides, with faults and kills: when it is quiet, they differ in nothing`, {
  timeout: 2 * plan.timeoutMs,
}, async () => {
  say(`SEED=${seed}`);
  const report = await runCalendarStress(plan);
  const { lessons, proposals, kills, checked } = report;
  say(
    `${lessons} lessons compared, ${proposals} proposals, ${kills} workers killed, ${checked} exchanges held against the description`,
  );
  expect(report.differences).toEqual([]);
  expect(report.violations).toEqual([]);
  expect(kills).toBe(plan.kills);
});

test('where the id of an event is not kept, the storm is seen to fail', {
  timeout: 600_000,
}, async () => {
  const report = await runCalendarStress({
    seed,
    histories: 4,
    steps: 15,
    kills: 0,
    timeoutMs: 10_000,
    seededBug: `
      create function sabotage() returns trigger language plpgsql as $$
        begin new.event_id := md5(random()::text); return new; end $$;
      create trigger sabotage before insert on calendar_events for each row execute function sabotage()`,
  });
  expect(report.differences).not.toEqual([]);
});
