import type pg from 'pg';
import { loginRequired } from '../app-error.ts';
import { traceOperation } from '../observability/tracing.ts';

/* Sets the tenant, the contact and the role for the duration of a transaction. */

/** A person who is signed in to the family portal, as the contact of one tutor. */
export interface ContactPrincipal {
  readonly tutorId: string;
  readonly contactId: number;
  /** The public id of the login, 'preview' if the tutor is viewing the portal, or 'feed' for the calendar feed. */
  readonly loginId: string;
  /** The time of the request, because access to a student who has left ends on a set date. */
  readonly at: Date;
}

/** Fails if the tutor is served by another installation. */
export const setTenantForRead = (client: pg.ClientBase, tutorId: string): Promise<unknown> =>
  client.query({
    name: 'set-tenant-for-read',
    text: "select set_config('app.tutor_id', $1, true), check_tutor_readable($1::uuid)",
    values: [tutorId],
  });

/** Fails if the tutor is moving to another installation; see migration 0098. */
export const setTenantForWrite = (
  client: pg.ClientBase,
  tutorId: string,
  isWorker: boolean,
): Promise<unknown> =>
  client.query({
    name: 'set-tenant-for-write',
    text: "select set_config('app.tutor_id', $1, true), check_tutor_writable($1::uuid, $2)",
    values: [tutorId, isWorker],
  });

export const setContact = (
  client: pg.ClientBase,
  { tutorId, contactId, loginId, at }: ContactPrincipal,
): Promise<unknown> =>
  client.query({
    name: 'set-contact',
    text: `select set_config('app.tutor_id', $1, true), check_tutor_readable($1::uuid), set_config('app.contact_id', $2, true),
      set_config('app.login_id', $3, true), set_config('app.now', $4, true), set_config('role', 'lessonbook_contact', true)`,
    values: [tutorId, String(contactId), loginId, at.toISOString()],
  });

/** Restores the application's role after setContact in the same transaction. */
export const resetRole = (client: pg.ClientBase): Promise<unknown> =>
  client.query({ name: 'reset-role', text: "select set_config('role', 'none', true)" });

/** Returns the new revision. */
export const lockTutor = (client: pg.ClientBase, tutorId: string): Promise<number> =>
  traceOperation({ kind: 'statement', summary: 'lock tutor' }, async () => {
    const { rows } = await client.query<{ revision: number }>({
      name: 'lock-tutor',
      text: 'update tutors set revision = revision + 1 where tutor_id = $1 returning revision',
      values: [tutorId],
    });
    const [tutor] = rows;
    // The account was deleted or moved to another installation after the request had been authenticated.
    if (!tutor) throw loginRequired();
    return tutor.revision;
  });
