export interface TimedSession {
  id: number;
  startsAt: Date;
  endsAt: Date;
}

/**
 * For each planned session, the sessions with lower ids that it overlaps, ordered by start and id. A planned session has a
 * higher id than every existing one, so an overlap belongs to the session that is added later.
 */
export function findPlannedOverlaps<Session extends TimedSession>(
  planned: readonly Session[],
  existing: readonly Session[],
): Map<number, Session[]> {
  const plannedIds = new Set(planned.map(({ id }) => id));
  const overlaps = new Map<number, Session[]>();
  // Sessions that have started and may not have ended yet, in order of their start.
  let active: Session[] = [];
  for (const session of [...planned, ...existing].toSorted(byStart)) {
    active = active.filter(({ endsAt }) => endsAt > session.startsAt);
    for (const other of active) {
      const [addedFirst, addedLater] = other.id < session.id ? [other, session] : [session, other];
      if (!plannedIds.has(addedLater.id)) continue;
      overlaps.set(addedLater.id, [...(overlaps.get(addedLater.id) ?? []), addedFirst]);
    }
    active.push(session);
  }
  for (const [id, others] of overlaps) overlaps.set(id, others.toSorted(byStart));
  return overlaps;
}

const byStart = (a: TimedSession, b: TimedSession): number =>
  a.startsAt.getTime() - b.startsAt.getTime() || a.id - b.id;
