import classes from './Spinner.module.css';

export function Spinner() {
  return (
    <div className={classes.wrap} role="status" aria-label="Loading">
      <svg viewBox="0 0 48 48" width="48" height="48" aria-hidden="true">
        <path className={classes.tick} d="M9 26c4 2.6 7 6 9 11 4.5-12.5 11.5-21 21-27" />
      </svg>
    </div>
  );
}
