import { deriveToken, randomToken } from '@lessonbook/server/src/platform/crypto/tokens.ts';
import { readAllRowsOfTutor } from '@lessonbook/server/src/test/tenant-isolation-test-support.ts';
import type pg from 'pg';
import { CANARY, findColumnsWithoutCanary, findEmptyTables, plantCanaries } from './canaries.ts';
import { readLinkTokens } from './id-pool.ts';
import { SECRET_KEY, type Target } from './start-system-under-test.ts';
import { createTutorAccount, type TutorAccount } from './tutor-accounts.ts';

/** A victim's token or other value that the attacker knows. */
export interface LeakedValue {
  kind: string;
  value: string;
  /** Paths where any holder may use the token. On these paths, the token is sent with one character changed. */
  validPaths?: RegExp;
}

export interface Victims {
  /** A victim whose ids start at a million. The attacker knows only the ids. */
  highIdVictim: TutorAccount;
  /** A victim whose ids overlap with the attacker's. The attacker knows all of its tokens. */
  overlappingIdVictim: TutorAccount;
  tokens: LeakedValue[];
  /** An expired login of the victim with overlapping ids. */
  expiredCookie: string;
  /** The column of each canary. */
  canaryColumns: Map<string, string>;
  /** The random ids and tokens of the victim with high ids, which no request contains. */
  secrets: Set<string>;
}

export async function createVictims(target: Target): Promise<Victims> {
  const { admin } = target;
  const highIdVictim = await createTutorAccount(
    target,
    'victim.far',
    CANARY,
    1_000_000,
    randomToken(),
  );
  const overlappingIdVictim = await createTutorAccount(
    target,
    'victim.near',
    CANARY,
    0,
    randomToken(),
  );
  const { tokens, expiredCookie } = await createLeakedValues(target, overlappingIdVictim);
  const hashes = await admin.query<{ password_hash: string }>(
    'select password_hash from login_directory where tutor_id = $1',
    [overlappingIdVictim.tutorId],
  );
  const passwordHash = hashes.rows[0]?.password_hash;
  const canaryColumns = new Map([
    ...(await plantCanaries(admin, highIdVictim.tutorId, 0)),
    ...(await plantCanaries(admin, overlappingIdVictim.tutorId, 1000)),
  ]);
  // Inserted after the canaries, because a feed ends when the contact's address changes.
  await admin.query(
    `insert into contact_feeds (tutor_id, contact_id, created_at)
     select tutor_id, id, now() from contacts where tutor_id = any($1)`,
    [[highIdVictim.tutorId, overlappingIdVictim.tutorId]],
  );
  // The attacker knows these, so they are not canaries; the password hash must be real for login attempts.
  await admin.query(
    `update login_directory set username = $2, username_key = $2, email = $3, email_key = $3, password_hash = $4 where tutor_id = $1`,
    [
      overlappingIdVictim.tutorId,
      overlappingIdVictim.username,
      overlappingIdVictim.email,
      passwordHash,
    ],
  );
  await admin.query(`update idempotency_keys set key = 'repeat-1234' where tutor_id = $1`, [
    overlappingIdVictim.tutorId,
  ]);
  const gaps = [
    ...(await findEmptyTables(admin, highIdVictim.tutorId)),
    ...(await findColumnsWithoutCanary(admin, highIdVictim.tutorId)),
  ];
  if (gaps.length > 0)
    throw new Error(
      `No canary in ${gaps.join(', ')}: add a value in scripts/security-fuzz/seed-rows-by-sql.ts, or add an exemption with a reason in canaries.ts`,
    );
  const secrets = findSecrets(await readAllRowsOfTutor(admin, highIdVictim.tutorId));
  for (const kind of ['balance', 'invoice', 'feed'] as const)
    for (const token of await readLinkTokens(admin, highIdVictim.tutorId, kind)) secrets.add(token);
  return { highIdVictim, overlappingIdVictim, tokens, expiredCookie, canaryColumns, secrets };
}

const SECRET_VALUE = /^[\w-]{20,}$/;

function findSecrets(rows: Record<string, unknown[]>): Set<string> {
  const values = Object.values(rows).flatMap((each) =>
    each.flatMap((row) => Object.values(row as Record<string, unknown>)),
  );
  return new Set(
    values.filter(
      (value): value is string => typeof value === 'string' && SECRET_VALUE.test(value),
    ),
  );
}

async function createLeakedValues(
  target: Target,
  { tutorId, username, email, browser }: TutorAccount,
): Promise<Pick<Victims, 'tokens' | 'expiredCookie'>> {
  const queryOne = async (statement: string): Promise<string> => {
    const { rows } = await target.admin.query<{ value: string }>(statement, [tutorId]);
    return rows[0]?.value ?? '';
  };
  const queryAll = async (statement: string): Promise<string[]> =>
    (await target.admin.query<{ value: string }>(statement, [tutorId])).rows.map(
      ({ value }) => value,
    );
  const [verify = '', reset = '', revert = '', remove = '', keep = ''] = await createEmailTokens(
    target.admin,
    tutorId,
    email,
  );
  const loginToken = browser.cookies.get('lessonbook') ?? '';
  const [expired, state, step] = ['expired', 'state', 'step'].map(
    (name) => `leaked-${name}-${randomToken()}`,
  );
  await target.admin.query(
    `insert into logins (token_hash, tutor_id, public_id, user_agent, created_at, last_seen_at, reauthenticated_at, expires_at)
     select sha256($2), tutor_id, gen_random_uuid(), '', now(), now(), now(), now() - interval '1 minute' from tutors where tutor_id = $1`,
    [tutorId, expired],
  );
  await target.admin.query(
    `insert into calendar_oauth_states (tutor_id, state_hash, login_hash, expires_at) values ($1, sha256($2), sha256($3), now() + interval '1 hour')`,
    [tutorId, state, loginToken],
  );
  await target.admin.query(
    `insert into mfa_challenges (tutor_id, token_hash, attempts_left, expires_at) values ($1, sha256($2), 5, now() + interval '1 day')`,
    [tutorId, step],
  );
  const pay = /^\/api\/pay\//;
  const tokens: LeakedValue[] = [
    { kind: 'tutor id', value: tutorId },
    { kind: 'username', value: username },
    { kind: 'email', value: email },
    {
      kind: 'pay token',
      value: (await readLinkTokens(target.admin, tutorId, 'balance'))[0] ?? '',
      validPaths: pay,
    },
    {
      kind: 'invoice token',
      value: (await readLinkTokens(target.admin, tutorId, 'invoice'))[0] ?? '',
      validPaths: pay,
    },
    {
      kind: 'feed token',
      value: (await readLinkTokens(target.admin, tutorId, 'feed'))[0] ?? '',
      validPaths: /^\/api\/calendar\/feeds\//,
    },
    {
      kind: 'unsubscribe token',
      value: `u_${deriveToken(SECRET_KEY, 'unsubscribe', `${tutorId} ${CANARY}car@family.example`)}`,
      validPaths: /^\/api\/unsubscribe\//,
    },
    {
      kind: 'verification token',
      value: verify,
      validPaths: /^\/api\/email-verification\/confirm/,
    },
    { kind: 'reset token', value: reset, validPaths: /^\/api\/password-reset\/confirm/ },
    { kind: 'revert token', value: revert, validPaths: /^\/api\/email-revert/ },
    { kind: 'MFA removal token', value: remove, validPaths: /^\/api\/mfa-removal\/start/ },
    {
      kind: 'MFA removal cancellation token',
      value: keep,
      validPaths: /^\/api\/mfa-removal\/cancel/,
    },
    { kind: 'login token', value: loginToken },
    { kind: 'half of a login token', value: loginToken.slice(0, loginToken.length / 2) },
    { kind: 'idempotency key', value: 'repeat-1234' },
    { kind: 'OAuth state', value: state ?? '' },
    { kind: 'MFA challenge token', value: step ?? '' },
    {
      kind: 'public id of a login',
      value: await queryOne(`select public_id::text as value from logins where tutor_id = $1`),
    },
    ...(
      await queryAll(`select public_id::text as value from sessions where tutor_id = $1 limit 2`)
    ).map((value) => ({ kind: 'public id of a session', value })),
    ...(
      await queryAll(`select public_id::text as value from students where tutor_id = $1 limit 1`)
    ).map((value) => ({ kind: 'public id of a student', value })),
    ...(
      await queryAll(`select public_id::text as value from messages where tutor_id = $1 limit 1`)
    ).map((value) => ({ kind: 'public id of a message', value })),
    ...(
      await queryAll(
        `select id::text as value from security_email_outbox where tutor_id = $1 limit 1`,
      )
    ).map((value) => ({ kind: 'id of a security email', value })),
  ];
  return {
    tokens: tokens.filter(({ value }) => value !== ''),
    expiredCookie: `lessonbook=${expired}`,
  };
}

/** A valid token for each purpose. */
async function createEmailTokens(
  admin: pg.Client,
  tutorId: string,
  email: string,
): Promise<string[]> {
  const createToken = async (purpose: string): Promise<string> => {
    const { rows } = await admin.query<{ id: string }>('select gen_random_uuid() as id');
    const id = rows[0]?.id ?? '';
    const token = deriveToken(SECRET_KEY, purpose, id);
    await admin.query(
      `insert into email_tokens (id, tutor_id, purpose, email, token_hash, created_at, expires_at)
       values ($1, $2, $3, $4, sha256($5), now(), now() + interval '1 hour')`,
      [id, tutorId, purpose, email, token],
    );
    return token;
  };
  return Promise.all(
    ['verify-email', 'reset-password', 'revert-email', 'remove-two-step', 'keep-two-step'].map(
      createToken,
    ),
  );
}
