import { Menu, type MenuProps } from '@mantine/core';
import { useState } from 'react';
import { useCloseOnBack } from '../lib/close-on-back.ts';

/** Mantine's menu, which browser Back closes too. */
export function DropdownMenu(props: MenuProps) {
  const [opened, setOpened] = useState(false);
  useCloseOnBack(opened, () => setOpened(false));
  return <Menu position="bottom-end" opened={opened} onChange={setOpened} {...props} />;
}
