import { useId, useState } from 'react';
import classes from './SegmentedControl.module.css';

interface Props<Value extends string> {
  /** Read by screen readers; also visible if `showLabel` is set. */
  label: string;
  showLabel?: boolean;
  value: Value | null;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
}

export function SegmentedControl<Value extends string>({
  label,
  showLabel = false,
  value,
  options,
  onChange,
}: Props<Value>) {
  const name = useId();
  // Selects the pressed option immediately, before navigation has changed `value`.
  const [pressed, setPressed] = useState(value);
  const [lastValue, setLastValue] = useState(value);
  if (lastValue !== value) {
    setLastValue(value);
    setPressed(value);
  }

  function press(chosen: Value) {
    setPressed(chosen);
    onChange(chosen);
  }

  return (
    <fieldset className={classes.segments}>
      <legend data-shown={showLabel || undefined}>{label}</legend>
      <div className={classes.track}>
        {options.map((option) => (
          <label key={option.value} className={classes.option}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === pressed}
              onChange={() => press(option.value)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
