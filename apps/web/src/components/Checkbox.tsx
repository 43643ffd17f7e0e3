import { type ComponentProps, useId } from 'react';
import classes from './Checkbox.module.css';

type CheckboxProps = Pick<ComponentProps<'input'>, 'checked' | 'disabled' | 'aria-label'> & {
  onChange: (checked: boolean) => void;
  /** Some of the rows are selected, but not all. */
  indeterminate?: boolean;
};

export function Checkbox({ onChange, indeterminate = false, ...input }: CheckboxProps) {
  return (
    <input
      type="checkbox"
      ref={(box) => {
        if (box) box.indeterminate = indeterminate;
      }}
      className={classes.box}
      onChange={(event) => onChange(event.currentTarget.checked)}
      {...input}
    />
  );
}

interface CheckboxFieldProps {
  label: string;
  hint?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export function CheckboxField({ label, hint, checked, onChange }: CheckboxFieldProps) {
  const id = useId();
  return (
    <div className={classes.check}>
      <input
        id={id}
        type="checkbox"
        checked={checked}
        aria-describedby={hint && `${id}-hint`}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label htmlFor={id}>{label}</label>
      {hint && <p id={`${id}-hint`}>{hint}</p>}
    </div>
  );
}
