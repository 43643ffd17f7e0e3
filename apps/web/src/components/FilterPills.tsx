import classes from './FilterPills.module.css';

interface Props<Value extends string> {
  /** Read by screen readers. */
  label: string;
  value: Value;
  options: readonly { value: Value; label: string; count?: number | undefined }[];
  onChange: (value: Value) => void;
}

/** Filters for a list, one of which is active. Each can show how many rows match it. */
export function FilterPills<Value extends string>({
  label,
  value,
  options,
  onChange,
}: Props<Value>) {
  return (
    <fieldset className={classes.pills} aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          className={classes.pill}
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.label}
          {option.count !== undefined && <span> {option.count}</span>}
        </button>
      ))}
    </fieldset>
  );
}
