import { randomToken } from '@lessonbook/server/src/platform/crypto/tokens.ts';
import { Random } from '@lessonbook/server/src/test/model/random.ts';
import { checkResponse, describeAttack, type Fault } from './assertions.ts';
import { contentionFreeMs } from './contention-free-response-time.ts';
import {
  type Attack,
  type AttackContext,
  type AttackCounts,
  type Caller,
  generateAttacks,
} from './generate-attacks.ts';
import { readIdPool, readVictimIdPool } from './id-pool.ts';
import type { Operation } from './operations.ts';
import { RawClient, type RawResponse } from './raw-client.ts';
import type { ResponseStats } from './response-stats.ts';
import type { Target } from './start-system-under-test.ts';
import { createTutorAccount, logIn, type TutorAccount } from './tutor-accounts.ts';
import type { Victims } from './victim-data.ts';

export interface Batch {
  target: Target;
  /** URL and process id of the process under attack. */
  url: string;
  pid: number;
  victims: Victims;
  operations: readonly Operation[];
  seed: number;
  counts: AttackCounts;
  stats: ResponseStats;
  /** A slower response is a fault; Infinity if the time does not matter. */
  slowMs: number;
}

let attackerCount = 0;

/** Maximum number of slow requests per operation that are retried in isolation; stops at the first one that is slow again. */
const MAX_SLOW_RETRIES = 5;
const MAX_TRIES = 4;

const CONNECTIONS = 6;
/** After this many operations, the attacker's ids are read again, because some have been deleted. */
const OPERATIONS_PER_CHUNK = 20;

/** Creates an attacker account and attacks every operation with it. */
export async function runAttacks(batch: Batch): Promise<Fault[]> {
  const { target, url, victims, seed, stats } = batch;
  const random = new Random(seed);
  const attacker = await createTutorAccount(
    target,
    `attacker${(attackerCount += 1)}`,
    'regular',
    0,
  );
  stats.batches += 1;
  const cookies = await collectCookies(target, attacker, victims);
  const highIds = await readVictimIdPool(target.admin, victims.highIdVictim.tutorId);
  const overlappingIds = await readVictimIdPool(target.admin, victims.overlappingIdVictim.tutorId);
  const client = new RawClient(url, CONNECTIONS);
  const faults: Fault[] = [];
  const slow: Attack[] = [];
  let pendingLogin: Promise<void> | undefined;
  try {
    const operations = sortByDestructiveness(shuffle(batch.operations, random));
    for (let start = 0; start < operations.length; start += OPERATIONS_PER_CHUNK) {
      const ownIds = await readIdPool(target.admin, attacker.tutorId);
      const today = new Date().toISOString().slice(0, 10);
      const context: AttackContext = {
        random,
        ownIds,
        highIds,
        overlappingIds,
        tokens: victims.tokens,
        today,
        username: attacker.username,
      };
      const attacks = operations
        .slice(start, start + OPERATIONS_PER_CHUNK)
        .flatMap((operation) => generateAttacks(operation, context, batch.counts));
      await runInParallel(shuffle(attacks, random), async (attack) => {
        const response = await send(client, attack, cookies, faults);
        if (!response) return;
        stats.count(attack, response);
        faults.push(...(await checkResponse(attack, response, victims)));
        if (response.ms > batch.slowMs) slow.push(attack);
        if (!needsNewLogin(attack, response)) return;
        // Several concurrent requests may need a new login; one is enough.
        pendingLogin ??= insertBothLogins(target, attacker).then((cookie) => {
          cookies.tutor = cookie;
          pendingLogin = undefined;
        });
        await pendingLogin;
      });
    }
    faults.push(...(await retrySlow(client, slow, cookies, batch)));
    return faults;
  } finally {
    client.close();
  }
}

type Cookies = Record<Caller, string>;

async function collectCookies(
  target: Target,
  attacker: TutorAccount,
  victims: Victims,
): Promise<Cookies> {
  const demo = target.browser();
  await logIn(demo, 'demo', 'demo1234');
  return {
    tutor: `${cookieHeader(attacker.browser.cookies)}; ${await insertFamilyLogin(target, attacker)}`,
    anonymous: '',
    expired: victims.expiredCookie,
    demo: cookieHeader(demo.cookies),
  };
}

const cookieHeader = (cookies: ReadonlyMap<string, string>): string =>
  [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');

/** Inserts a login directly, because an attack may have changed the password to an unknown value. */
export async function insertLogin(
  target: Pick<Target, 'admin'>,
  { tutorId }: Pick<TutorAccount, 'tutorId'>,
): Promise<string> {
  const token = randomToken();
  await target.admin.query(
    `insert into logins (token_hash, tutor_id, public_id, user_agent, created_at, last_seen_at, reauthenticated_at, expires_at)
     values (sha256($2), $1, gen_random_uuid(), '', now(), now(), now(), now() + interval '1 day')`,
    [tutorId, token],
  );
  return `lessonbook=${token}`;
}

/** The attacker is also signed in to the portal, as one of their own contacts. */
async function insertFamilyLogin(
  target: Pick<Target, 'admin'>,
  { tutorId }: Pick<TutorAccount, 'tutorId'>,
): Promise<string> {
  const token = randomToken();
  await target.admin.query('update tutors set portal_opened_at = now() where tutor_id = $1', [
    tutorId,
  ]);
  await target.admin.query(
    `with contact as (
       select d.* from contact_directory d
       join students s on s.tutor_id = d.tutor_id and s.contact_id = d.contact_id and s.archived_at is null
       where d.tutor_id = $1 order by d.contact_id limit 1
     ), login as (
       insert into portal_logins (token_hash, public_id, address_hash, address, is_shared_device, user_agent, created_at,
         last_seen_at, expires_at)
       select sha256($2), 'family-' || gen_random_uuid(), address_hash, 'own@example.com', false, '', now(), now(),
         now() + interval '1 day'
       from contact returning public_id
     )
     insert into contact_logins (tutor_id, contact_id, login_id, user_agent, first_seen_at, last_seen_at)
     select c.tutor_id, c.contact_id, l.public_id, '', now(), now() from contact c, login l`,
    [tutorId, token],
  );
  return `lessonbook-family=${token}`;
}

const insertBothLogins = async (
  target: Pick<Target, 'admin'>,
  account: Pick<TutorAccount, 'tutorId'>,
): Promise<string> =>
  `${await insertLogin(target, account)}; ${await insertFamilyLogin(target, account)}`;

/** Whether the login has ended, or is too old for an operation that requires recent authentication. */
const needsNewLogin = (
  { caller, operation, request: rawRequest }: Attack,
  { status, body }: RawResponse,
): boolean =>
  (status === 401 || (status === 403 && body.includes('confirmation_needed'))) &&
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
  } catch (error) {
    const detail = `${String(error)}; ${describeAttack(attack)}`;
    // Node's client refuses to send some characters.
    if (!/ERR_UNESCAPED_CHARACTERS|ERR_INVALID_CHAR/.test((error as { code?: string }).code ?? ''))
      faults.push({ kind: 'no response', operation: attack.operation.name, detail });
    return undefined;
  }
}

/** Retries slow requests in isolation, because the machine may have been busy. */
async function retrySlow(
  client: RawClient,
  slow: readonly Attack[],
  cookies: Cookies,
  { stats, pid, slowMs }: Batch,
): Promise<Fault[]> {
  const faults: Fault[] = [];
  const retries = new Map<string, number>();
  for (const attack of slow) {
    const { name } = attack.operation;
    const before = retries.get(name) ?? 0;
    retries.set(name, before + 1);
    if (before >= MAX_SLOW_RETRIES || faults.some(({ operation }) => operation === name)) continue;
    const times: number[] = [];
    while (times.length < MAX_TRIES && Math.min(...times) > slowMs) {
      await new Promise((resolve) => setTimeout(resolve, 300 * times.length));
      const ms = await contentionFreeMs(pid, () => send(client, attack, cookies, faults));
      stats.countRetry(ms);
      times.push(ms);
    }
    if (Math.min(...times) <= slowMs) continue;
    const detail = `took ${Math.round(Math.min(...times))} ms in isolation; ${describeAttack(attack)}`;
    faults.push({ kind: 'slow', operation: name, detail });
  }
  return faults;
}

/**
 * Sorts reads first and deletions last, because most requests fail early without data. The password change comes at the very
 * end, because reauthentication needs the password.
 */
const sortByDestructiveness = (operations: readonly Operation[]): Operation[] =>
  operations.toSorted((a, b) => destructiveness(a) - destructiveness(b));

function destructiveness({ method, path }: Operation): number {
  if (path === '/api/password') return 3;
  if (method === 'DELETE' || /erase|account-deletion|logout|logins|\/(void|reverse)$/.test(path))
    return 2;
  return method === 'GET' || path.includes('preview') ? 0 : 1;
}

async function runInParallel<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  const runNext = async () => {
    while (next < items.length) await work(items[next++] as T);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, runNext));
}

function shuffle<T>(items: readonly T[], random: Random): T[] {
  const list = [...items];
  for (let last = list.length - 1; last > 0; last -= 1) {
    const other = random.between(0, last);
    [list[last], list[other]] = [list[other] as T, list[last] as T];
  }
  return list;
}
