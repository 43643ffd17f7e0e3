import classes from './RowSkeleton.module.css';

/** Rows that are on their way: as high as those that come, so that nothing jumps. */
export function RowSkeleton({ rows }: { rows: number }) {
  return (
    <div className={classes.rows} role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className={classes.row} aria-hidden="true">
          <i />
          <i />
          <i />
        </div>
      ))}
    </div>
  );
}
