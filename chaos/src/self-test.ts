import type pg from 'pg';
import { MAIL_COMPLETE } from './checks/mail.ts';
import { INVARIANTS_HOLD, NOTHING_DUPLICATED, NOTHING_LOST } from './checks/saved-data.ts';
import {
  CALENDAR_MATCHES,
  NO_STUCK_JOBS,
  WEBHOOKS_HANDLED_ONCE,
} from './checks/vendors-jobs-and-notifications.ts';
import { RECOVERS_IN_TIME } from './fault-injectors/supervisor.ts';
import { NO_SERVER_ERRORS } from './results.ts';

export interface SelfTestTools {
  /** Superuser connection to the application's database. */
  superuserDb: pg.Pool;
}

export interface SelfTest {
  /** Printed before the run. */
  description: string;
  /** The check that must fail; a run that fails for another reason proves nothing. */
  detectedBy: string;
  /** Runs before the first operation. */
  before?: (tools: SelfTestTools) => Promise<unknown>;
  /** Runs after each restart, before the checks. */
  afterKill?: (tools: SelfTestTools) => Promise<unknown>;
  /** How long the supervisor waits before a restart, in milliseconds. */
  restartDelayMs?: number;
}

/** Runs a statement without row-level security, triggers or foreign keys. */
async function bypassConstraints(superuserDb: pg.Pool, statement: string): Promise<void> {
  const client = await superuserDb.connect();
  try {
    await client.query(`begin; set local session_replication_role = replica; ${statement}; commit`);
  } finally {
    client.release();
  }
}

const createTriggerSql = (table: string, when: string, body: string): string =>
  `create function sabotage() returns trigger language plpgsql security definer as $$ begin ${body} end $$;
   create trigger sabotage ${when} on ${table} for each row execute function sabotage()`;

export const SELF_TESTS = {
  'async-commit': {
    description:
      'PostgreSQL acknowledges commits before they are on disk (synchronous_commit off, flushed every 10 s)',
    detectedBy: NOTHING_LOST,
    before: async ({ superuserDb }) => {
      await superuserDb.query('alter system set synchronous_commit = off');
      await superuserDb.query(`alter system set wal_writer_delay = '10s'`);
      await superuserDb.query('select pg_reload_conf()');
    },
  },
  'lost-row': {
    description: 'a saved student is deleted in the database after each restart',
    detectedBy: NOTHING_LOST,
    afterKill: ({ superuserDb }) =>
      bypassConstraints(
        superuserDb,
        `delete from students where (tutor_id, id) in
           (select tutor_id, id from students order by created_at desc limit 1)`,
      ),
  },
  'lost-seat': {
    description: 'the newest seat in a group is deleted for each tutor after each restart',
    detectedBy: NOTHING_LOST,
    afterKill: ({ superuserDb }) =>
      bypassConstraints(
        superuserDb,
        `delete from session_students where (tutor_id, session_id, student_id) in
           (select distinct on (tutor_id) tutor_id, session_id, student_id from session_students
            where position > 0 order by tutor_id, session_id desc)`,
      ),
  },
  'forgotten-keys': {
    description: 'responses for Idempotency-Keys are not stored',
    detectedBy: NOTHING_DUPLICATED,
    before: ({ superuserDb }) =>
      superuserDb.query(createTriggerSql('idempotency_keys', 'before insert', 'return null;')),
  },
  'altered-money': {
    description: 'a payment is increased by a penny after each restart',
    detectedBy: NOTHING_LOST,
    afterKill: ({ superuserDb }) =>
      bypassConstraints(
        superuserDb,
        `update payments set amount = amount + 1, unallocated = unallocated + 1 where (tutor_id, id) in
           (select tutor_id, id from payments where kind = 'payment' and not reversed order by created_at desc limit 1)`,
      ),
  },
  overlap: {
    description:
      'the exclusion constraint is dropped, and a session is moved onto another after each restart',
    detectedBy: INVARIANTS_HOLD,
    before: ({ superuserDb }) =>
      superuserDb.query('alter table sessions drop constraint sessions_no_overlap'),
    afterKill: ({ superuserDb }) =>
      bypassConstraints(
        superuserDb,
        `update sessions s set starts_at = o.starts_at, ends_at = o.ends_at from
           (select a.tutor_id, a.id, b.starts_at, b.ends_at from sessions a
            join sessions b on b.tutor_id = a.tutor_id and b.starts_at > a.ends_at
            where a.status = 'scheduled' and b.status = 'scheduled' limit 1) as o
         where s.tutor_id = o.tutor_id and s.id = o.id`,
      ),
  },
  'slow-supervisor': {
    description: 'the supervisor waits 8 s before a restart',
    detectedBy: RECOVERS_IN_TIME,
    restartDelayMs: 8_000,
  },
  'broken-table': {
    description: 'a table that requests need is renamed',
    detectedBy: NO_SERVER_ERRORS,
    before: ({ superuserDb }) =>
      superuserDb.query('alter table cancellation_policies rename to policies'),
  },
  'lost-jobs': {
    description: 'every fifth mail job is dropped when it is enqueued',
    detectedBy: MAIL_COMPLETE,
    before: ({ superuserDb }) =>
      superuserDb.query(
        createTriggerSql(
          'jobs.job_common',
          'before insert',
          `if new.name = 'send-message' and (new.data->>'messageId')::int % 5 = 0 then return null; end if; return new;`,
        ),
      ),
  },
  'dead-job': {
    description: 'a job has used up its retries',
    detectedBy: NO_STUCK_JOBS,
    afterKill: ({ superuserDb }) =>
      superuserDb.query(
        `insert into jobs.job (name, data, state, completed_on) values ('card-refund', '{}', 'failed', now())`,
      ),
  },
  'doubled-events': {
    description: 'the unique key for card events is dropped, while each event is delivered twice',
    detectedBy: WEBHOOKS_HANDLED_ONCE,
    before: ({ superuserDb }) =>
      superuserDb.query('alter table webhook_events drop constraint webhook_events_pkey'),
  },
  'calendar-names': {
    description: 'a random id is stored instead of the id of the event in Google',
    detectedBy: CALENDAR_MATCHES,
    before: ({ superuserDb }) =>
      superuserDb.query(
        createTriggerSql(
          'calendar_events',
          'before insert',
          'new.event_id := md5(random()::text); return new;',
        ),
      ),
  },
} satisfies Record<string, SelfTest>;

export type SelfTestName = keyof typeof SELF_TESTS;
export const isSelfTestName = (name: string): name is SelfTestName =>
  Object.hasOwn(SELF_TESTS, name);
