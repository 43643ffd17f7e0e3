import { useId } from 'react';
import classes from './PublicForm.module.css';

interface Props {
  label: string;
  value: string;
  maxLength: number;
  onChange: (value: string) => void;
}

/** A multi-line text field that does not use the component library. */
export function PlainTextArea({ label, value, maxLength, onChange }: Props) {
  const id = useId();
  return (
    <div className={classes.field}>
      <label htmlFor={id}>{label}</label>
      <textarea
        id={id}
        rows={3}
        maxLength={maxLength}
        autoComplete="off"
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    </div>
  );
}
