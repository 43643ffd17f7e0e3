import { CHANNELS, type Channel, type MessagePreview } from '@lessonbook/contract/messages';
import { useQueries } from '@tanstack/react-query';
import type { ToTell } from '../../lib/tell.ts';
import { tellPreviewQuery } from './api.ts';

/** Told together or not at all: a carer, and the student too where both get messages. */
export interface ToldFamily {
  key: string;
  people: MessagePreview[];
}

export function familiesOf(people: readonly MessagePreview[]): ToldFamily[] {
  const families = new Map<string, MessagePreview[]>();
  for (const person of people) {
    const key = String(person.familyId ?? person.toName);
    families.set(key, [...(families.get(key) ?? []), person]);
  }
  return [...families].map(([key, own]) => ({ key, people: own }));
}

/** Each lesson once, though two people of a family hear of it. */
export const lessonsOf = (families: readonly ToldFamily[]): number[] => [
  ...new Set(families.flatMap(({ people }) => people.flatMap(({ sessionIds }) => sessionIds))),
];

/** Has an address, so that telling reaches somebody. */
export const isReached = ({ problem }: MessagePreview): boolean => problem === null;

export const canBeReached = ({ people }: ToldFamily): boolean => people.some(isReached);

/** What each way would say to whom; both are asked, since a family may have only one of the two. */
export function useWhomToTell({ kind, sessions }: ToTell) {
  const sessionIds = sessions.map(({ id }) => id);
  const asked = useQueries({
    queries: CHANNELS.map((channel) => tellPreviewQuery({ kind, sessionIds, channel })),
  });
  return {
    families: (channel: Channel) => familiesOf(asked[CHANNELS.indexOf(channel)]?.data ?? []),
    isLoaded: asked.every(({ data }) => data),
    isError: asked.some(({ isError, data }) => isError && !data),
    retry: () => void Promise.all(asked.map((each) => each.refetch())),
  };
}
