import { createHash } from 'node:crypto';
import { lessons } from '@lessonbook/contract/lessons';
import type { Postgres } from '@lessonbook/stage/postgres';
import { type Book, copyOf, dropCopy, seededDatabase } from './databases.ts';
import { createLessonRequest, lessonBody, SATURDAY, SUNDAY, sampleOf } from './load/calls.ts';
import {
  forThroughput,
  measureHttp,
  measurePgbench,
  Rounds,
  type Served,
  serve,
  sizesInWords,
} from './measure.ts';
import type { Options } from './options.ts';
import {
  cores,
  count,
  type Goal,
  limitsInWords,
  milliseconds,
  noiseInWords,
  type Outcome,
} from './report.ts';
import { LESSONS, loginToken, SESSIONS_PER_TUTOR, tutorId } from './seed/book.ts';
import { withClient } from './server.ts';
import { CAPTURE_KEY, type Statement, startRecorder } from './sql/capture.ts';
import { type Script, scriptOf } from './sql/pgbench.ts';
import { checkPlans, type Finding } from './sql/plans.ts';
import { textValue } from './sql/text-value.ts';

const P99_GOAL = 1.3;
const THROUGHPUT_GOAL = 0.7;
const SESSIONS_OF_LESSON = 52;
const BARE = 'by pgbench';

/** Creating a weekly lesson with its 52 sessions. */
export async function benchWrite(
  postgres: Postgres,
  options: Options,
  keep: (served: Served[]) => Promise<void>,
): Promise<Outcome> {
  const copies: Book[] = [];
  try {
    for (const size of options.sizes) {
      const seeded = await seededDatabase(postgres.adminUrl, size);
      copies.push(await copyOf(postgres.adminUrl, seeded));
    }
    const largest = copies.at(-1) as Book;
    const statements = await recordCall(largest);
    // On the database from which the copy was made: there the lesson does not exist yet.
    const untouched = await seededDatabase(postgres.adminUrl, largest.sessions);
    const findings = await checkPlans(untouched, tutorId(0), statements);

    const served = await serve(copies);
    try {
      const rounds = await measure(served, postgres.pid as number, options, statements);
      for (const copy of copies) await assertWritten(copy);
      await keep(served);
      return await outcomeOf(served, rounds, findings, options);
    } finally {
      for (const { api } of served) await api.stop();
    }
  } finally {
    for (const copy of copies) await dropCopy(postgres.adminUrl, copy);
  }
}

async function recordCall(book: Book): Promise<Statement[]> {
  const recorder = await startRecorder(book);
  try {
    const body = lessonBody(SUNDAY, 0);
    const call = {
      method: 'POST',
      path: lessons.createLesson.path,
      token: loginToken(0),
      body,
    } as const;
    return (await recorder.record(call)).statements;
  } finally {
    await recorder.stop();
  }
}

/** What was measured must have happened: each new lesson stands in the book with all its sessions. */
async function assertWritten(book: Book): Promise<void> {
  const made = await withClient(book.urls.maintenanceUrl, async (client) => {
    const { rows } = await client.query<{ lessons: number; sessions: number }>(
      `select (select count(*)::int from lessons where id > $1) as lessons,
         (select count(*)::int from sessions where lesson_id > $1) as sessions`,
      [LESSONS.length],
    );
    return rows[0] as (typeof rows)[0];
  });
  if (made.lessons > 0 && made.sessions === made.lessons * SESSIONS_OF_LESSON) return;
  throw new Error(`${made.lessons} new lessons have ${made.sessions} sessions`);
}

async function measure(
  served: Served[],
  postgresPid: number,
  options: Options,
  statements: Statement[],
): Promise<Rounds> {
  const rounds = new Rounds();
  const bare = forThroughput(served);
  const script = writeScript(statements, bare.book, options);
  const loads = new Map(served.map((each) => [each, requests(each, options)]));
  for (let round = 0; round < options.rounds; round += 1) {
    console.log(`round ${round + 1} of ${options.rounds}`);
    for (const each of round % 2 === 0 ? served : served.toReversed()) {
      const next = loads.get(each) as () => string;
      rounds.add(
        httpName(each.book),
        await measureHttp(each, postgresPid, options, { next, expectedStatus: 201 }),
      );
    }
    rounds.add(BARE, await measurePgbench(bare, postgresPid, options, 'create-lesson', script));
  }
  return rounds;
}

/** Tutors take turns, and each lesson takes the next minute of its tutor's Saturday. */
function requests({ book, api }: Served, options: Options): () => string {
  const { size, step } = sampleOf(book.tutors, options.tutors);
  let turn = -1;
  return () => {
    turn += 1;
    const tutor = (turn % size) * step;
    const body = lessonBody(SATURDAY, Math.floor(turn / size));
    return createLessonRequest(
      api.origin,
      tutor,
      body,
      `bench-${turn}-${performance.timeOrigin}`.replace('.', '-'),
    );
  };
}

/**
 * The statements of the call with what differs from lesson to lesson: its ids, which come back from `id_sequences`, and its
 * instants, which move on by a minute with each lesson so that nothing overlaps.
 */
function writeScript(statements: Statement[], book: Book, options: Options): Script {
  const { size, step } = sampleOf(book.tutors, options.tutors);
  const lessonId = LESSONS.length + 1;
  const sessionIds = Array.from(
    { length: SESSIONS_OF_LESSON },
    (_, index) => SESSIONS_PER_TUTOR + 1 + index,
  );
  const firstSessionId = SESSIONS_PER_TUTOR + 1;
  return scriptOf(statements, {
    opening: [
      String.raw`\set turn :turn + 1`,
      String.raw`\set login ${step} * permute(:turn * ${options.clients} + :client_id, ${size})`,
      String.raw`\set key random(100000000, 9000000000000000000)`,
    ],
    constants: { turn: '0' },
    tutorId: tutorId(0),
    tokenHash: createHash('sha256').update(loginToken(0)).digest(),
    after: (statement) => {
      if (!/returning "last_id"/.test(statement.text)) return undefined;
      return statement.values.includes('lesson')
        ? String.raw` \gset lesson_`
        : String.raw` \gset session_`;
    },
    replace: (value, constant) => {
      if (value === CAPTURE_KEY) return ':key';
      if (value === lessonId) return ':lesson_last_id';
      if (value === firstSessionId) return `(:session_last_id - ${SESSIONS_OF_LESSON - 1})`;
      if (!Array.isArray(value)) return undefined;
      if (textValue(value) === textValue(sessionIds)) {
        return `array(select generate_series(:session_last_id::int - ${SESSIONS_OF_LESSON - 1}, :session_last_id::int))`;
      }
      if (value[0] instanceof Date) {
        return `array(select unnest(${constant(textValue(value) ?? '')}::timestamptz[]) + :lesson_last_id * interval '1 minute')`;
      }
      return undefined;
    },
  });
}

const httpName = (book: Book): string => `HTTP at ${book.sessions}`;

async function outcomeOf(
  served: Served[],
  rounds: Rounds,
  findings: Finding[],
  options: Options,
): Promise<Outcome> {
  const [smallest, largest] = [served[0] as Served, served.at(-1) as Served];
  const bare = forThroughput(served);
  const p99 = ({ book }: Served) => rounds.median(httpName(book), (round) => round.latencies?.p99);
  const rate = (name: string) => rounds.median(name, (round) => round.perSecond);
  const growth: Goal = {
    what: `p99 of creating a lesson, ${count(largest.book.sessions)} against ${count(smallest.book.sessions)} sessions`,
    measured: p99(largest) / p99(smallest),
    bound: P99_GOAL,
    kind: 'at most',
    limits: limitsInWords(rounds.cores(httpName(largest.book))),
  };
  const scans: Goal = {
    what: `scans of a whole tenant table or index, at ${count(largest.book.sessions)} sessions`,
    measured: findings.filter((finding) => finding.isFault).length,
    bound: 0,
    kind: 'at most',
    limits: 'See the plans below',
  };
  const throughput: Goal = {
    what: `creating a lesson with 52 sessions over HTTP against bare pgbench, at ${count(bare.book.sessions)} sessions`,
    measured: rate(httpName(bare.book)) / rate(BARE),
    bound: THROUGHPUT_GOAL,
    kind: 'at least',
    limits: limitsInWords(rounds.cores(httpName(bare.book))),
  };
  return {
    notes: [
      `Tutors at work, in turn: ${options.tutors} or all there are. Clients: ${options.clients}. On disk: ${await sizesInWords(served)}.`,
      ...noiseInWords(rounds.mostDisturbed()),
    ],
    tables: [
      {
        title:
          'A weekly lesson with its 52 sessions; medians of the rounds, times in milliseconds.',
        columns: [
          'by',
          'sessions',
          'lessons/s',
          'p50',
          'p95',
          'p99',
          'API cores',
          'PostgreSQL',
          'client',
          'others',
        ],
        rows: [
          ...served.map(({ book }) => row('API', httpName(book), book, rounds)),
          row('pgbench', BARE, bare.book, rounds),
        ],
      },
    ],
    goals: [...(smallest === largest ? [] : [growth]), scans, throughput],
    findings,
  };
}

function row(by: string, name: string, book: Book, rounds: Rounds): string[] {
  const used = rounds.cores(name);
  const time = (pick: 'p50' | 'p95' | 'p99') => {
    const value = rounds.median(name, (round) => round.latencies?.[pick]);
    return Number.isNaN(value) ? '' : milliseconds(value);
  };
  return [
    by,
    count(book.sessions),
    count(rounds.median(name, (round) => round.perSecond)),
    time('p50'),
    time('p95'),
    time('p99'),
    cores(used.api),
    cores(used.postgres),
    cores(used.client),
    cores(used.others),
  ];
}
