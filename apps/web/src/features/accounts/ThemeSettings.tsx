import { lazy, useState } from 'react';
import { SettingsButton } from '../../components/SettingsRow.tsx';
import { themeLabels, useThemeChoice } from '../../components/theme-choice.ts';
import { WhenOpened } from '../../components/WhenOpened.tsx';

const ThemeSheet = lazy(async () => ({ default: (await import('./ThemeSheet.tsx')).ThemeSheet }));

export function ThemeSettings() {
  const [opened, setOpened] = useState(false);
  const [chosen] = useThemeChoice();
  return (
    <>
      <SettingsButton
        label="Theme Settings"
        value={themeLabels[chosen]}
        onClick={() => setOpened(true)}
      />
      <WhenOpened opened={opened}>
        <ThemeSheet opened={opened} onClose={() => setOpened(false)} />
      </WhenOpened>
    </>
  );
}
