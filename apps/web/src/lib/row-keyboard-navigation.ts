import type { KeyboardEvent } from 'react';

/* Keyboard navigation in lists and tables. A row is opened by the link in its heading, or by its first link or button. */

type Step = 1 | -1;

const STEPS: Record<string, Step> = { ArrowDown: 1, ArrowUp: -1 };

/** In these fields, the arrow keys change the value or move the cursor instead of moving between rows. */
const FIELDS = 'input:not([type="checkbox"]), textarea, select';

const isVisible = (element: HTMLElement): boolean => element.getClientRects().length > 0;

const findLink = (row: Element): HTMLElement | null =>
  row.querySelector<HTMLElement>('th a') ?? row.querySelector<HTMLElement>('a, button');

/**
 * Focuses the row after or before the one with focus; if none has focus, the first or the last row. Returns its position,
 * or -1 at the end of the rows.
 */
export function focusRow(container: ParentNode, step: Step): number {
  const rows = [...container.querySelectorAll('li, tbody tr')].flatMap((row) => {
    const link = findLink(row);
    return link && isVisible(link) ? [{ row, link }] : [];
  });
  const current = rows.findIndex(({ row }) => row.contains(document.activeElement));
  const start = step === 1 ? -1 : rows.length;
  const next = (current === -1 ? start : current) + step;
  const target = rows[next];
  target?.link.focus();
  return target ? next : -1;
}

/** For `onKeyDown` of a list: the arrow keys move between its rows. `onMove` receives the position of the new row. */
export function handleRowKeys(
  event: KeyboardEvent<HTMLElement>,
  onMove?: (position: number) => void,
): void {
  const step = STEPS[event.key];
  const target = event.target as Element;
  // A row's menu is rendered outside the list, but React passes its events to this handler.
  const isInList = event.currentTarget.contains(target) && !target.matches(FIELDS);
  if (!step || !isInList || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  const position = focusRow(event.currentTarget, step);
  if (position !== -1) onMove?.(position);
}
