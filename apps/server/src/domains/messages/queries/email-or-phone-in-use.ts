import { type RawBuilder, sql } from 'kysely';

/** Whether a student or contact has the address in row `a`. An email address in `a` must already be in lower case. */
export const isInUse: RawBuilder<boolean> = sql`(
  exists (select 1 from students p where p.tutor_id = a.tutor_id and a.address in (lower(p.email), p.phone))
  or exists (select 1 from contacts p where p.tutor_id = a.tutor_id and a.address in (lower(p.email), p.phone)))`;
