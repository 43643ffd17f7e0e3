export type ChangeKind = 'cancelled' | 'moved' | 'restored';

export interface Slot {
  startsAt: Date;
  endsAt: Date;
}

/** What one message said about a session. */
export interface Communication {
  messageId: number;
  kind: string;
  state: string;
  /** A send was attempted, so the recipient may have the message although it is not marked as sent. */
  mayHaveBeenSent: boolean;
  channel: string;
  address: string;
  /** False if the message says that the session does not take place. */
  takesPlace: boolean;
  startsAt: Date;
  endsAt: Date;
}

/**
 * Whether the recipient is taken to know what the message says. A change notice also counts while it waits to be sent. A draft
 * does not, because the tutor may never send it.
 */
export function isCommunicated({ kind, state, mayHaveBeenSent }: Communication): boolean {
  return (
    (state === 'waiting' && kind === 'lesson_change') ||
    ['opened', 'sent', 'delivered', 'read'].includes(state) ||
    (state === 'skipped' && mayHaveBeenSent)
  );
}

/** The last of the given communications that counts, in the order of the messages. */
export const latestCommunication = <T extends Communication>(
  communications: readonly T[],
): T | undefined =>
  communications
    .filter(isCommunicated)
    .reduce<T | undefined>(
      (last, each) => (last && last.messageId > each.messageId ? last : each),
      undefined,
    );

/**
 * The change that a recipient does not know yet. The current slot is null if the session does not
 * take place. Null if there is nothing to say.
 */
export function pendingChange(
  known: Slot & { takesPlace: boolean },
  current: Slot | null,
): ChangeKind | null {
  if (current === null) return known.takesPlace ? 'cancelled' : null;
  if (!known.takesPlace) return 'restored';
  return isSameSlot(known, current) ? null : 'moved';
}

/** Whether this is a draft of a change notice that says what the schedule says now. */
export const isCurrentDraft = (communication: Communication, current: Slot | null): boolean =>
  communication.kind === 'lesson_change' &&
  communication.state === 'draft' &&
  pendingChange(communication, current) === null;

export const isSameSlot = (a: Slot, b: Slot): boolean =>
  a.startsAt.getTime() === b.startsAt.getTime() && a.endsAt.getTime() === b.endsAt.getTime();

/** A change needs no message once both times have passed. */
export const isUpcoming = (known: Slot, current: Slot | null, now: Date): boolean =>
  known.startsAt > now || (current !== null && current.startsAt > now);

/** A draft that was replaced or became outdated. Other change notices by WhatsApp are never skipped. */
export const isOutdatedDraft = ({ kind, channel, state }: Communication): boolean =>
  kind === 'lesson_change' && channel === 'whatsapp' && state === 'skipped';

/**
 * The communications to one recipient about one session that an automatic correction must replace, one for each address.
 * Empty if the recipient knows the current time from any of them, or a draft with it waits for the tutor. An address is left out if a notice of the current time
 * was already created for it: one that failed or was dismissed is not created again and again.
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
    const knownHere = latestCommunication(group);
    if (!knownHere || !isUpcoming(knownHere, current, now)) return [];
    const lastNotice = group
      .filter((each) => each.kind === 'lesson_change' && !isOutdatedDraft(each))
      .toSorted((a, b) => a.messageId - b.messageId)
      .at(-1);
    const isCreated =
      lastNotice !== undefined &&
      lastNotice.messageId > knownHere.messageId &&
      pendingChange(lastNotice, current) === null;
    return pendingChange(knownHere, current) === null || isCreated ? [] : [knownHere];
  });
}
