/**
 * Long texts that have not been sent or saved yet, kept in this browser so that they survive a reload. Drafts belong to
 * one tutor and are removed on logout and when another tutor logs in.
 */
const PREFIX = 'lessonbook-draft:';

interface DraftOwner {
  id: string;
  /** False in the demo, which many people share. */
  mayStore: () => Promise<boolean>;
}

let owner: DraftOwner | null | undefined;
let isAllowed = false;

const storageKey = (key: string): string => `${PREFIX}${owner?.id}:${key}`;

/** Called with null if no tutor is logged in. */
export function setDraftOwner(next: DraftOwner | null): void {
  if (owner !== undefined && next?.id === owner?.id) return;
  owner = next;
  isAllowed = false;
  removeDraftsExcept(next && storageKey(''));
}

function removeDraftsExcept(keptPrefix: string | null) {
  try {
    for (const key of Object.keys(localStorage)) {
      const isKept = keptPrefix !== null && key.startsWith(keptPrefix);
      if (key.startsWith(PREFIX) && !isKept) localStorage.removeItem(key);
    }
  } catch {
    // Without storage there are no drafts.
  }
}

/** Null if there is no draft, or if an older version of the app stored one with fields other than those of `expected`. */
export function readDraft<T extends object>(key: string, expected: T): T | null {
  if (!owner) return null;
  const ownerAtStart = owner;
  void ownerAtStart.mayStore().then(
    (allowed) => {
      if (owner === ownerAtStart) isAllowed = allowed;
    },
    // If the request fails, nothing is stored.
    () => undefined,
  );
  try {
    const draft: unknown = JSON.parse(localStorage.getItem(storageKey(key)) ?? 'null');
    return hasSameShape(draft, expected) ? (draft as T) : null;
  } catch {
    return null;
  }
}

function hasSameShape(value: unknown, expected: unknown): boolean {
  if (typeof value !== typeof expected) return false;
  if (typeof expected !== 'object' || expected === null) return true;
  return (
    value !== null &&
    Object.entries(expected).every(([name, part]) =>
      hasSameShape((value as Record<string, unknown>)[name], part),
    )
  );
}

export function saveDraft(key: string, fields: object): void {
  if (!owner || !isAllowed) return;
  try {
    localStorage.setItem(storageKey(key), JSON.stringify(fields));
  } catch {
    // The storage is full or blocked; the form still asks before its input is lost.
  }
}

export function removeDraft(key: string): void {
  try {
    localStorage.removeItem(storageKey(key));
  } catch {
    // Without storage there are no drafts.
  }
}
