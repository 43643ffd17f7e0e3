import { CHANNELS, type Channel, type MessagePreview } from '@lessonbook/contract/messages';
import { useQueries } from '@tanstack/react-query';
import type { NotifyRequest } from '../lessons/shared/notify-families-store.ts';
import { changeNoticePreviewQuery } from './api.ts';

/** People who are notified together or not at all: a carer, and the student if both receive messages. */
export interface RecipientFamily {
  key: string;
  people: RecipientPreview[];
}

/** One message. A carer and a student can share a name, and one person can get two messages, so the position is the key. */
export type RecipientPreview = MessagePreview & { key: string };

export function groupByFamily(people: readonly MessagePreview[]): RecipientFamily[] {
  const families = new Map<string, RecipientPreview[]>();
  for (const [index, person] of people.entries()) {
    const key = String(person.familyId ?? person.toName);
    families.set(key, [...(families.get(key) ?? []), { ...person, key: String(index) }]);
  }
  return [...families].map(([key, members]) => ({ key, people: members }));
}

/** Distinct session ids, even if two people in a family are notified about the same session. */
export const sessionIdsOf = (families: readonly RecipientFamily[]): number[] => [
  ...new Set(families.flatMap(({ people }) => people.flatMap(({ sessionIds }) => sessionIds))),
];

export const hasAddress = ({ problem }: MessagePreview): boolean => problem === null;

export const isReachable = ({ people }: RecipientFamily): boolean => people.some(hasAddress);

/** Previews for both channels, because a family may be reachable on only one of them. */
export function useChangeNoticeRecipients({ id, sessions, previousTimes }: NotifyRequest) {
  const sessionIds = sessions.map((session) => session.id);
  const previews = useQueries({
    queries: CHANNELS.map((channel) =>
      changeNoticePreviewQuery(id, {
        sessionIds,
        channel,
        ...(previousTimes && { previousTimes }),
      }),
    ),
  });
  return {
    families: (channel: Channel) => groupByFamily(previews[CHANNELS.indexOf(channel)]?.data ?? []),
    isLoaded: previews.every(({ data }) => data),
    isError: previews.some(({ isError, data }) => isError && !data),
    retry: () => void Promise.all(previews.map((preview) => preview.refetch())),
  };
}
