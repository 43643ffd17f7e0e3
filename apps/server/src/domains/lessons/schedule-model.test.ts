import type pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectAsMaintenance, insertTutorFixture } from '../../test/model/insert-tutor-fixture.ts';
import { isLongRun, Random, seedFromEnvironment } from '../../test/model/random.ts';
import type { Command } from '../../test/model/schedule/commands.ts';
import { ModelRunner } from '../../test/model/schedule/model-runner.ts';
import { nextCommand } from '../../test/model/schedule/random-commands.ts';
import type { WrongRule } from '../../test/model/schedule/schedule-model.ts';
import { startTestApp, type TestApp } from '../../test/test-app.ts';

/*
 * Model-based test: runs random commands against the server over HTTP and against a model of the rules (test/model). After
 * each command, all sessions with their seats and the source of their fees, lessons, charges and responses must match.
 * `SEED=…` repeats a run; `LONG=1` makes it longer.
 */
const SEQUENCES = Number(process.env['SEQUENCES'] ?? (isLongRun() ? 2_000 : 90));
const STEPS = 15;
const ZONES = [
  'Europe/London',
  'America/New_York',
  'Australia/Sydney',
  'Asia/Kolkata',
  'Pacific/Auckland',
];

const givenSeed = process.env['SEED'];
const seed = seedFromEnvironment();

let app: TestApp;
let adminDb: pg.Client;
beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_FACTOR: '1000' });
  adminDb = await connectAsMaintenance(app);
});
afterAll(async () => {
  await adminDb.end();
  await app.close();
});

interface RunResult {
  commands: Command[];
  difference: string | null;
}

async function runSequence(
  sequence: number,
  wrongRule: WrongRule | null = null,
): Promise<RunResult> {
  const random = new Random(sequence);
  app.clock.restart();
  // Scheduled work for tutors from earlier sequences must not run when the clock advances again.
  await app.context.db.global.deleteFrom('tenant_schedule').execute();
  const zone = random.pick(ZONES);
  const fixture = await insertTutorFixture(app, zone, 6);
  const runner = new ModelRunner(app, adminDb, fixture, zone, wrongRule);
  const commands: Command[] = [];
  while (commands.length < STEPS) {
    const command = nextCommand(random, runner.state, runner.fixtureIds);
    try {
      const difference = await runner.run(command);
      commands.push(command);
      if (difference) return { commands, difference };
    } catch (error) {
      return { commands: [...commands, command], difference: String(error) };
    }
  }
  // The screens show the same data, so it is enough to check them in every third sequence.
  const difference = sequence % 3 === 0 ? await runner.checkScreens() : null;
  return { commands, difference };
}

const log = (line: string) => process.stdout.write(`[model] ${line}\n`);

test(`${SEQUENCES} random sequences of ${STEPS} commands: the server behaves like the model`, {
  timeout: isLongRun() ? 3_600_000 : 900_000,
}, async () => {
  // Runs the sequence for the given seed first, then those for the following seeds, in the same order as the failed run.
  log(`SEED=${seed}${givenSeed ? '' : ' (set it to repeat this run)'}`);
  const failures: string[] = [];
  const kinds = new Map<string, number>();
  const maxFailures = Number(process.env['FAILURES'] ?? 1);
  for (let index = 0; index < SEQUENCES && failures.length < maxFailures; index++) {
    const result = await runSequence(seed + index);
    for (const { kind } of result.commands) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
    if (result.difference) failures.push(report(seed + index, result));
  }
  log([...kinds].map(([kind, count]) => `${kind} ${count}`).join(', '));
  expect(failures.join('\n\n')).toBe('');
});

function report(sequence: number, { commands, difference }: RunResult): string {
  const lines = commands.map((command, index) => `  ${index + 1}. ${JSON.stringify(command)}`);
  return [`SEED=${sequence}, command ${commands.length}: ${difference}`, ...lines].join('\n');
}

describe('the comparison detects an error', () => {
  async function findFirstDifference(wrongRule: WrongRule): Promise<string | null> {
    for (let sequence = 1; sequence <= 20; sequence++) {
      const { difference } = await runSequence(sequence, wrongRule);
      if (difference) return difference;
    }
    return null;
  }

  test('when a rate applies before its date', async () => {
    expect(await findFirstDifference('rates apply before their date')).toMatch(
      /^(session\.\d+\.seats|rate\.changedSeats)/,
    );
  });

  test('when a series has sessions between the terms', async () => {
    expect(await findFirstDifference('terms have no gaps')).toMatch(
      /^(preview: )?(consequences\.(created|outsideTerms|firstDate)|terms\.lesson|session\.\d+)/,
    );
  });
});
