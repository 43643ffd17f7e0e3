import { useState } from 'react';
import { BottomSheet } from '../../components/BottomSheet.tsx';
import { themeIcons, themeLabels, useThemeChoice } from '../../components/theme-choice.ts';
import { painted } from '../../lib/painted.ts';
import { THEME_CHOICES, type ThemeChoice } from '../../lib/theme.ts';
import classes from './ThemeSettings.module.css';

export function ThemeSheet({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <BottomSheet title="Theme" opened={opened} onClose={onClose}>
      <ThemeRadios />
    </BottomSheet>
  );
}

/** Applied at once, so the sheet stays open and the eye can compare. */
function ThemeRadios() {
  const [inForce, apply] = useThemeChoice();
  const [chosen, setChosen] = useState(inForce);

  /** The mark moves first; then everything changes its colour. */
  function choose(choice: ThemeChoice) {
    setChosen(choice);
    void painted().then(() => apply(choice));
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
              checked={chosen === choice}
              onChange={() => choose(choice)}
            />
          </label>
        );
      })}
    </fieldset>
  );
}
