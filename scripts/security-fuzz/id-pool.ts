import {
  type SharedLinkKind,
  sharedLinkToken,
} from '@lessonbook/server/src/platform/payment-and-feed-link-tokens.ts';
import type pg from 'pg';
import { SECRET_KEY } from './start-system-under-test.ts';

/** One tutor's ids, by kind. Some operations need a record in a certain state. */
export type IdPool = Record<string, (number | string)[]>;

export const ID_QUERIES: Record<string, string> = {
  student: 'select id from students where archived_at is null',
  carer: 'select id from contacts where erased_at is null and student_id is null',
  contact: 'select id from contacts where erased_at is null and student_id is null',
  'portal contact': 'select public_id as id from contact_directory',
  'portal cancellation': 'select id from portal_cancellations',
  'move request': 'select id from move_requests',
  'charge query': 'select id from charge_queries',
  'portal login': 'select login_id as id from contact_logins',
  subject: 'select id from subjects where archived_at is null',
  lesson: 'select id from lessons where archived_at is null',
  session: 'select id from sessions',
  'session:scheduled': `select id from sessions where status = 'scheduled'`,
  'session:going-on': `select id from sessions where status = 'scheduled' and starts_at <= now() and ends_at > now()`,
  'session:completed': `select id from sessions where status = 'completed'`,
  'session:cancelled': `select id from sessions where status = 'cancelled'`,
  family: 'select id from families',
  charge: 'select id from charges',
  payment: `select id from payments where kind = 'payment' and not reversed`,
  invoice: 'select id from invoices',
  'invoice:draft': 'select id from invoices where issued_at is null',
  'invoice:issued': `select id from invoices where issued_at is not null and voided_at is null and kind = 'invoice'`,
  message: 'select id from messages',
  'message:draft': `select id from messages where state = 'draft'`,
  'message:failed': `select id from messages where state = 'failed'`,
  notification: 'select id from notifications',
  batch: 'select id from batches',
  rate: 'select id from rates',
  'external-change': 'select id from external_changes where outcome is null',
  termCalendar: 'select id from term_calendars',
  'time-off': 'select id from time_off where student_id is null',
  'day-change': 'select id from day_changes',
  export: 'select id from exports',
  login: 'select public_id::text as id from logins',
  passkey: 'select public_id::text as id from passkeys',
  // Pairs of ids that some operations need together.
  'lesson and session': `select lesson_id || ' ' || id as id from sessions where status = 'scheduled'`,
  'session and seat': `select session_id || ' ' || student_id as id from session_students x where state = 'expected'
    and exists (select 1 from sessions s where s.tutor_id = x.tutor_id and s.id = session_id and s.status = 'scheduled')
    and exists (select 1 from session_students o where o.tutor_id = x.tutor_id and o.session_id = x.session_id
      and o.student_id <> x.student_id and o.state = 'expected')`,
  'current session and seat': `select session_id || ' ' || student_id as id from session_students x
    where exists (select 1 from sessions s where s.tutor_id = x.tutor_id and s.id = session_id and s.status = 'scheduled'
      and s.starts_at <= now() and s.ends_at > now())`,
  'session and cancelled seat': `select session_id || ' ' || student_id as id from session_students x where state = 'cancelled'
    and exists (select 1 from sessions s where s.tutor_id = x.tutor_id and s.id = session_id and s.status = 'scheduled')`,
  'group and student': `select lesson_id || ' ' || student_id as id from lesson_students x where to_date is null
    and exists (select 1 from lesson_students o where o.tutor_id = x.tutor_id and o.lesson_id = x.lesson_id
      and o.student_id <> x.student_id and o.to_date is null)`,
  'student and contact': `select student_id || ' ' || contact_id as id from contact_access where exists
    (select 1 from students s where s.tutor_id = contact_access.tutor_id and s.id = student_id and s.archived_at is null)`,
  'family and charge': `select family_id || ' ' || id as id from charges where kind = 'opening' and not reversed`,
  bystander: `select id from students where name = 'Lena Bystander'`,
};

export async function readIdPool(
  admin: pg.Client,
  tutorId: string,
  maxPerKind = 60,
): Promise<IdPool> {
  const pool: IdPool = {};
  for (const [kind, statement] of Object.entries(ID_QUERIES)) {
    const tenantStatement = `${statement} ${statement.includes(' where ') ? 'and' : 'where'} tutor_id = $1 order by 1 limit ${maxPerKind}`;
    const { rows } = await admin.query<{ id: number | string }>(tenantStatement, [tutorId]);
    pool[kind] = rows.map(({ id }) => id);
  }
  pool['pay token'] = (await readLinkTokens(admin, tutorId, 'balance')).slice(0, maxPerKind);
  pool['feed token'] = await readLinkTokens(admin, tutorId, 'feed');
  return pool;
}

/** A victim's ids. The tokens are altered, because anyone with a valid link may open it. */
export async function readVictimIdPool(admin: pg.Client, tutorId: string): Promise<IdPool> {
  const pool = await readIdPool(admin, tutorId);
  for (const kind of ['pay token', 'feed token'])
    pool[kind] = (pool[kind] ?? []).map((token) => alterToken(String(token)));
  return pool;
}

export const alterToken = (token: string): string =>
  `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;

export async function readLinkTokens(
  admin: pg.Client,
  tutorId: string,
  kind: SharedLinkKind,
): Promise<string[]> {
  const { rows } = await admin.query<{ linkKey: string }>(
    `select public_id || ' ' || version as "linkKey" from shared_links where tutor_id = $1 and kind = $2 order by target_id`,
    [tutorId, kind],
  );
  return rows.map(({ linkKey }) => sharedLinkToken({ secretKey: SECRET_KEY }, kind, linkKey));
}
