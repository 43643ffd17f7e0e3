import { randomToken } from '@lessonbook/server/src/platform/crypto/tokens.ts';
import { Random } from '@lessonbook/server/src/test/model/random.ts';
import { checkResponse, describeAttack, type Fault } from './assertions.ts';
import { type Attack, type AttackCounts, type Caller, generateAttacks } from './attacks.ts';
import { contentionFreeMs } from './cpu-time.ts';
import { readIdPool } from './id-pool.ts';
import type { Operation } from './operations.ts';
import { RawClient, type RawResponse } from './raw-client.ts';
import type { ResponseStats } from './response-stats.ts';
import type { Target } from './target.ts';
import { createTutorAccount, logIn, type TutorAccount } from './tutor-accounts.ts';
import type { Victims } from './victim-data.ts';

export interface Batch {
  target: Target;
  /** Of the process that is attacked. */
  url: string;
  pid: number;
  victims: Victims;
  operations: readonly Operation[];
  seed: number;
  counts: AttackCounts;
  stats: ResponseStats;
  /** An answer that takes longer is a fault; infinite where time is of no interest, such as with everything taken away. */
  slowMs: number;
}

let attackers = 0;

/** Of one operation so many are asked again, until one of them is slow alone too. */
const MAX_SLOW_RETRIES = 5;
const TRIES = 4;

const CONNECTIONS = 6;
/** After so many operations the attacker's ids are read again: some have been deleted by then. */
const OPERATIONS_PER_CHUNK = 20;

/** One attacker with a fresh book against all operations. */
export async function sendBatch(batch: Batch): Promise<Fault[]> {
  const { target, url, victims, seed, stats } = batch;
  const random = new Random(seed);
  const attacker = await createTutorAccount(target, `attacker${(attackers += 1)}`, 'plainly', 0);
  stats.batches += 1;
  const cookies = await cookiesFor(target, attacker, victims);
  const far = await readIdPool(target.admin, victims.far.tutorId);
  const near = await readIdPool(target.admin, victims.near.tutorId);
  const client = new RawClient(url, CONNECTIONS);
  const faults: Fault[] = [];
  const slow: Attack[] = [];
  let renewing: Promise<void> | undefined;
  try {
    const operations = sortByDestructiveness(shuffled(batch.operations, random));
    for (let at = 0; at < operations.length; at += OPERATIONS_PER_CHUNK) {
      const own = await readIdPool(target.admin, attacker.tutorId);
      const today = new Date().toISOString().slice(0, 10);
      const context = {
        random,
        own,
        far,
        near,
        tokens: victims.tokens,
        today,
        username: attacker.username,
      };
      const attacks = operations
        .slice(at, at + OPERATIONS_PER_CHUNK)
        .flatMap((operation) => generateAttacks(operation, context, batch.counts));
      await inParallel(shuffled(attacks, random), async (attack) => {
        const response = await send(client, attack, cookies, faults);
        if (!response) return;
        stats.count(attack, response);
        faults.push(...(await checkResponse(attack, response, victims)));
        if (response.ms > batch.slowMs) slow.push(attack);
        if (!isLoggedOut(attack, response)) return;
        // Several may notice at once; one login is enough, and the database is asked one thing at a time.
        renewing ??= freshLogin(target, attacker).then((cookie) => {
          cookies.tutor = cookie;
          renewing = undefined;
        });
        await renewing;
      });
    }
    faults.push(...(await retrySlow(client, slow, cookies, batch)));
    return faults;
  } finally {
    client.close();
  }
}

type Cookies = Record<Caller, string>;

async function cookiesFor(
  target: Target,
  attacker: TutorAccount,
  victims: Victims,
): Promise<Cookies> {
  const demo = target.browser();
  await logIn(demo, 'demo', 'demo1234');
  return {
    tutor: cookieOf(attacker.browser.cookies),
    nobody: '',
    expired: victims.expiredCookie,
    demo: cookieOf(demo.cookies),
  };
}

const cookieOf = (cookies: ReadonlyMap<string, string>): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

/** Past the login page: the attacker may have changed the password to anything. */
async function freshLogin(target: Target, { tutorId }: TutorAccount): Promise<string> {
  const token = randomToken();
  await target.admin.query(
    `insert into logins (token_hash, tutor_id, public_id, user_agent, created_at, last_seen_at, reauthenticated_at, expires_at)
     values (sha256($2), $1, gen_random_uuid(), '', now(), now(), now(), now() + interval '1 day')`,
    [tutorId, token],
  );
  return `lessonbook=${token}`;
}

const isLoggedOut = (
  { caller, operation, request: rawRequest }: Attack,
  { status }: RawResponse,
): boolean =>
  status === 401 &&
  caller === 'tutor' &&
  operation.needsLogin &&
  rawRequest.method === operation.method;

async function send(
  client: RawClient,
  attack: Attack,
  cookies: Cookies,
  faults: Fault[],
): Promise<RawResponse | undefined> {
  const cookie = [cookies[attack.caller], attack.cookie].filter(Boolean).join('; ');
  const headers = cookie ? { ...attack.request.headers, cookie } : attack.request.headers;
  try {
    return await client.send({ ...attack.request, headers });
  } catch (problem) {
    const detail = `${String(problem)}; ${describeAttack(attack)}`;
    // Letters that Node's own client refuses to send never arrive.
    if (
      !/ERR_UNESCAPED_CHARACTERS|ERR_INVALID_CHAR/.test((problem as { code?: string }).code ?? '')
    )
      faults.push({ kind: 'no answer', operation: attack.operation.name, detail });
    return undefined;
  }
}

/** What was slow among others is asked a few times more with nothing beside it: the machine may have been busy. */
async function retrySlow(
  client: RawClient,
  slow: readonly Attack[],
  cookies: Cookies,
  { stats, pid, slowMs }: Batch,
): Promise<Fault[]> {
  const faults: Fault[] = [];
  const tried = new Map<string, number>();
  for (const attack of slow) {
    const { name } = attack.operation;
    const before = tried.get(name) ?? 0;
    tried.set(name, before + 1);
    if (before >= MAX_SLOW_RETRIES || faults.some(({ operation }) => operation === name)) continue;
    const times: number[] = [];
    while (times.length < TRIES && Math.min(...times) > slowMs) {
      await new Promise((resolve) => setTimeout(resolve, 300 * times.length));
      const ms = await contentionFreeMs(pid, () => send(client, attack, cookies, faults));
      stats.countRetry(ms);
      times.push(ms);
    }
    if (Math.min(...times) <= slowMs) continue;
    const detail = `took ${Math.round(Math.min(...times))} ms alone; ${describeAttack(attack)}`;
    faults.push({ kind: 'slow', operation: name, detail });
  }
  return faults;
}

/**
 * Reading first, and last what takes things away: who has nothing left cannot try much. After all of it the password, without
 * which nothing can be confirmed.
 */
const sortByDestructiveness = (operations: readonly Operation[]): Operation[] =>
  operations.toSorted((one, other) => destructiveness(one) - destructiveness(other));

function destructiveness({ method, path }: Operation): number {
  if (path === '/api/password') return 3;
  if (method === 'DELETE' || /erase|account-deletion|logout|logins|\/(void|reverse)$/.test(path))
    return 2;
  return method === 'GET' || path.includes('preview') ? 0 : 1;
}

async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  let next = 0;
  const take = async () => {
    while (next < items.length) await work(items[next++] as T);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, take));
}

function shuffled<T>(items: readonly T[], random: Random): T[] {
  const list = [...items];
  for (let last = list.length - 1; last > 0; last -= 1) {
    const other = random.between(0, last);
    [list[last], list[other]] = [list[other] as T, list[last] as T];
  }
  return list;
}
