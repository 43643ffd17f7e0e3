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
