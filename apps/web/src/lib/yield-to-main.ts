/** Lets the page listen and paint before the work goes on. */
export const yieldToMain = (): Promise<void> =>
  'scheduler' in globalThis && 'yield' in scheduler
    ? scheduler.yield()
    : new Promise((resolve) => setTimeout(resolve));

/** A page that is not in sight is never painted. */
const MAX_WAIT_MS = 100;

/** Until the page shows that something was pressed. What takes long comes after, or a slow phone would seem not to listen. */
export function nextPaint(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, MAX_WAIT_MS);
    requestAnimationFrame(() => setTimeout(resolve));
  });
}
