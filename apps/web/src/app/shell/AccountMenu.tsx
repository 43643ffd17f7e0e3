import { Menu, UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconLogout } from '@tabler/icons-react';
import { Avatar } from '../../components/Avatar.tsx';
import { themeLabels, useThemeChoice } from '../../components/theme-choice.ts';
import { useLogout } from '../../features/accounts/api.ts';
import { useTutor } from '../../features/accounts/auth.tsx';
import { initials } from '../../lib/format.ts';
import { THEME_CHOICES, type ThemeChoice } from '../../lib/theme.ts';
import classes from './AccountMenu.module.css';

export function AccountMenu() {
  const tutor = useTutor();
  const logout = useLogout();
  const name = tutor.name || 'User';
  return (
    <Menu position="top-start" width={220}>
      <Menu.Target>
        <UnstyledButton className={classes.card}>
          <Avatar letters={initials(name)} />
          <span className={classes.text}>
            <b>{name}</b>
            <small>{tutor.email}</small>
          </span>
          <VisuallyHidden>, account menu</VisuallyHidden>
        </UnstyledButton>
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
