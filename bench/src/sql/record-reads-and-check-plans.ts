import type { Dashboard } from '@lessonbook/contract/dashboard';
import type { SessionRow } from '@lessonbook/contract/sessions';
import type { SeededDatabase } from '../databases.ts';
import { READS, type Read, randomPath } from '../load/requests.ts';
import { loginToken, tutorId } from '../seed/generated-tutor-data.ts';
import { checkPlans, type Finding } from './check-query-plans.ts';
import { type Statement, startRecorder } from './record-statements.ts';

export type Calls = Record<Read, Statement[]>;

const WARM_UP_CALLS = 10;

/** Records the statements of each call after warm-up, and checks their plans. */
export async function recordCalls(
  db: SeededDatabase,
): Promise<{ calls: Calls; findings: Finding[] }> {
  const recorder = await startRecorder(db);
  try {
    const calls = {} as Calls;
    const findings: Finding[] = [];
    for (const read of READS) {
      const path = randomPath(read, () => DRAW_WITH_LESSONS);
      for (let call = 0; call < WARM_UP_CALLS; call += 1) {
        const { statements, body } = await recorder.record({ path, token: loginToken(0) });
        calls[read] = statements;
        assertNotEmpty(read, body);
      }
      const found = await checkPlans(db, tutorId(0), calls[read]);
      findings.push(...found.map((each) => ({ ...each, what: `${read}: ${each.what}` })));
    }
    const replannedStatements = await recorder.findCustomPlannedStatements();
    findings.push(
      ...replannedStatements.map((statement) => ({
        statement,
        what: 'replanned on every call',
        isFault: false,
      })),
    );
    return { calls, findings };
  } finally {
    await recorder.stop();
  }
}

/** A random value for which `randomPath` picks a month and a weekday with seeded lessons. */
const DRAW_WITH_LESSONS = 0.66;

/** An empty reply would be fast and prove nothing. */
function assertNotEmpty(read: Read, body: unknown): void {
  const rows = read === 'dashboard' ? (body as Dashboard).upcoming : (body as SessionRow[]);
  if (rows.length === 0) throw new Error(`The ${read} has no seeded data`);
}
