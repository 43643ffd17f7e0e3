import type { Notification } from '@lessonbook/contract/notifications';
import { useInfiniteQuery } from '@tanstack/react-query';
import { EmptyState } from '../../components/EmptyState.tsx';
import { LoadError } from '../../components/LoadError.tsx';
import { RowSkeleton } from '../../components/RowSkeleton.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { ShowMore } from '../../components/ShowMore.tsx';
import { Spot } from '../../components/Spot.tsx';
import type { Wall } from '../../lib/moments.ts';
import { inboxQuery, useMarkRead } from './api.ts';
import { InboxRow } from './InboxRow.tsx';

/** What the tutor has something to do about and has not looked at, then all that came before. */
export function Inbox({ wall }: { wall: Wall }) {
  const inbox = useInfiniteQuery(inboxQuery);
  const markRead = useMarkRead();
  const all = inbox.data?.pages.flatMap((page) => page.notifications) ?? [];
  const needsYou = all.filter(isWaiting);
  const earlier = all.filter((each) => !isWaiting(each));

  const list = (notifications: readonly Notification[]) => (
    <ul>
      {notifications.map((each) => (
        <InboxRow
          key={each.id}
          notification={each}
          wall={wall}
          onRead={() => !each.read && markRead.mutate([each.id])}
        />
      ))}
    </ul>
  );

  if (all.length === 0) {
    return (
      <Sheet>
        {inbox.isPending && <RowSkeleton rows={4} />}
        {inbox.isError && (
          <LoadError onRetry={() => void inbox.refetch()}>
            Your notifications could not be loaded.
          </LoadError>
        )}
        {inbox.isSuccess && (
          <EmptyState drawing={<Spot name="bell" size={112} />}>
            Nothing needs you. News about lessons and money arrives here.
          </EmptyState>
        )}
      </Sheet>
    );
  }
  return (
    <>
      {needsYou.length > 0 && <Sheet heading="Needs you">{list(needsYou)}</Sheet>}
      {(earlier.length > 0 || inbox.hasNextPage) && (
        <Sheet heading="Earlier">
          {list(earlier)}
          {inbox.isError && (
            <LoadError onRetry={() => void inbox.fetchNextPage()}>
              The rest could not be loaded.
            </LoadError>
          )}
          {!inbox.isError && <ShowMore list={inbox} />}
        </Sheet>
      )}
    </>
  );
}

const isWaiting = ({ needsYou, read }: Notification): boolean => needsYou && !read;
