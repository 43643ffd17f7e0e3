import type { PageQuery } from '@lessonbook/contract/schema-fields';
import { type RawBuilder, sql } from 'kysely';

/**
 * Matches the ids of one page of a tenant table. The ids are collected first, as an array, so that PostgreSQL joins only
 * the rows of the page: it does not know the limit when it creates the generic plan.
 */
export const anyIdOnPage = (
  table: 'students' | 'lessons' | 'rates',
  tutorId: string,
  { limit, after }: PageQuery,
  condition: RawBuilder<unknown>,
) =>
  sql<number>`any(array(
    select id from ${sql.table(table)}
    where tutor_id = ${tutorId}::uuid and id > ${after}::int and ${condition}
    order by id limit ${limit}::int))`;
