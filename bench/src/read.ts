import { createHash } from 'node:crypto';
import type { Dashboard } from '@lessonbook/contract/reports';
import type { SessionRow } from '@lessonbook/contract/sessions';
import type { Postgres } from '@lessonbook/stage/postgres';
import { type Book, seededDatabase } from './databases.ts';
import { getRequest, pathOf, READS, type Read, sampleOf } from './load/calls.ts';
import { visitAll } from './load/drive.ts';
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
  type Table,
} from './report.ts';
import { loginToken, tutorId } from './seed/book.ts';
import { stream } from './seed/random.ts';
import { type Statement, startRecorder } from './sql/capture.ts';
import { type Script, scriptOf } from './sql/pgbench.ts';
import { checkPlans, type Finding } from './sql/plans.ts';

const SEED = 20_261_116;
const P99_GOAL = 1.3;
const THROUGHPUT_GOAL = 0.35;

type Calls = Record<Read, Statement[]>;

export async function benchRead(
  postgres: Postgres,
  options: Options,
  keep: (served: Served[]) => Promise<void>,
): Promise<Outcome> {
  const books: Book[] = [];
  for (const size of options.sizes) books.push(await seededDatabase(postgres.adminUrl, size));
  const largest = books.at(-1) as Book;
  const { calls, findings } = await recordCalls(largest);

  const served = await serve(books);
  try {
    for (const each of served) await warmUp(each, options);
    const rounds = await measure(served, postgres.pid as number, options, calls);
    await keep(served);
    return await outcomeOf(served, rounds, findings, options);
  } finally {
    for (const { api } of served) await api.stop();
  }
}

const OFTEN = 10;

/** What each call sends, once everything that is asked only once has been asked, and how PostgreSQL runs it. */
async function recordCalls(book: Book): Promise<{ calls: Calls; findings: Finding[] }> {
  const recorder = await startRecorder(book);
  try {
    const calls = {} as Calls;
    const findings: Finding[] = [];
    for (const read of READS) {
      const path = pathOf(read, () => IN_THE_MIDDLE);
      for (let time = 0; time < OFTEN; time += 1) {
        const { statements, body } = await recorder.record({ path, token: loginToken(0) });
        calls[read] = statements;
        assertFull(read, body);
      }
      const found = await checkPlans(book, tutorId(0), calls[read]);
      findings.push(...found.map((each) => ({ ...each, what: `${read}: ${each.what}` })));
    }
    const anew = await recorder.plannedAnew();
    findings.push(
      ...anew.map((statement) => ({
        statement,
        what: 'planned anew at every call',
        isFault: false,
      })),
    );
    return { calls, findings };
  } finally {
    await recorder.stop();
  }
}

/** A draw that gives the month and a weekday in which the seeded book has lessons. */
const IN_THE_MIDDLE = 0.66;

/** An empty screen is fast and proves nothing. */
function assertFull(read: Read, body: unknown): void {
  const rows = read === 'dashboard' ? (body as Dashboard).upcoming : (body as SessionRow[]);
  if (rows.length === 0) throw new Error(`The ${read} of the seeded book is empty`);
}

/** Every tutor who will be at work looks at every screen once, so that no round meets a cold page. */
async function warmUp({ book, api }: Served, options: Options): Promise<void> {
  const { size, step } = sampleOf(book.tutors, options.tutors);
  const random = stream(SEED);
  for (const read of READS) {
    const visits = Array.from({ length: size }, (_, index) =>
      getRequest(api.origin, index * step, pathOf(read, random)),
    );
    await visitAll(api.port, options.clients, visits);
  }
}

/** Sizes take turns within each round, since the machine is not the same from minute to minute. */
async function measure(
  served: Served[],
  postgresPid: number,
  options: Options,
  calls: Calls,
): Promise<Rounds> {
  const rounds = new Rounds();
  const bare = forThroughput(served);
  for (let round = 0; round < options.rounds; round += 1) {
    console.log(`round ${round + 1} of ${options.rounds}`);
    const inTurn = round % 2 === 0 ? served : served.toReversed();
    for (const read of READS) {
      for (const each of inTurn) {
        const next = requests(each, read, options, SEED + round);
        const measured = await measureHttp(each, postgresPid, options, {
          next,
          expectedStatus: 200,
        });
        rounds.add(httpName(read, each.book), measured);
      }
      const script = readScript(calls[read], bare.book, options);
      rounds.add(bareName(read), await measurePgbench(bare, postgresPid, options, read, script));
    }
  }
  return rounds;
}

/** The same draws of months and days at every size; of tutors, as many as there are. */
function requests({ book, api }: Served, read: Read, options: Options, seed: number): () => string {
  const { size, step } = sampleOf(book.tutors, options.tutors);
  const random = stream(seed);
  return () => getRequest(api.origin, Math.floor(random() * size) * step, pathOf(read, random));
}

function readScript(statements: Statement[], book: Book, options: Options): Script {
  const { size, step } = sampleOf(book.tutors, options.tutors);
  return scriptOf(statements, {
    opening: [String.raw`\set login ${step} * random(0, ${size - 1})`],
    tutorId: tutorId(0),
    tokenHash: createHash('sha256').update(loginToken(0)).digest(),
  });
}

const httpName = (read: Read, book: Book): string => `${read} at ${book.sessions}`;
const bareName = (read: Read): string => `${read} by pgbench`;

async function outcomeOf(
  served: Served[],
  rounds: Rounds,
  findings: Finding[],
  options: Options,
): Promise<Outcome> {
  const [smallest, largest] = [served[0] as Served, served.at(-1) as Served];
  const bare = forThroughput(served);
  const p99 = (read: Read, { book }: Served) =>
    rounds.median(httpName(read, book), (round) => round.latencies?.p99);
  const rate = (name: string) => rounds.median(name, (round) => round.perSecond);

  const growth: Goal[] = (smallest === largest ? [] : READS).map((read) => ({
    what: `p99 of ${read}, ${count(largest.book.sessions)} against ${count(smallest.book.sessions)} sessions`,
    measured: p99(read, largest) / p99(read, smallest),
    bound: P99_GOAL,
    kind: 'at most',
    limits: `${milliseconds(p99(read, smallest))} ms became ${milliseconds(p99(read, largest))} ms. ${limitsInWords(rounds.cores(httpName(read, largest.book)))}`,
  }));
  const throughput: Goal = {
    what: `dashboard over HTTP against bare pgbench, at ${count(bare.book.sessions)} sessions`,
    measured: rate(httpName('dashboard', bare.book)) / rate(bareName('dashboard')),
    bound: THROUGHPUT_GOAL,
    kind: 'at least',
    limits: limitsInWords(rounds.cores(httpName('dashboard', bare.book))),
  };
  const scans: Goal = {
    what: `scans of a whole tenant table or index, at ${count(largest.book.sessions)} sessions`,
    measured: findings.filter((finding) => finding.isFault).length,
    bound: 0,
    kind: 'at most',
    limits: 'See the plans below',
  };
  return {
    notes: [
      `Tutors at work: ${options.tutors} or all there are. Clients: ${options.clients}. On disk: ${await sizesInWords(served)}.`,
      ...noiseInWords(rounds.mostDisturbed()),
    ],
    tables: [latencyTable(served, rounds), throughputTable(bare, rounds)],
    goals: [...growth, scans, throughput],
    findings,
  };
}

function latencyTable(served: Served[], rounds: Rounds): Table {
  return {
    title: 'Over HTTP, cookie to reply, in milliseconds; medians of the rounds.',
    columns: [
      'call',
      'sessions',
      'calls/s',
      'p50',
      'p95',
      'p99',
      'API cores',
      'PostgreSQL',
      'client',
      'others',
    ],
    rows: READS.flatMap((read) =>
      served.map(({ book }) => {
        const name = httpName(read, book);
        const used = rounds.cores(name);
        return [
          read,
          count(book.sessions),
          count(rounds.median(name, (round) => round.perSecond)),
          milliseconds(rounds.median(name, (round) => round.latencies?.p50)),
          milliseconds(rounds.median(name, (round) => round.latencies?.p95)),
          milliseconds(rounds.median(name, (round) => round.latencies?.p99)),
          cores(used.api),
          cores(used.postgres),
          cores(used.client),
          cores(used.others),
        ];
      }),
    ),
  };
}

function throughputTable(bare: Served, rounds: Rounds): Table {
  return {
    title: `Against the same statements by pgbench, at ${count(bare.book.sessions)} sessions.`,
    columns: [
      'call',
      'API calls/s',
      'pgbench calls/s',
      'ratio',
      'PostgreSQL cores',
      'pgbench',
      'others',
    ],
    rows: READS.map((read) => {
      const api = rounds.median(httpName(read, bare.book), (round) => round.perSecond);
      const own = rounds.median(bareName(read), (round) => round.perSecond);
      const used = rounds.cores(bareName(read));
      return [
        read,
        count(api),
        count(own),
        (api / own).toFixed(2),
        cores(used.postgres),
        cores(used.client),
        cores(used.others),
      ];
    }),
  };
}
