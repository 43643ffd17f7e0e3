import { CHANNELS, type Channel, type MessagePreview } from '@lessonbook/contract/messages';
import { useQueries } from '@tanstack/react-query';
import type { NotifyRequest } from '../lessons/shared/notify-store.ts';
import { notifyPreviewQuery } from './api.ts';

/** Told together or not at all: a carer, and the student too where both get messages. */
export interface RecipientFamily {
  key: string;
  people: MessagePreview[];
}

export function groupByFamily(people: readonly MessagePreview[]): RecipientFamily[] {
  const families = new Map<string, MessagePreview[]>();
  for (const person of people) {
    const key = String(person.familyId ?? person.toName);
    families.set(key, [...(families.get(key) ?? []), person]);
  }
  return [...families].map(([key, own]) => ({ key, people: own }));
}

/** Each lesson once, though two people of a family hear of it. */
export const sessionIdsOf = (families: readonly RecipientFamily[]): number[] => [
  ...new Set(families.flatMap(({ people }) => people.flatMap(({ sessionIds }) => sessionIds))),
];

/** Has an address, so that telling reaches somebody. */
export const hasAddress = ({ problem }: MessagePreview): boolean => problem === null;

export const isReachable = ({ people }: RecipientFamily): boolean => people.some(hasAddress);

/** What each way would say to whom; both are asked, since a family may have only one of the two. */
export function useRecipients({ kind, sessions }: NotifyRequest) {
  const sessionIds = sessions.map(({ id }) => id);
  const asked = useQueries({
    queries: CHANNELS.map((channel) => notifyPreviewQuery({ kind, sessionIds, channel })),
  });
  return {
    families: (channel: Channel) => groupByFamily(asked[CHANNELS.indexOf(channel)]?.data ?? []),
    isLoaded: asked.every(({ data }) => data),
    isError: asked.some(({ isError, data }) => isError && !data),
    retry: () => void Promise.all(asked.map((each) => each.refetch())),
  };
}
