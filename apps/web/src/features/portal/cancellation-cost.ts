import type { PortalCancellationCost, PortalLesson } from '@lessonbook/contract/portal';
import { formatAmount, formatList, pluralize, totalsByCurrency } from '../../lib/format.ts';

export type CancellableLesson = PortalLesson & { cancellation: PortalCancellationCost };

export const isCancellable = (lesson: PortalLesson): lesson is CancellableLesson =>
  lesson.state === 'scheduled' && lesson.cancellation?.isAllowed === true;

export interface CancellationCost {
  lesson: CancellableLesson;
  /** What the person pays. */
  fee: number;
  usesFreeCancellation: boolean;
}

/** In the order of the lessons. Free late cancellations are used for the dearest lessons of each student and term. */
export function costsOf(
  lessons: readonly CancellableLesson[],
  useFreeCancellations: boolean,
): CancellationCost[] {
  const usedByTerm = new Map<string, number>();
  const free = new Set<CancellableLesson>();
  const byFee = lessons.toSorted((a, b) => b.cancellation.fee - a.cancellation.fee);
  for (const lesson of useFreeCancellations ? byFee : []) {
    const { fee, freeCancellationsLeft, termStart } = lesson.cancellation;
    const term = `${lesson.studentId} ${termStart}`;
    const used = usedByTerm.get(term) ?? 0;
    if (fee === 0 || used >= freeCancellationsLeft) continue;
    usedByTerm.set(term, used + 1);
    free.add(lesson);
  }
  return lessons.map((lesson) => {
    const usesFreeCancellation = free.has(lesson);
    const fee = usesFreeCancellation ? 0 : lesson.cancellation.fee;
    return { lesson, fee, usesFreeCancellation };
  });
}

export const countFree = (costs: readonly CancellationCost[]): number =>
  costs.filter(({ usesFreeCancellation }) => usesFreeCancellation).length;

/** '£17.50', '£17.50 and €20', '£0' with a free late cancellation, or 'free'. */
export function formatSum(costs: readonly CancellationCost[]): string {
  const amounts = costs.map(({ lesson, fee }) => ({
    currency: lesson.cancellation.currency,
    minor: fee,
  }));
  const totals = totalsByCurrency(amounts);
  const charged = totals.filter(({ minor }) => minor > 0);
  if (charged.length === 0 && countFree(costs) === 0) return 'free';
  const shown = charged.length > 0 ? charged : totals.slice(0, 1);
  return formatList(shown.map(({ minor, currency }) => formatAmount(minor, currency)));
}

/** The headline of the sheet, with the same sum as on the button. */
export function formatHeadline(costs: readonly CancellationCost[]): string {
  const sum = formatSum(costs);
  const used = countFree(costs);
  if (used === 1) return `${sum} with your free late cancellation`;
  if (used > 1) return `${sum} with ${pluralize(used, 'free late cancellation')}`;
  return `${sum === 'free' ? 'Free' : sum} if you cancel now`;
}

interface Increase {
  at: string;
  /** The sum from then on. */
  sum: string;
}

/** The next time at which the sum changes; null if it will not change. */
export function findIncrease(costs: readonly CancellationCost[]): Increase | null {
  const lessons = costs.map(({ lesson }) => lesson);
  const times = lessons.flatMap(({ cancellation: { increase } }) =>
    increase ? [increase.at] : [],
  );
  for (const at of times.toSorted((a, b) => Date.parse(a) - Date.parse(b))) {
    const lessonsAt = lessons.map((lesson) => withFeeAt(lesson, at));
    const sum = formatSum(costsOf(lessonsAt, countFree(costs) > 0));
    if (sum !== formatSum(costs)) return { at, sum };
  }
  return null;
}

function withFeeAt(lesson: CancellableLesson, at: string): CancellableLesson {
  const { increase } = lesson.cancellation;
  if (!increase || Date.parse(increase.at) > Date.parse(at)) return lesson;
  return { ...lesson, cancellation: { ...lesson.cancellation, fee: increase.fee } };
}
