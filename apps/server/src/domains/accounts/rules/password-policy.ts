/** What anybody would try first at this house; docs/security/authentication.md has the list. */
export const COMMON_WORDS = ['lessonbook', 'lesson', 'tutor', 'teacher', 'student', 'password'];

/** A part of a name this short is in many words by chance. */
const MIN_WORD_LENGTH = 4;
/** With fewer letters of its own, what is left is no secret. */
const MIN_OTHER_LETTERS = 4;

/**
 * What is easy to guess about this person: username, what stands before the at-sign, the names, and words of the house. A
 * password may have them in it, but must have something else as well.
 */
export function isGuessable(
  password: string,
  person: { username: string; email: string; name: string },
): boolean {
  const local = person.email.split('@')[0] ?? '';
  const parts = [
    person.username,
    local,
    ...`${person.username} ${local} ${person.name}`.split(/[^\p{L}\p{N}]+/u),
  ];
  const words = [...parts.map((part) => part.toLowerCase()), ...COMMON_WORDS]
    .filter((word) => word.length >= MIN_WORD_LENGTH)
    .toSorted((one, other) => other.length - one.length);
  const lower = password.toLowerCase();
  const left = words.reduce((text, word) => text.replaceAll(word, ''), lower);
  if (left === lower) return false;
  return left.replaceAll(/[^\p{L}]/gu, '').length < MIN_OTHER_LETTERS;
}
