import classes from './Avatar.module.css';

/** Letters in a square. The name always stands beside it, so it says nothing by itself. */
export function Avatar({ letters, size = 'small' }: { letters: string; size?: 'small' | 'large' }) {
  return (
    <span className={classes.avatar} data-size={size} aria-hidden="true">
      {letters}
    </span>
  );
}
