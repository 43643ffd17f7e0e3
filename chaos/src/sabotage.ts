import type pg from 'pg';
import { DOUBLED, INVARIANT, LOST } from './checks/book.ts';
import { MAIL } from './checks/mail.ts';
import { CALENDAR, CALLS, JOBS } from './checks/vendors.ts';
import { SERVING } from './killers/supervisor.ts';
import { NO_FAULT } from './tally.ts';

/** What somebody who wants the run to fail may reach. */
export interface Tools {
  /** The administrator of the database server, in this book's database. */
  admin: pg.Pool;
}

export interface Sabotage {
  /** What a reader of the table is told. */
  what: string;
  /** Which check must notice it: a run that fails for another reason proves nothing. */
  noticedBy: string;
  /** Planted before the first operation. */
  before?: (tools: Tools) => Promise<unknown>;
  /** Done after each restart, before anybody looks. */
  afterKill?: (tools: Tools) => Promise<unknown>;
  /** The supervisor sleeps that long before it restarts. */
  sleepMs?: number;
}

/** Past policies, triggers and keys. */
async function past(admin: pg.Pool, statement: string): Promise<void> {
  const client = await admin.connect();
  try {
    await client.query(`begin; set local session_replication_role = replica; ${statement}; commit`);
  } finally {
    client.release();
  }
}

const trigger = (table: string, when: string, body: string): string =>
  `create function sabotage() returns trigger language plpgsql security definer as $$ begin ${body} end $$;
   create trigger sabotage ${when} on ${table} for each row execute function sabotage()`;

export const SABOTAGES = {
  'async-commit': {
    what: 'PostgreSQL says that it is committed before it is written (synchronous_commit off, written every 10 s)',
    noticedBy: LOST,
    before: async ({ admin }) => {
      await admin.query('alter system set synchronous_commit = off');
      await admin.query(`alter system set wal_writer_delay = '10s'`);
      await admin.query('select pg_reload_conf()');
    },
  },
  'lost-row': {
    what: 'a student that was saved is deleted behind the back of the application, after each restart',
    noticedBy: LOST,
    afterKill: ({ admin }) =>
      past(
        admin,
        `delete from students where (tutor_id, id) in
           (select tutor_id, id from students order by created_at desc limit 1)`,
      ),
  },
  'forgotten-keys': {
    what: 'the answers under Idempotency-Keys are not kept',
    noticedBy: DOUBLED,
    before: ({ admin }) =>
      admin.query(trigger('idempotency_keys', 'before insert', 'return null;')),
  },
  'altered-money': {
    what: 'a payment becomes a penny more, after each restart',
    noticedBy: LOST,
    afterKill: ({ admin }) =>
      past(
        admin,
        `update payments set amount = amount + 1, unallocated = unallocated + 1 where (tutor_id, id) in
           (select tutor_id, id from payments where kind = 'payment' and not reversed order by created_at desc limit 1)`,
      ),
  },
  overlap: {
    what: 'without the exclusion constraint, a lesson is put onto another, after each restart',
    noticedBy: INVARIANT,
    before: ({ admin }) => admin.query('alter table sessions drop constraint sessions_no_overlap'),
    afterKill: ({ admin }) =>
      past(
        admin,
        `update sessions s set starts_at = o.starts_at, ends_at = o.ends_at from
           (select a.tutor_id, a.id, b.starts_at, b.ends_at from sessions a
            join sessions b on b.tutor_id = a.tutor_id and b.starts_at > a.ends_at
            where a.status = 'scheduled' and b.status = 'scheduled' limit 1) as o
         where s.tutor_id = o.tutor_id and s.id = o.id`,
      ),
  },
  'slow-supervisor': {
    what: 'whoever watches over the processes sleeps for 8 s before a restart',
    noticedBy: SERVING,
    sleepMs: 8_000,
  },
  'broken-table': {
    what: 'a table that requests need has another name',
    noticedBy: NO_FAULT,
    before: ({ admin }) => admin.query('alter table cancellation_policies rename to policies'),
  },
  'lost-jobs': {
    what: 'every fifth mail is taken out of the queue as soon as it is in it',
    noticedBy: MAIL,
    before: ({ admin }) =>
      admin.query(
        trigger(
          'jobs.job_common',
          'before insert',
          `if new.name = 'send-message' and (new.data->>'messageId')::int % 5 = 0 then return null; end if; return new;`,
        ),
      ),
  },
  'dead-job': {
    what: 'a job that has used up its tries',
    noticedBy: JOBS,
    afterKill: ({ admin }) =>
      admin.query(
        `insert into jobs.job (name, data, state, completed_on) values ('card-refund', '{}', 'failed', now())`,
      ),
  },
  'doubled-events': {
    what: 'the unique key of a card event is gone, while every event comes twice',
    noticedBy: CALLS,
    before: ({ admin }) =>
      admin.query('alter table webhook_events drop constraint webhook_events_pkey'),
  },
  'calendar-names': {
    what: 'the id of an event at Google is not kept',
    noticedBy: CALENDAR,
    before: ({ admin }) =>
      admin.query(
        trigger(
          'calendar_events',
          'before insert',
          'new.event_id := md5(random()::text); return new;',
        ),
      ),
  },
} satisfies Record<string, Sabotage>;

export type SabotageName = keyof typeof SABOTAGES;
export const isSabotage = (name: string): name is SabotageName => Object.hasOwn(SABOTAGES, name);
