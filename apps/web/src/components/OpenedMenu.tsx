import { Menu, type MenuProps } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import {
  type ComponentProps,
  cloneElement,
  type ReactElement,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react';
import { useCloseOnBack } from '../lib/close-on-back.ts';

export interface OpenedMenuProps extends Pick<MenuProps, 'position' | 'width'> {
  /** The button that opens the menu. */
  target: ReactElement<ComponentProps<'button'>>;
  /** Renders the items with Mantine's menu, which is loaded when the menu is first opened. */
  children: (menu: typeof Menu) => ReactNode;
}

/** Mantine's menu, which the browser's Back button also closes. Loaded on the first click and opened immediately. */
export function OpenedMenu({ target, children, ...props }: OpenedMenuProps) {
  const [opened, setOpened] = useState(true);
  // A menu mounted while open could not restore focus when it closes.
  const mounted = useMounted();
  useCloseOnBack(opened && mounted, () => setOpened(false));
  const targetRef = useRef<HTMLButtonElement>(null);

  // The focused button is unmounted, so focus moves to its replacement.
  useEffect(() => targetRef.current?.focus({ preventScroll: true }), []);

  return (
    <Menu position="bottom-end" opened={opened && mounted} onChange={setOpened} {...props}>
      <Menu.Target>{cloneElement(target, { ref: targetRef })}</Menu.Target>
      <Menu.Dropdown>{children(Menu)}</Menu.Dropdown>
    </Menu>
  );
}
