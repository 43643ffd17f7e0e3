import { BottomSheet } from '../../components/BottomSheet.tsx';
import { themeIcons, themeLabels, useThemeChoice } from '../../components/theme-choice.ts';
import { THEME_CHOICES } from '../../lib/theme.ts';
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
  const [chosen, choose] = useThemeChoice();
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
