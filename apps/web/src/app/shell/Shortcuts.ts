import { useRouter } from '@tanstack/react-router';
import { useEffect, useEffectEvent, useRef } from 'react';
import { focusRow } from '../../lib/row-keyboard-navigation.ts';
import { readLocalFlag } from '../../lib/use-local-flag.ts';
import { useNavItems } from './NavigationLinksAndBadges.tsx';

/** Speech input can trigger single-key shortcuts by mistake, so they can be switched off. */
export const SHORTCUTS_OFF_KEY = 'lessonbook-shortcuts-off';

/** How long G waits for the second key. */
const SEQUENCE_MS = 1_500;

const TEXT_INPUT_SELECTOR =
  'input, textarea, select, [contenteditable], [role="textbox"], [role="combobox"]';
const LAYER_SELECTOR = '[aria-modal="true"], [role="menu"], [role="listbox"]';

interface Actions {
  openSearch: () => void;
  showShortcuts: () => void;
}

/** Single-key shortcuts, and G followed by the key of a page. They do nothing while typing or in a dialog. Renders nothing. */
export function Shortcuts({ openSearch, showShortcuts }: Actions): null {
  const router = useRouter();
  const items = useNavItems();
  const sequenceStart = useRef(Number.NEGATIVE_INFINITY);

  function goToToday() {
    const { pathname, search } = router.state.location;
    const board = pathname === '/schedule' && (search as { board?: 'week' }).board;
    void router.navigate({ to: '/schedule', search: board ? { board } : {} });
  }

  const shortcuts: Record<string, () => void> = {
    n: () => openCreateMenu(openSearch),
    t: goToToday,
    j: () => moveBetweenRows(1),
    k: () => moveBetweenRows(-1),
    '/': openSearch,
    '?': showShortcuts,
  };

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (!isShortcut(event)) return;
    const key = event.key.toLowerCase();
    const isSequence = event.timeStamp - sequenceStart.current < SEQUENCE_MS;
    sequenceStart.current = !isSequence && key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
    const item = isSequence && items.find(({ navigation }) => navigation.key === key);
    const run = item ? () => void router.navigate(item.link) : shortcuts[key];
    if (!run) return;
    event.preventDefault();
    run();
  });

  useEffect(() => {
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);
  return null;
}

function isShortcut({
  defaultPrevented,
  ctrlKey,
  metaKey,
  altKey,
  target,
  key,
}: KeyboardEvent): boolean {
  return (
    key.length === 1 &&
    !(defaultPrevented || ctrlKey || metaKey || altKey) &&
    !(target instanceof Element && target.closest(TEXT_INPUT_SELECTOR)) &&
    !document.querySelector(LAYER_SELECTOR) &&
    !readLocalFlag(SHORTCUTS_OFF_KEY)
  );
}

/** The + button is only in the sidebar; elsewhere the palette has the same actions. */
function openCreateMenu(openSearch: () => void) {
  const button = document.querySelector<HTMLElement>('[data-create-menu]');
  if (!button?.getClientRects().length) return openSearch();
  button.focus();
  button.click();
}

/** Focuses the link of the next or previous row of the page's lists and tables. */
function moveBetweenRows(step: 1 | -1) {
  const focused = document.activeElement;
  const arrow = step === 1 ? 'ArrowDown' : 'ArrowUp';
  // A list with its own arrow keys also moves its selection.
  const isHandled = !focused?.dispatchEvent(
    new KeyboardEvent('keydown', { key: arrow, bubbles: true, cancelable: true }),
  );
  if (isHandled) return;
  const main = document.querySelector('main');
  if (main) focusRow(main, step);
}
