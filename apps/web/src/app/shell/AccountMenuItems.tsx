import type { Menu as MantineMenu } from '@mantine/core';
import { IconKeyboard, IconLogout } from '@tabler/icons-react';
import type { ComponentProps, ReactElement } from 'react';
import { OpenedMenu } from '../../components/OpenedMenu.tsx';
import { useLogout } from '../../features/accounts/api.ts';
import { THEME_CHOICES, type ThemeChoice, themeLabels, useThemeChoice } from '../../lib/theme.ts';

interface Props {
  card: ReactElement<ComponentProps<'button'>>;
  onShowShortcuts: () => void;
}

/** Loaded on the first click and opened immediately. */
export function AccountMenuItems({ card, onShowShortcuts }: Props) {
  const logout = useLogout();
  return (
    <OpenedMenu position="top-start" width={220} target={card}>
      {(Menu) => (
        <>
          <ThemeItems menu={Menu} />
          <Menu.Divider />
          <Menu.Item
            leftSection={<IconKeyboard size={18} stroke={1.8} />}
            onClick={onShowShortcuts}
          >
            Keyboard shortcuts
          </Menu.Item>
          <Menu.Item
            leftSection={<IconLogout size={18} stroke={1.8} />}
            disabled={logout.isPending}
            onClick={() => logout.mutate()}
          >
            Logout
          </Menu.Item>
        </>
      )}
    </OpenedMenu>
  );
}

function ThemeItems({ menu: Menu }: { menu: typeof MantineMenu }) {
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
