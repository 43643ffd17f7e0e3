import pg from 'pg';

/** The name of the unique or exclusion constraint that refused, so that a service can say it in the tutor's words. */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined;
  const refused = error.code === '23505' || error.code === '23P01';
  return refused ? error.constraint : undefined;
}
