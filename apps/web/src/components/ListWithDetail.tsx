import { useMediaQuery } from '@mantine/hooks';
import type { MouseEvent, ReactNode } from 'react';
import classes from './ListWithDetail.module.css';

/** At this width or wider, the selected record is shown beside its list; on narrower screens, it has its own page. */
export const useHasRoomForDetail = (): boolean =>
  useMediaQuery('(min-width: 62em)', false, { getInitialValueInEffect: false }) ?? false;

/**
 * For a row that links to the page of its record: a plain click shows the record beside the list instead. Enter opens the
 * page, and a click with Ctrl opens it in a new tab.
 */
export function selectOnClick(event: MouseEvent, select: () => void): void {
  // A click made with the keyboard has a click count of 0.
  if (event.detail === 0 || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  select();
}

interface Props {
  /** A list is 372 or 420 px wide. From 1440 px, a table fills the space beside a panel of 428 px. */
  kind: 'list' | 'table';
  list: ReactNode;
  /** The selected record. If omitted, the list has the whole width. */
  detail?: ReactNode;
  detailLabel: string;
}

/** A list and its selected record side by side. Each scrolls separately. */
export function ListWithDetail({ kind, list, detail, detailLabel }: Props) {
  const hasRoom = useHasRoomForDetail();
  return (
    <div className={classes.layout} data-kind={kind} data-detail={Boolean(detail) || undefined}>
      <div className={classes.list}>{list}</div>
      {hasRoom && detail && (
        <section className={classes.detail} aria-label={detailLabel}>
          {detail}
        </section>
      )}
    </div>
  );
}
