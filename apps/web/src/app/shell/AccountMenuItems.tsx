import { Menu } from '@mantine/core';
import { useMounted } from '@mantine/hooks';
import { IconLogout } from '@tabler/icons-react';
import { type ComponentProps, type ComponentType, useEffect, useRef, useState } from 'react';
import { useLogout } from '../../features/accounts/api.ts';
import { useCloseOnBack } from '../../lib/close-on-back.ts';
import { THEME_CHOICES, type ThemeChoice, themeLabels, useThemeChoice } from '../../lib/theme.ts';

/** Loaded on the first click and opened immediately. */
export function AccountMenuItems({
  card: Card,
}: {
  card: ComponentType<ComponentProps<'button'>>;
}) {
  const logout = useLogout();
  const [opened, setOpened] = useState(true);
  // A menu that is mounted open cannot restore the focus when it closes.
  const mounted = useMounted();
  useCloseOnBack(opened && mounted, () => setOpened(false));
  const target = useRef<HTMLButtonElement>(null);

  // The focused placeholder card is unmounted, so the focus moves to its replacement.
  useEffect(() => target.current?.focus({ preventScroll: true }), []);

  return (
    <Menu position="top-start" width={220} opened={opened && mounted} onChange={setOpened}>
      <Menu.Target>
        <Card ref={target} />
      </Menu.Target>
      <Menu.Dropdown>
        <ThemeItems />
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconLogout size={18} stroke={1.8} />}
          disabled={logout.isPending}
          onClick={() => logout.mutate()}
        >
          Logout
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function ThemeItems() {
  const [chosen, choose] = useThemeChoice();
  return (
    <>
      <Menu.Label>Theme</Menu.Label>
      <Menu.RadioGroup value={chosen} onChange={(value) => choose(value as ThemeChoice)}>
        {THEME_CHOICES.map((choice) => (
          <Menu.RadioItem key={choice} value={choice}>
            {themeLabels[choice]}
          </Menu.RadioItem>
        ))}
      </Menu.RadioGroup>
    </>
  );
}
