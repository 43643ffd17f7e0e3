import { type ComponentProps, type ReactNode, useEffect, useId, useRef } from 'react';
import { PublicButton } from './PublicButtons.tsx';
import classes from './PublicForm.module.css';

interface FormProps {
  onSubmit: () => void;
  submitLabel: string;
  /** The button's label while busy; there is no spinner. */
  busyLabel: string;
  isBusy: boolean;
  /** An error that belongs to no field. */
  error?: string | undefined;
  children: ReactNode;
}

interface FormFieldsProps {
  /** For a submit button outside the form. */
  id?: string;
  isBusy: boolean;
  onSubmit: () => void;
  children: ReactNode;
}

/** The form element with its fields. */
export const PublicFormFields = ({ id, isBusy, onSubmit, children }: FormFieldsProps) => (
  <form
    id={id}
    className={classes.form}
    noValidate
    onSubmit={(event) => {
      event.preventDefault();
      if (!isBusy) onSubmit();
    }}
  >
    {children}
  </form>
);

/** A form with one short value. Uses neither the component library nor the form hook, because there is little input to lose. */
export function PublicForm(props: FormProps) {
  const { onSubmit, submitLabel, busyLabel, isBusy, error, children } = props;
  return (
    <PublicFormFields isBusy={isBusy} onSubmit={onSubmit}>
      {children}
      {error && (
        <p role="alert" className={classes.error}>
          {error}
        </p>
      )}
      <PublicButton type="submit" disabled={isBusy}>
        {isBusy ? busyLabel : submitLabel}
      </PublicButton>
    </PublicFormFields>
  );
}

interface FieldProps extends Omit<ComponentProps<'input'>, 'onChange'> {
  label: string;
  /** The field is focused when an error appears. */
  error?: string | undefined;
  /** For a field that replaces another one, which had focus. */
  focusOnMount?: boolean;
  onChange: (value: string) => void;
}

export function PublicField({ label, error, focusOnMount, onChange, ...input }: FieldProps) {
  const id = useId();
  const ref = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focusOnMount || error) ref.current?.focus();
  }, [focusOnMount, error]);
  return (
    <div className={classes.field}>
      <label htmlFor={id}>{label}</label>
      <input
        {...input}
        ref={ref}
        id={id}
        aria-invalid={error !== undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      {error && (
        <p id={`${id}-error`} role="alert" className={classes.error}>
          {error}
        </p>
      )}
    </div>
  );
}
