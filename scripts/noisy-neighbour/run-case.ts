import { setTimeout as sleep } from 'node:timers/promises';
import type { AttackThreads, StatusCounts } from './attack.ts';
import type { Case, CaseContext } from './cases.ts';
import { watchStatements } from './database-activity.ts';
import type { MeasuredTutor, Sample, SampleKind } from './measured-tutor.ts';
import type { Stall, Target } from './start-system-under-test.ts';

export interface CaseResult {
  name: string;
  samples: Sample[];
  stalls: Stall[];
  /** Processes that did not answer at the end and were restarted. */
  hung: Stall[];
  statuses: StatusCounts;
  /** The statements that were running most often. */
  statements: string[];
  seconds: number;
}

export interface CaseSize {
  /** The minimum duration of each stage. */
  stageMs: number;
  /** A stage ends after this time even if no salvo was answered or samples are missing. */
  maxStageMs: number;
  /** The minimum number of samples for the whole case. */
  minSamples: number;
}

const POLL_MS = 20;

export interface CaseRunner {
  target: Target;
  measuredTutor: MeasuredTutor;
  threads: AttackThreads;
}

export async function runCase(
  { target, measuredTutor, threads }: CaseRunner,
  { name, build }: Case,
  context: CaseContext,
  size: CaseSize,
): Promise<CaseResult> {
  await resetLimits(target);
  target.app.mailbox.clear();
  const stages = await build(context);
  const url = target.apis()[0]?.url ?? '';
  const statements = watchStatements(target.app.postgres.adminUrl);
  const [from, start] = [Date.now(), performance.now()];
  const measurement = measuredTutor.start();
  const statuses: StatusCounts = {};
  for (const [index, salvos] of stages.entries()) {
    const attack = await threads.start({ url, salvos });
    const stageStart = performance.now();
    const samplesNeeded = (size.minSamples * (index + 1)) / stages.length;
    let progress = await attack.progress();
    const isDone = () => {
      const ms = performance.now() - stageStart;
      const isMeasured = progress.isAnswered && measurement.count() >= samplesNeeded;
      return ms >= size.maxStageMs || (ms >= size.stageMs && isMeasured);
    };
    while (!isDone()) {
      await sleep(POLL_MS);
      progress = await attack.progress();
    }
    await attack.stop();
    for (const [status, count] of Object.entries(progress.counts))
      statuses[Number(status)] = (statuses[Number(status)] ?? 0) + count;
  }
  const samples = await measurement.stop();
  const stalls = target.stalls(from, Date.now());
  return {
    name,
    samples,
    stalls,
    statuses,
    statements: await statements.stop(),
    hung: await target.recover([context.account.tutorId, context.demoId]),
    seconds: (performance.now() - start) / 1000,
  };
}

/** Every case starts with unused limits, so that its first calls are served. */
async function resetLimits({ admin }: Target): Promise<void> {
  await admin.query('delete from rate_limits');
}

/** How long each kind of call takes without an attack. */
export type BaselineTimes = Record<SampleKind, number>;

/** The time within which this share of the calls finished; 1 gives the time of the slowest call. */
export async function measureBaseline(
  measuredTutor: MeasuredTutor,
  ms: number,
  share: number,
): Promise<BaselineTimes> {
  const measurement = measuredTutor.start();
  await sleep(ms);
  const samples = await measurement.stop();
  const failed = samples.find(({ status }) => status === 0 || status >= 400);
  if (failed) throw new Error(`Without an attack, tutor B's ${failed.kind} got ${failed.status}`);
  const timeOf = (kind: SampleKind) =>
    percentile(
      samples.filter((sample) => sample.kind === kind).map((sample) => sample.ms),
      share,
    );
  return { dashboard: timeOf('dashboard'), lesson: timeOf('lesson'), mail: timeOf('mail') };
}

export const percentile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(values.length * share) - 1)] ?? 0;
