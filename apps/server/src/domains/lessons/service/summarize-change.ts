import type { Overlap } from '@lessonbook/contract/errors';
import type { ChangeSummary } from '@lessonbook/contract/lessons';
import type { PreviousTime } from '@lessonbook/contract/sessions';
import type { UnchangedReason } from '../rules/plan-series-change.ts';

export interface SavedLesson {
  lessonId: number;
  sessionId: number | null;
  consequences: ChangeSummary;
  moved: PreviousTime[];
}

/** Summarises the effects of a change, for the preview and the response. */
export function summarizeChange(input: {
  changed?: number;
  created?: number;
  removed?: number;
  unchanged?: readonly { reason: UnchangedReason }[];
  dates?: readonly string[];
  overlaps?: Overlap[];
  skipped?: ChangeSummary['skipped'];
  outsideTerms?: string[];
}): ChangeSummary {
  const counts = new Map<UnchangedReason, number>();
  for (const { reason } of input.unchanged ?? []) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const dates = (input.dates ?? []).toSorted();
  return {
    changed: input.changed ?? 0,
    created: input.created ?? 0,
    removed: input.removed ?? 0,
    unchanged: [...counts].map(([reason, count]) => ({ reason, count })),
    firstDate: dates[0] ?? null,
    lastDate: dates.at(-1) ?? null,
    overlaps: input.overlaps ?? [],
    skipped: input.skipped ?? [],
    outsideTerms: input.outsideTerms ?? [],
  };
}
