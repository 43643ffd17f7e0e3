import { expect, test } from 'vitest';
import { type CalendarStormPlan, calendarStorm } from '../../test/calendar-storm.ts';
import { isLong, seedFromEnvironment } from '../../test/model/random.ts';

const seed = seedFromEnvironment();
const say = (line: string) => process.stdout.write(`[calendar] ${line}\n`);

const plan: CalendarStormPlan = isLong()
  ? { seed, histories: 500, steps: 30, kills: 40, patienceMs: 3_000_000 }
  : { seed, histories: 20, steps: 30, kills: 2, patienceMs: 300_000 };

test(`${plan.histories} histories on both sides, with faults and kills: when it is quiet, they differ in nothing`, {
  timeout: 2 * plan.patienceMs,
}, async () => {
  say(`SEED=${seed}`);
  const report = await calendarStorm(plan);
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
  const report = await calendarStorm({
    seed,
    histories: 4,
    steps: 15,
    kills: 0,
    patienceMs: 10_000,
    sabotage: `
      create function sabotage() returns trigger language plpgsql as $$
        begin new.event_id := md5(random()::text); return new; end $$;
      create trigger sabotage before insert on calendar_events for each row execute function sabotage()`,
  });
  expect(report.differences).not.toEqual([]);
});
