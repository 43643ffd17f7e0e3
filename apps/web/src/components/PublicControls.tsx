import type { ComponentProps } from 'react';
import classes from './PublicLayout.module.css';

interface ButtonProps
  extends Pick<ComponentProps<'button'>, 'type' | 'form' | 'disabled' | 'onClick' | 'children'> {
  /** For a secondary action. */
  secondary?: boolean;
}

export const PublicButton = ({ secondary = false, ...props }: ButtonProps) => (
  <button type="button" className={secondary ? classes.secondary : classes.main} {...props} />
);

interface CheckboxProps {
  label: string;
  description?: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export const PublicCheckbox = ({ label, description, checked, onChange }: CheckboxProps) => (
  <label className={classes.check}>
    <input
      type="checkbox"
      checked={checked}
      onChange={(event) => onChange(event.currentTarget.checked)}
    />
    <span>
      {label}
      {description && <small>{description}</small>}
    </span>
  </label>
);

interface LinkProps extends Pick<ComponentProps<'a'>, 'href' | 'download' | 'children'> {
  /** For the main action. */
  primary?: boolean;
}

/** A link that looks like a button. */
export const PublicLink = ({ children, primary = false, ...props }: LinkProps) => (
  <a className={primary ? classes.main : classes.secondary} {...props}>
    {children}
  </a>
);
