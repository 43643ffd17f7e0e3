/** What one run of Lighthouse said about a page. Scores of 100, times in milliseconds. */
export interface Figures {
  performance: number;
  accessibility: number;
  bestPractices: number;
  seo: number;
  firstPaint: number;
  largestPaint: number;
  blocked: number;
  shift: number;
}

type Demands = Partial<Pick<Figures, 'performance' | 'accessibility' | 'bestPractices' | 'seo'>>;

export const PERFORMANCE = 95;
/** None at all; the rest is rounding. */
export const MOST_SHIFT = 0.001;

/** Search engines are meant to find the landing page alone, so only there their score counts. */
export const DEMANDS: Record<string, Demands> = {
  '/': { performance: PERFORMANCE, accessibility: 100, bestPractices: 100, seo: 100 },
  '/login': { performance: PERFORMANCE, accessibility: 100, bestPractices: 100 },
  '/dashboard': { performance: PERFORMANCE, accessibility: 100, bestPractices: 100 },
};

/** What a page misses, in words; empty where it passes. */
export function missing(path: string, figures: Figures): string[] {
  const demands = Object.entries(DEMANDS[path] ?? {}) as [keyof Demands, number][];
  const short = demands
    .filter(([name, least]) => figures[name] < least)
    .map(([name, least]) => `${name} ${figures[name]}, at least ${least}`);
  if (figures.shift <= MOST_SHIFT) return short;
  return [...short, `layout shift ${figures.shift}, at most ${MOST_SHIFT}`];
}

/** Noise only ever makes a page slower: of several runs the one that misses least counts, then the fastest. */
export function best(path: string, runs: readonly Figures[]): Figures | undefined {
  return runs.toSorted(
    (a, b) => missing(path, a).length - missing(path, b).length || b.performance - a.performance,
  )[0];
}
