import { useState } from 'react';
import { ResponsiveModal } from '../../components/ResponsiveModal.tsx';
import {
  THEME_CHOICES,
  type ThemeChoice,
  themeIcons,
  themeLabels,
  useThemeChoice,
} from '../../lib/theme.ts';
import { nextPaint } from '../../lib/yield-to-main.ts';
import classes from './ThemeModal.module.css';

export function ThemeModal({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <ResponsiveModal title="Theme" opened={opened} onClose={onClose}>
      <ThemeRadios />
    </ResponsiveModal>
  );
}

/** Applied at once, so the sheet stays open and the eye can compare. */
function ThemeRadios() {
  const [inForce, apply] = useThemeChoice();
  const [chosen, setChosen] = useState(inForce);

  /** The mark moves first; then everything changes its colour. */
  function choose(choice: ThemeChoice) {
    setChosen(choice);
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
              checked={chosen === choice}
              onChange={() => choose(choice)}
            />
          </label>
        );
      })}
    </fieldset>
  );
}
