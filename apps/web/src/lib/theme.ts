import {
  type MantineColorScheme,
  type MantineColorSchemeManager,
  useMantineColorScheme,
} from '@mantine/core';

export const themeLabels = { light: 'Light', dark: 'Dark', system: 'System' } as const;

export function useThemeChoice(): [ThemeChoice, (choice: ThemeChoice) => void] {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return [fromMantine(colorScheme), (choice) => setColorScheme(toMantine(choice))];
}

/** `public/theme.js` reads the same key before the first paint. */
export const THEME_KEY = 'lessonbook-theme';

export const THEME_CHOICES = ['light', 'dark', 'system'] as const;
export type ThemeChoice = (typeof THEME_CHOICES)[number];

/** Our 'system' is Mantine's 'auto'. */
export const toMantine = (choice: ThemeChoice): MantineColorScheme =>
  choice === 'system' ? 'auto' : choice;

export const fromMantine = (scheme: MantineColorScheme): ThemeChoice =>
  scheme === 'auto' ? 'system' : scheme;

const isThemeChoice = (value: string | null): value is ThemeChoice =>
  THEME_CHOICES.some((choice) => choice === value);

function loadTheme(): ThemeChoice {
  try {
    const saved = localStorage.getItem(THEME_KEY);
    return isThemeChoice(saved) ? saved : 'system';
  } catch {
    // Storage is not accessible in some private windows; the choice is then lost when the page is reloaded.
    return 'system';
  }
}

function saveTheme(choice: ThemeChoice) {
  try {
    localStorage.setItem(THEME_KEY, choice);
  } catch {
    // Storage may not be accessible; see `loadTheme`.
  }
}

/** Stores Mantine's colour scheme under our key, and follows changes made in other tabs. */
export function createThemeManager(): MantineColorSchemeManager {
  let listener: ((event: StorageEvent) => void) | undefined;
  return {
    get: () => toMantine(loadTheme()),
    set: (scheme) => saveTheme(fromMantine(scheme)),
    subscribe: (onUpdate) => {
      listener = (event) => {
        if (event.key === THEME_KEY) onUpdate(toMantine(loadTheme()));
      };
      window.addEventListener('storage', listener);
    },
    unsubscribe: () => {
      if (listener) window.removeEventListener('storage', listener);
    },
    clear: () => saveTheme('system'),
  };
}
