import type { Overlap } from '@lessonbook/contract/errors';
import type { Consequences } from '@lessonbook/contract/lessons';
import type { StayReason } from '../rules/series.ts';

/** What a change does, in numbers a tutor can read before saying yes. */
export function consequencesOf(input: {
  changed?: number;
  created?: number;
  removed?: number;
  stays?: readonly { reason: StayReason }[];
  dates?: readonly string[];
  overlaps?: Overlap[];
}): Consequences {
  const counts = new Map<StayReason, number>();
  for (const { reason } of input.stays ?? []) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const dates = (input.dates ?? []).toSorted();
  return {
    changed: input.changed ?? 0,
    created: input.created ?? 0,
    removed: input.removed ?? 0,
    stays: [...counts].map(([reason, count]) => ({ reason, count })),
    firstDate: dates[0] ?? null,
    lastDate: dates.at(-1) ?? null,
    overlaps: input.overlaps ?? [],
  };
}
