import classes from './Avatar.module.css';

/** Initials in a square. The full name is always next to it, so it is hidden from screen readers. */
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
