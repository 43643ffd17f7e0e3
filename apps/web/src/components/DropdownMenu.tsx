import { cloneElement, lazy, Suspense, startTransition, useState } from 'react';
import type { OpenedMenuProps } from './OpenedMenu.tsx';

const OpenedMenu = lazy(async () => ({ default: (await import('./OpenedMenu.tsx')).OpenedMenu }));

/** A button with a menu. The code of the menu is larger than that of most pages, so it is not part of the first load. */
export function DropdownMenu(props: OpenedMenuProps) {
  const [requested, setRequested] = useState(false);
  const button = cloneElement(props.target, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => startTransition(() => setRequested(true)),
  });
  return <Suspense fallback={button}>{requested ? <OpenedMenu {...props} /> : button}</Suspense>;
}
