import { durationMinutes } from '@lessonbook/contract/dates';
import { fromEpochMs } from '@lessonbook/contract/time';
import { Temporal } from 'temporal-polyfill';

export type ChangeKind = 'cancelled' | 'moved' | 'restored';

export interface Slot {
  startsAt: Date;
  endsAt: Date;
}

/** The instants of a local time, as the schedule computes them. */
export function toSlot(
  timeZone: string,
  { date, startTime, endTime }: { date: string; startTime: string; endTime: string },
): Slot {
  const { epochMilliseconds: start } = Temporal.PlainDateTime.from(
    `${date}T${startTime}`,
  ).toZonedDateTime(timeZone, { disambiguation: 'compatible' });
  const end = start + durationMinutes(startTime, endTime) * 60_000;
  return { startsAt: fromEpochMs(start), endsAt: fromEpochMs(end) };
}

/** What a message said about a session. */
export interface Communication {
  messageId: number;
  kind: string;
  state: string;
  /** Whether sending was attempted, so that the recipient may have the message although it is not marked as sent. */
  mayHaveBeenSent: boolean;
  channel: string;
  address: string;
  /** False if the message says that the session will not take place. */
  takesPlace: boolean;
  startsAt: Date;
  endsAt: Date;
}

/**
 * Whether the recipient is assumed to have the message. A change notice counts even while it is waiting to be sent. A draft
 * does not count, because the tutor may never send it.
 */
export function isAssumedReceived({ kind, state, mayHaveBeenSent }: Communication): boolean {
  return (
    (state === 'waiting' && kind === 'lesson_change') ||
    ['opened', 'sent', 'delivered', 'read'].includes(state) ||
    (state === 'skipped' && mayHaveBeenSent)
  );
}

/** The most recent of the given communications that the recipient is assumed to have. */
export const latestCommunication = <T extends Communication>(
  communications: readonly T[],
): T | undefined =>
  communications
    .filter(isAssumedReceived)
    .reduce<T | undefined>(
      (last, each) => (last && last.messageId > each.messageId ? last : each),
      undefined,
    );

/**
 * The change that a recipient has not been sent yet, or null if there is none. `current` is null if the session is not
 * taking place.
 */
export function pendingChange(
  known: Slot & { takesPlace: boolean },
  current: Slot | null,
): ChangeKind | null {
  if (current === null) return known.takesPlace ? 'cancelled' : null;
  if (!known.takesPlace) return 'restored';
  return isSameSlot(known, current) ? null : 'moved';
}

/** Whether this is a draft of a change notice that matches the current schedule. */
export const isCurrentDraft = (communication: Communication, current: Slot | null): boolean =>
  communication.kind === 'lesson_change' &&
  communication.state === 'draft' &&
  pendingChange(communication, current) === null;

export const isSameSlot = (a: Slot, b: Slot): boolean =>
  a.startsAt.getTime() === b.startsAt.getTime() && a.endsAt.getTime() === b.endsAt.getTime();

/** A change needs no message once both times have passed. */
export const isUpcoming = (known: Slot, current: Slot | null, now: Date): boolean =>
  known.startsAt > now || (current !== null && current.startsAt > now);

/** Whether this is a draft that was replaced or is outdated. Other WhatsApp change notices are never skipped. */
export const isOutdatedDraft = ({ kind, channel, state }: Communication): boolean =>
  kind === 'lesson_change' && channel === 'whatsapp' && state === 'skipped';

/**
 * The communications to one recipient about one session that an automatic correction must replace, one for each address.
 * Empty if the latest of them gives the current time, or a draft with the current time is waiting for the tutor. An address
 * is left out if a notice with the current time has already been created for it, so that a failed or dismissed notice is not
 * created again.
 */
export function communicationsToCorrect<T extends Communication>(
  communications: readonly T[],
  current: Slot | null,
  now: Date,
): T[] {
  const known = latestCommunication(communications);
  if (!known || pendingChange(known, current) === null) return [];
  if (communications.some((each) => isCurrentDraft(each, current))) return [];
  return [
    ...Map.groupBy(communications, ({ channel, address }) => `${channel} ${address}`).values(),
  ].flatMap((group) => {
    const knownAtAddress = latestCommunication(group);
    if (!knownAtAddress || !isUpcoming(knownAtAddress, current, now)) return [];
    const lastNotice = group
      .filter((each) => each.kind === 'lesson_change' && !isOutdatedDraft(each))
      .toSorted((a, b) => a.messageId - b.messageId)
      .at(-1);
    const hasCurrentNotice =
      lastNotice !== undefined &&
      lastNotice.messageId > knownAtAddress.messageId &&
      pendingChange(lastNotice, current) === null;
    return pendingChange(knownAtAddress, current) === null || hasCurrentNotice
      ? []
      : [knownAtAddress];
  });
}
