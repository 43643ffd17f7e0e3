import type { Menu, MenuProps } from '@mantine/core';
import {
  type ComponentProps,
  cloneElement,
  lazy,
  type ReactElement,
  type ReactNode,
  Suspense,
  startTransition,
  useState,
} from 'react';

const OpenedMenu = lazy(async () => ({ default: (await import('./OpenedMenu.tsx')).OpenedMenu }));

export interface DropdownMenuProps extends Pick<MenuProps, 'position' | 'width'> {
  /** The button that opens the menu. */
  target: ReactElement<ComponentProps<'button'>>;
  /** Renders the items with Mantine's menu, which is loaded when the menu is first opened. */
  children: (menu: typeof Menu) => ReactNode;
}

/** A button with a menu. The code of the menu is larger than that of most pages, so it is not part of the first load. */
export function DropdownMenu(props: DropdownMenuProps) {
  const [requested, setRequested] = useState(false);
  const button = cloneElement(props.target, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onClick: () => startTransition(() => setRequested(true)),
  });
  return <Suspense fallback={button}>{requested ? <OpenedMenu {...props} /> : button}</Suspense>;
}
