import { fileURLToPath } from 'node:url';
import { Random } from '@lessonbook/server/src/test/model/random.ts';
import { type Operation, readOperations } from '../security-fuzz/operations.ts';
import { AttackThreads } from './attack.ts';
import {
  type Caller,
  type Case,
  compareByDestructiveness,
  createOperationCase,
  NAMED_CASES,
  readCaseContext,
} from './cases.ts';
import { type Fault, findFaults, type Limits } from './find-faults.ts';
import { createLargeAccount } from './large-account.ts';
import { MeasuredTutor } from './measured-tutor.ts';
import { formatBaseline, formatCase } from './report.ts';
import { type CaseSize, measureBaseline, runCase } from './run-case.ts';
import { startTarget, type Target } from './start-system-under-test.ts';

export interface RunOptions {
  seed: number;
  isLong: boolean;
  slowdown: number;
  profile: boolean;
  /** Only cases whose name contains this text, or one of several separated by '|'. */
  only: string;
  /** Attacks the planted operations of the sabotaged API instead. */
  sabotage: boolean;
}

export interface EvaluatedCase {
  name: string;
  faults: Fault[];
}

const SABOTAGED_API = fileURLToPath(new URL('sabotaged-api.ts', import.meta.url));
const DRAWN_OPERATIONS = 10;
/** A case is repeated if its only fault is slowness, and compared with how fast the machine is then. */
const MAX_ATTEMPTS = 3;
const REPEATED_QUIET_MS = 5_000;
const PLANTED_PATH = '/api/planted/';
const SHORT = {
  quietMs: 2_000,
  namedStageMs: 1_200,
  stageMs: 600,
  maxStageMs: 3_000,
  minSamples: 0,
};
const LONG = {
  quietMs: 20_000,
  namedStageMs: 3_000,
  stageMs: 1_000,
  maxStageMs: 30_000,
  minSamples: 200,
};
const STALL_MS = 250;

export async function runNoisyNeighbour(options: RunOptions): Promise<EvaluatedCase[]> {
  const { seed, isLong, slowdown, sabotage, only } = options;
  const target = await startTarget({
    profile: options.profile,
    slowdown,
    ...(sabotage ? { apiEntry: SABOTAGED_API } : {}),
  });
  const threads = new AttackThreads();
  try {
    const random = new Random(seed);
    const [account, measuredTutor] = await Promise.all([
      createLargeAccount(target),
      MeasuredTutor.create(target),
      target.seedDemo(),
    ]);
    const demoId = await findDemoId(target);
    const sizes = isLong ? LONG : SHORT;
    const limits: Limits = {
      share: isLong ? 0.99 : 1,
      delayMs: (isLong ? 250 : 500) * slowdown,
      // Processor time does not depend on the load of the machine, but on the speed of its processor.
      stallMs: STALL_MS * slowdown,
      minSamples: sizes.minSamples,
    };
    // A first round, because the first calls to a process compile its code.
    await measureBaseline(measuredTutor, sizes.quietMs / 2, 1);
    const quiet = await measureBaseline(measuredTutor, sizes.quietMs, limits.share);
    console.log(`quiet: ${formatBaseline(quiet)}`);
    const operations = await readOperations(target.app.url);
    const cases = chooseCases(operations, random, options).filter(({ name }) =>
      only.split('|').some((part) => name.includes(part)),
    );
    const judgedCases: EvaluatedCase[] = [];
    for (const each of cases) {
      const context = await readCaseContext(target, account, demoId, random);
      const isNamed = NAMED_CASES.includes(each);
      const size: CaseSize = {
        stageMs: isNamed ? sizes.namedStageMs : sizes.stageMs,
        maxStageMs: sizes.maxStageMs * slowdown,
        minSamples: sizes.minSamples,
      };
      let faults: Fault[] = [];
      for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
        const reference =
          attempt === 1
            ? quiet
            : await measureBaseline(measuredTutor, REPEATED_QUIET_MS, limits.share);
        if (attempt > 1) console.log(`quiet: ${formatBaseline(reference)}`);
        const result = await runCase({ target, measuredTutor, threads }, each, context, size);
        faults = findFaults(result, reference, limits);
        console.log(formatCase(result, faults));
        // Another program on the machine can delay tutor B's calls once; a fault in the product delays them each time.
        if (faults.every(({ kind }) => kind !== 'slow') || faults.length > 1) break;
      }
      judgedCases.push({ name: each.name, faults });
    }
    return judgedCases;
  } finally {
    await threads.close();
    await target.close();
  }
}

async function findDemoId({ admin }: Target): Promise<string> {
  const { rows } = await admin.query<{ tutor_id: string }>(
    'select tutor_id from login_directory where is_demo',
  );
  if (!rows[0]) throw new Error('There is no demo account');
  return rows[0].tutor_id;
}

function chooseCases(
  operations: readonly Operation[],
  random: Random,
  { isLong, sabotage }: RunOptions,
): Case[] {
  if (sabotage)
    return operations
      .filter(({ path }) => path.startsWith(PLANTED_PATH))
      .map((operation) => createOperationCase(operation, 'tutor'));
  const all = operations
    .toSorted(compareByDestructiveness)
    .flatMap((operation) =>
      callersOf(operation).map((caller) => createOperationCase(operation, caller)),
    );
  if (isLong) return [...NAMED_CASES, ...all];
  const drawn = new Set<Case>();
  while (drawn.size < DRAWN_OPERATIONS) drawn.add(random.pick(all));
  return [...NAMED_CASES, ...all.filter((each) => drawn.has(each))];
}

const callersOf = ({ needsLogin }: Operation): Caller[] =>
  needsLogin ? ['tutor', 'demo'] : ['anonymous'];
