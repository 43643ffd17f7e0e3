import type pg from 'pg';

/* The settings and the role with which a transaction begins; they end with it. */

/** A person who is signed in to the family portal, as the contact of one tutor. */
export interface ContactPrincipal {
  readonly tutorId: string;
  readonly contactId: number;
  /** The public id of the login, 'preview' if the tutor looks at the portal, or 'feed' for the calendar feed. */
  readonly loginId: string;
}

export const setTenant = (client: pg.ClientBase, tutorId: string): Promise<unknown> =>
  client.query({
    name: 'set-tenant',
    text: "select set_config('app.tutor_id', $1, true)",
    values: [tutorId],
  });

export const setContact = (
  client: pg.ClientBase,
  { tutorId, contactId, loginId }: ContactPrincipal,
): Promise<unknown> =>
  client.query({
    name: 'set-contact',
    text: `select set_config('app.tutor_id', $1, true), set_config('app.contact_id', $2, true),
      set_config('app.login_id', $3, true), set_config('role', 'lessonbook_contact', true)`,
    values: [tutorId, String(contactId), loginId],
  });

/** The role of the application again, after setContact in the same transaction. */
export const resetRole = (client: pg.ClientBase): Promise<unknown> =>
  client.query({ name: 'reset-role', text: "select set_config('role', 'none', true)" });

/** Returns the new revision. */
export const lockTutor = (client: pg.ClientBase, tutorId: string): Promise<number> =>
  client
    .query<{ revision: number }>({
      name: 'lock-tutor',
      text: 'update tutors set revision = revision + 1 where tutor_id = $1 returning revision',
      values: [tutorId],
    })
    .then((result) => {
      const [tutor] = result.rows;
      if (!tutor) throw new Error('No such tutor');
      return tutor.revision;
    });
