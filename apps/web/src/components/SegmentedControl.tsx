import { type KeyboardEvent, useId, useState } from 'react';
import classes from './SegmentedControl.module.css';

interface Props<Value extends string> {
  /** Read by screen readers; also visible if `showLabel` is set. */
  label: string;
  showLabel?: boolean;
  value: Value | null;
  options: readonly { value: Value; label: string; count?: number | undefined }[];
  onChange: (value: Value) => void;
  /** For a choice that changes the page: arrow keys only move focus, and Enter or Space selects. */
  manualActivation?: boolean;
}

export function SegmentedControl<Value extends string>({
  label,
  showLabel = false,
  value,
  options,
  onChange,
  manualActivation = false,
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

  function handleKey(event: KeyboardEvent<HTMLInputElement>, index: number) {
    const option = options[index];
    if (event.key === 'Enter' && option) {
      event.preventDefault();
      press(option.value);
    }
    const step = ARROW_STEPS[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const inputs = event.currentTarget.closest('fieldset')?.querySelectorAll('input');
    inputs?.[(index + step + options.length) % options.length]?.focus();
  }

  return (
    <fieldset className={classes.segments}>
      <legend data-shown={showLabel || undefined}>{label}</legend>
      <div className={classes.track}>
        {options.map((option, index) => (
          <label key={option.value} className={classes.option}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === pressed}
              onChange={() => press(option.value)}
              onKeyDown={manualActivation ? (event) => handleKey(event, index) : undefined}
            />
            <span>
              {option.label}
              {Boolean(option.count) && <i> {option.count}</i>}
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

const ARROW_STEPS: Record<string, number> = {
  ArrowLeft: -1,
  ArrowUp: -1,
  ArrowRight: 1,
  ArrowDown: 1,
};
