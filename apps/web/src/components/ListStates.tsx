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

/** Loads the next page of a long list. */
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

/** Placeholder rows of the same height as the real ones, to prevent a layout shift. */
export function RowSkeleton({ rows }: { rows: number }) {
  return (
    <div role="status" aria-label="Loading">
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

/** For a failed request, as opposed to an empty list. */
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
  illustration: ReactNode;
  title?: string;
  /** One sentence. */
  children: ReactNode;
  /** At most one button or link. */
  action?: ReactNode;
}

export function EmptyState({ illustration, title, children, action }: EmptyStateProps) {
  return (
    <div className={classes.empty}>
      {illustration}
      {title && <h2>{title}</h2>}
      <p>{children}</p>
      {action}
    </div>
  );
}
