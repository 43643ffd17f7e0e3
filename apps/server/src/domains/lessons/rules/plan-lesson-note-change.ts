import type { SaveNoteInput } from '@lessonbook/contract/lesson-notes';

/** Each field is null if nothing was entered. */
export interface NoteFields {
  did: string | null;
  nextTime: string | null;
  homework: string | null;
  dueOn: string | null;
}

/** What is stored for one student in a session. */
export interface StoredNote {
  draft: (NoteFields & { version: number }) | null;
  /** The last shared version. */
  shared: (NoteFields & { version: number; isWithdrawn: boolean }) | null;
}

export type NoteChange =
  | { kind: 'none' }
  | { kind: 'delete-draft' }
  | { kind: 'save'; version: number; isNew: boolean };

/** Homework without a chosen date is due by the student's next lesson. */
export const toNoteFields = (input: SaveNoteInput, nextLessonOn: string | null): NoteFields => {
  const homework = input.homework || null;
  const dueOn = input.dueOn === undefined ? nextLessonOn : input.dueOn;
  return {
    did: input.did || null,
    nextTime: input.nextTime || null,
    homework,
    dueOn: homework === null ? null : dueOn,
  };
};

export const isEmptyNote = ({ did, nextTime, homework }: NoteFields): boolean =>
  did === null && nextTime === null && homework === null;

/** The draft, or else what the family sees. */
export const currentNote = ({ draft, shared }: StoredNote): NoteFields | null =>
  draft ?? (shared?.isWithdrawn ? null : shared);

/** Used for forms that do not show the existing note: fields left empty keep their existing text. */
export function keepExistingWhereEmpty(input: SaveNoteInput, stored: StoredNote): SaveNoteInput {
  const current = currentNote(stored);
  if (!current) return input;
  const homework = input.homework || current.homework;
  const keepsDate = input.dueOn === undefined && homework === current.homework;
  return {
    ...input,
    did: input.did || current.did,
    nextTime: input.nextTime || current.nextTime,
    homework,
    dueOn: keepsDate ? current.dueOn : input.dueOn,
  };
}

/** A draft is changed in place. A shared version stays as it is, and saving the same text again changes nothing. */
export function planNoteChange({ draft, shared }: StoredNote, fields: NoteFields): NoteChange {
  const isUnchanged = shared !== null && !shared.isWithdrawn && isSameText(shared, fields);
  if (isUnchanged || isEmptyNote(fields))
    return draft === null ? { kind: 'none' } : { kind: 'delete-draft' };
  if (draft !== null) return { kind: 'save', version: draft.version, isNew: false };
  return { kind: 'save', version: (shared?.version ?? 0) + 1, isNew: true };
}

const isSameText = (a: NoteFields, b: NoteFields): boolean =>
  a.did === b.did && a.nextTime === b.nextTime && a.homework === b.homework && a.dueOn === b.dueOn;
