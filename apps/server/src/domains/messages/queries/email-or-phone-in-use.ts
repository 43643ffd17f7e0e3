import { type RawBuilder, sql } from 'kysely';

/** Whether a student or contact has the address in the row `a`, in which email addresses are in lower case. */
export const isInUse: RawBuilder<boolean> = sql`(
  exists (select 1 from students p where p.tutor_id = a.tutor_id and a.address in (lower(p.email), p.phone))
  or exists (select 1 from contacts p where p.tutor_id = a.tutor_id and a.address in (lower(p.email), p.phone)))`;
