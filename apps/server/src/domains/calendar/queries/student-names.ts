import { sql } from 'kysely';

/** The names of the students who are expected in a session; `alias` is the sessions table of the query. */
export const expectedStudentNames = (alias: 'sessions' | 's') => {
  const session = sql.table(alias);
  return sql<string[]>`(select coalesce(array_agg(st.name order by x.position, st.id), '{}')
    from session_students x join students st on st.tutor_id = x.tutor_id and st.id = x.student_id
    where x.tutor_id = ${session}.tutor_id and x.session_id = ${session}.id and x.state = 'expected')`;
};
