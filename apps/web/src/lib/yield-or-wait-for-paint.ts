/** Lets the browser handle input and paint before the work continues. */
export const yieldToMain = (): Promise<void> =>
  'scheduler' in globalThis && 'yield' in scheduler
    ? scheduler.yield()
    : new Promise((resolve) => setTimeout(resolve));

/** The longest wait, because a page in the background is never painted. */
const MAX_WAIT_MS = 100;

/** Resolves after the next paint, so that a press is visible before long work starts. */
export function nextPaint(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, MAX_WAIT_MS);
    requestAnimationFrame(() => setTimeout(resolve));
  });
}
