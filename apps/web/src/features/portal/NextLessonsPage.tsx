import type { PortalLesson, PortalLessons, PortalTutor } from '@lessonbook/contract/portal';
import { systemNow } from '@lessonbook/contract/time';
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ComponentType, useEffect, useState } from 'react';
import { isNotFound } from '../../lib/http.ts';
import { toastError } from '../../lib/toast.ts';
import type { SheetProps } from './BottomSheet.tsx';
import { isCancellable } from './cancellation-cost.ts';
import classes from './Portal.module.css';
import { PortalHeader, type PortalNavigation } from './PortalHeader.tsx';
import { PortalLayout } from './PortalLayout.tsx';
import { PortalLessonList } from './PortalLessonList.tsx';
import { PortalError, PortalLoading } from './PortalLoadStates.tsx';
import { portalLessonsQuery } from './signed-in-contact-api.ts';
import { useBackClosesSheet } from './use-back-closes-sheet.ts';

interface Props {
  tutor: PortalTutor;
  navigation: PortalNavigation;
}

export function NextLessonsPage({ tutor: { publicId, tutorName }, navigation }: Props) {
  const { data, error, refetch } = useQuery({
    ...portalLessonsQuery(publicId),
    refetchInterval: ({ state }) => refetchDelay(state.data),
  });
  const now = useNow();
  const cancellable = data?.lessons.filter(isCancellable) ?? [];
  const { sheet, openSheet, closeSheet } = useSheet(cancellable.length > 0);
  const [drafts] = useState(() => new Map<string, string>());
  return (
    <PortalLayout title="Next lessons" header={<PortalHeader {...navigation} />}>
      {data && !isNotFound(error) && (
        <>
          <div className={classes.tools}>
            {cancellable.length > 1 && (
              <button type="button" onClick={() => void openSheet('cancel')}>
                Cancel several
              </button>
            )}
            {data.students.some(({ seesLessons }) => seesLessons) && (
              <button type="button" onClick={() => void openSheet('calendar')}>
                Add to my calendar
              </button>
            )}
          </div>
          <PortalLessonList
            page={data}
            now={now}
            actions={{
              publicId,
              onCancel: (lesson) => void openSheet('cancel', lesson),
              onAskToMove: (lesson) => void openSheet('move', lesson),
            }}
          />
          {sheet && (
            <sheet.Component
              {...{ publicId, now, drafts }}
              page={data}
              lesson={sheet.lesson}
              onAskToMove={() => void openSheet('move', sheet.lesson)}
              onClose={closeSheet}
            />
          )}
        </>
      )}
      {isNotFound(error) && (
        <p role="alert">
          {tutorName} no longer shares lessons with you here. If you think that's a mistake, ask{' '}
          {tutorName}.
        </p>
      )}
      {!data && error && !isNotFound(error) && (
        <PortalError error={error} onRetry={() => void refetch()} />
      )}
      {!data && !error && <PortalLoading />}
    </PortalLayout>
  );
}

const MIN_REFETCH_MS = 60_000;
const MAX_REFETCH_MS = 6 * 60 * 60_000;

/** How long the costs of cancelling stay the same. Limited, because the device's clock may be wrong. */
function refetchDelay(page: PortalLessons | undefined): number | false {
  const times = (page?.lessons ?? []).flatMap(({ cancellation }) =>
    cancellation?.increase ? [Date.parse(cancellation.increase.at)] : [],
  );
  if (times.length === 0) return false;
  const delay = Math.min(...times) - systemNow().getTime();
  return Math.min(Math.max(delay, MIN_REFETCH_MS), MAX_REFETCH_MS);
}

type Sheet = ComponentType<SheetProps>;

const SHEETS = {
  cancel: async (): Promise<Sheet> => (await import('./CancelSheet.tsx')).CancelSheet,
  move: async (): Promise<Sheet> => (await import('./AskToMoveSheet.tsx')).AskToMoveSheet,
  calendar: async (): Promise<Sheet> => (await import('./CalendarFeedSheet.tsx')).CalendarFeedSheet,
};

/** A query, so that a failed load can be retried. */
const sheetQuery = (name: keyof typeof SHEETS) =>
  queryOptions({ queryKey: ['sheet', name], queryFn: () => SHEETS[name]() });

interface OpenSheet {
  Component: Sheet;
  /** The lesson to cancel or move; null to choose several. */
  lesson: PortalLesson | null;
}

/** If `mayCancel` is true, the cancellation sheet is loaded in advance. */
function useSheet(mayCancel: boolean) {
  const client = useQueryClient();
  const [sheet, setSheet] = useState<OpenSheet | null>(null);
  const entry = useBackClosesSheet(() => setSheet(null));
  useEffect(() => {
    if (mayCancel) void client.prefetchQuery(sheetQuery('cancel'));
  }, [client, mayCancel]);

  async function openSheet(name: keyof typeof SHEETS, lesson: PortalLesson | null = null) {
    try {
      const Component = await client.fetchQuery(sheetQuery(name));
      entry.add();
      setSheet({ Component, lesson });
    } catch {
      toastError('Please check your connection and try again.', "We couldn't open this");
    }
  }

  function closeSheet() {
    setSheet(null);
    entry.remove();
  }

  return { sheet, openSheet, closeSheet };
}

const TICK_MS = 15_000;

/** The current time, updated regularly so that 'Join' appears and disappears on time. */
function useNow(): Date {
  const [now, setNow] = useState(systemNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(systemNow()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
