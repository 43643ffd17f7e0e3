import { IconDeviceDesktop, IconMoon, IconSun } from '@tabler/icons-react';
import { useState } from 'react';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import { THEME_CHOICES, type ThemeChoice, themeLabels, useThemeChoice } from '../../lib/theme.ts';
import { nextPaint } from '../../lib/yield-or-wait-for-paint.ts';
import classes from './ThemeModal.module.css';

const themeIcons = { light: IconSun, dark: IconMoon, system: IconDeviceDesktop } as const;

export function ThemeModal({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <ResponsiveModal title="Theme" opened={opened} onClose={onClose}>
      <ThemeRadios />
    </ResponsiveModal>
  );
}

/** The theme applies immediately. The modal stays open so that themes can be compared. */
function ThemeRadios() {
  const [current, apply] = useThemeChoice();
  const [selected, setSelected] = useState(current);

  /** Selects the radio button first and then applies the theme, which repaints everything. */
  function select(choice: ThemeChoice) {
    setSelected(choice);
    void nextPaint().then(() => apply(choice));
  }

  return (
    <fieldset className={classes.choices}>
      <legend className={classes.legend}>Choose a theme</legend>
      {THEME_CHOICES.map((choice) => {
        const Icon = themeIcons[choice];
        return (
          <label key={choice} className={classes.choice}>
            <Icon size={20} stroke={1.8} />
            <span>{themeLabels[choice]}</span>
            <input
              type="radio"
              name="theme"
              value={choice}
              checked={selected === choice}
              onChange={() => select(choice)}
            />
          </label>
        );
      })}
    </fieldset>
  );
}
