import pg from 'pg';

/** The name of the violated unique or exclusion constraint, which services map to a message. */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined;
  const isViolation = error.code === '23505' || error.code === '23P01';
  return isViolation ? error.constraint : undefined;
}
