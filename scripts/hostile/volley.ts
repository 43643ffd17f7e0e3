import { randomToken } from '@lessonbook/server/src/platform/crypto.ts';
import { Random } from '@lessonbook/server/src/test/model/random.ts';
import { type Attack, attacksOn, type Caller, type Measure } from './attacks.ts';
import { type Book, logIn, openBook } from './books.ts';
import { timeOfItsOwn } from './busy.ts';
import { Client, type Hit } from './client.ts';
import { type Fault, inWords, judge } from './judge.ts';
import type { Operation } from './operations.ts';
import { readPool } from './pool.ts';
import type { Tally } from './tally.ts';
import type { Target } from './target.ts';
import type { Victims } from './victims.ts';

export interface Volley {
  target: Target;
  /** Of the process that is attacked. */
  url: string;
  pid: number;
  victims: Victims;
  operations: readonly Operation[];
  seed: number;
  measure: Measure;
  tally: Tally;
  /** An answer that takes longer is a fault; infinite where time is of no interest, such as with everything taken away. */
  slowMs: number;
}

let attackers = 0;

/** Of one operation so many are asked again, until one of them is slow alone too. */
const SLOW_ONES = 5;
const TRIES = 4;

const CONNECTIONS = 6;
/** After so many operations the attacker's ids are read again: some have been deleted by then. */
const AT_A_TIME = 20;

/** One attacker with a fresh book against all operations. */
export async function fire(volley: Volley): Promise<Fault[]> {
  const { target, url, victims, seed, tally } = volley;
  const random = new Random(seed);
  const attacker = await openBook(target, `attacker${(attackers += 1)}`, 'plainly', 0);
  tally.volleys += 1;
  const cookies = await cookiesFor(target, attacker, victims);
  const far = await readPool(target.admin, victims.far.tutorId);
  const near = await readPool(target.admin, victims.near.tutorId);
  const client = new Client(url, CONNECTIONS);
  const faults: Fault[] = [];
  const slow: Attack[] = [];
  let renewing: Promise<void> | undefined;
  try {
    const operations = inOrder(shuffled(volley.operations, random));
    for (let at = 0; at < operations.length; at += AT_A_TIME) {
      const own = await readPool(target.admin, attacker.tutorId);
      const today = new Date().toISOString().slice(0, 10);
      const weapons = {
        random,
        own,
        far,
        near,
        handles: victims.handles,
        today,
        username: attacker.username,
      };
      const attacks = operations
        .slice(at, at + AT_A_TIME)
        .flatMap((operation) => attacksOn(operation, weapons, volley.measure));
      await inParallel(shuffled(attacks, random), async (attack) => {
        const hit = await send(client, attack, cookies, faults);
        if (!hit) return;
        tally.count(attack, hit);
        faults.push(...(await judge(attack, hit, victims)));
        if (hit.ms > volley.slowMs) slow.push(attack);
        if (!isLoggedOut(attack, hit)) return;
        // Several may notice at once; one login is enough, and the database is asked one thing at a time.
        renewing ??= freshLogin(target, attacker).then((cookie) => {
          cookies.tutor = cookie;
          renewing = undefined;
        });
        await renewing;
      });
    }
    faults.push(...(await askAgain(client, slow, cookies, volley)));
    return faults;
  } finally {
    client.close();
  }
}

type Cookies = Record<Caller, string>;

async function cookiesFor(target: Target, attacker: Book, victims: Victims): Promise<Cookies> {
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
async function freshLogin(target: Target, { tutorId }: Book): Promise<string> {
  const token = randomToken();
  await target.admin.query(
    `insert into logins (token_hash, tutor_id, public_id, user_agent, created_at, last_seen_at, reauthenticated_at, expires_at)
     values (sha256($2), $1, gen_random_uuid(), '', now(), now(), now(), now() + interval '1 day')`,
    [tutorId, token],
  );
  return `lessonbook=${token}`;
}

const isLoggedOut = ({ caller, operation, shot }: Attack, { status }: Hit): boolean =>
  status === 401 && caller === 'tutor' && operation.needsLogin && shot.method === operation.method;

async function send(
  client: Client,
  attack: Attack,
  cookies: Cookies,
  faults: Fault[],
): Promise<Hit | undefined> {
  const cookie = [cookies[attack.caller], attack.cookie].filter(Boolean).join('; ');
  const headers = cookie ? { ...attack.shot.headers, cookie } : attack.shot.headers;
  try {
    return await client.send({ ...attack.shot, headers });
  } catch (problem) {
    const detail = `${String(problem)}; ${inWords(attack)}`;
    // Letters that Node's own client refuses to send never arrive.
    if (
      !/ERR_UNESCAPED_CHARACTERS|ERR_INVALID_CHAR/.test((problem as { code?: string }).code ?? '')
    )
      faults.push({ kind: 'no answer', operation: attack.operation.name, detail });
    return undefined;
  }
}

/** What was slow among others is asked a few times more with nothing beside it: the machine may have been busy. */
async function askAgain(
  client: Client,
  slow: readonly Attack[],
  cookies: Cookies,
  { tally, pid, slowMs }: Volley,
): Promise<Fault[]> {
  const faults: Fault[] = [];
  const tried = new Map<string, number>();
  for (const attack of slow) {
    const { name } = attack.operation;
    const before = tried.get(name) ?? 0;
    tried.set(name, before + 1);
    if (before >= SLOW_ONES || faults.some(({ operation }) => operation === name)) continue;
    const times: number[] = [];
    while (times.length < TRIES && Math.min(...times) > slowMs) {
      await new Promise((resolve) => setTimeout(resolve, 300 * times.length));
      const ms = await timeOfItsOwn(pid, () => send(client, attack, cookies, faults));
      tally.countAgain(ms);
      times.push(ms);
    }
    if (Math.min(...times) <= slowMs) continue;
    const detail = `took ${Math.round(Math.min(...times))} ms alone; ${inWords(attack)}`;
    faults.push({ kind: 'slow', operation: name, detail });
  }
  return faults;
}

/**
 * Reading first, and last what takes things away: who has nothing left cannot try much. After all of it the password, without
 * which nothing can be confirmed.
 */
const inOrder = (operations: readonly Operation[]): Operation[] =>
  operations.toSorted((one, other) => wearOf(one) - wearOf(other));

function wearOf({ method, path }: Operation): number {
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
