import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './ListStates.module.css';

interface ShowMoreProps {
  list: {
    hasNextPage: boolean;
    isFetchingNextPage: boolean;
    fetchNextPage: () => Promise<unknown>;
  };
}

/** The next page of a long list, while there is one. */
export function ShowMore({ list }: ShowMoreProps) {
  if (!list.hasNextPage) return null;
  return (
    <Button
      variant="subtle"
      disabled={list.isFetchingNextPage}
      onClick={() => void list.fetchNextPage()}
    >
      {list.isFetchingNextPage ? 'Loading...' : 'Show more'}
    </Button>
  );
}

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

/** Something could not be fetched. Never to be confused with there being nothing. */
export function LoadError({ children, onRetry }: { children: ReactNode; onRetry: () => void }) {
  return (
    <div className={classes.error} role="alert">
      <p>{children}</p>
      <Button variant="light" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}

interface EmptyStateProps {
  drawing: ReactNode;
  /** One sentence in the product's words. */
  children: ReactNode;
  /** At most one, and it must work. */
  action?: ReactNode;
}

export function EmptyState({ drawing, children, action }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      {drawing}
      <p>{children}</p>
      {action}
    </div>
  );
}
