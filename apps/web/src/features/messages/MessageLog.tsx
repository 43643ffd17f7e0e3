import { useInfiniteQuery } from '@tanstack/react-query';
import { EmptyState } from '../../components/EmptyState.tsx';
import { LoadError } from '../../components/LoadError.tsx';
import { RowSkeleton } from '../../components/RowSkeleton.tsx';
import { Sheet } from '../../components/Sheet.tsx';
import { ShowMore } from '../../components/ShowMore.tsx';
import { Spot } from '../../components/Spot.tsx';
import type { Wall } from '../../lib/moments.ts';
import { messagesQuery } from './api.ts';
import { LogRow } from './LogRow.tsx';
import { isInTray } from './message-words.ts';

/** What left the house, newest first: all of it, or what one family got. */
export function MessageLog({ familyId, wall }: { familyId?: number | undefined; wall: Wall }) {
  const log = useInfiniteQuery(messagesQuery(familyId));
  const all = log.data?.pages.flat() ?? [];
  // What still lies in the tray was not sent; of one family it is told all the same.
  const messages = familyId === undefined ? all.filter(({ state }) => !isInTray(state)) : all;
  return (
    <Sheet>
      {log.isPending && <RowSkeleton rows={5} />}
      {log.isSuccess && messages.length === 0 && (
        <EmptyState drawing={<Spot name="envelope" size={112} />}>
          {familyId === undefined
            ? 'No messages sent yet. Reminders, invoices and news of changes stand here once they go.'
            : 'Nothing was sent to this family yet.'}
        </EmptyState>
      )}
      {messages.length > 0 && (
        <ul>
          {messages.map((message) => (
            <LogRow key={message.id} message={message} wall={wall} />
          ))}
        </ul>
      )}
      {log.isError && (
        <LoadError
          onRetry={() => void (log.isFetchNextPageError ? log.fetchNextPage() : log.refetch())}
        >
          {messages.length > 0
            ? 'The rest could not be loaded.'
            : 'What was sent could not be loaded.'}
        </LoadError>
      )}
      {!log.isError && <ShowMore list={log} />}
    </Sheet>
  );
}
