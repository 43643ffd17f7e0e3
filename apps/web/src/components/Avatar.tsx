import classes from './Avatar.module.css';

/** Initials in a square. Hidden from screen readers, because the full name is always next to it. */
export function Avatar({
  initials,
  size = 'small',
}: {
  initials: string;
  size?: 'small' | 'large';
}) {
  return (
    <span className={classes.avatar} data-size={size} aria-hidden="true">
      {initials}
    </span>
  );
}
