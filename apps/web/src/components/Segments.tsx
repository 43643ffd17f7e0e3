import { useId } from 'react';
import classes from './Segments.module.css';

interface Props<Value extends string> {
  /** Said to screen readers, or shown above when `shown`. */
  label: string;
  shown?: boolean;
  value: Value | null;
  options: readonly { value: Value; label: string }[];
  onChange: (value: Value) => void;
}

/** A few choices side by side, of which one holds. */
export function Segments<Value extends string>({
  label,
  shown = false,
  value,
  options,
  onChange,
}: Props<Value>) {
  const name = useId();
  return (
    <fieldset className={classes.segments}>
      <legend data-shown={shown || undefined}>{label}</legend>
      <div className={classes.track}>
        {options.map((option) => (
          <label key={option.value} className={classes.option}>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            <span>{option.label}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
