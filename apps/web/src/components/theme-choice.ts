import { useMantineColorScheme } from '@mantine/core';
import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { fromMantine, type ThemeChoice, toMantine } from '../lib/theme.ts';

export const themeLabels = { light: 'Light', dark: 'Dark', system: 'System' } as const;

export const themeIcons = {
  light: IconSun,
  dark: IconMoon,
  system: IconDeviceDesktop,
} as const;

export function useThemeChoice(): [ThemeChoice, (choice: ThemeChoice) => void] {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return [fromMantine(colorScheme), (choice) => setColorScheme(toMantine(choice))];
}
