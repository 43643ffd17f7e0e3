/** Words that an attacker would try first on this site. Also listed in docs/security/authentication.md. */
export const COMMON_WORDS = ['lessonbook', 'lesson', 'tutor', 'teacher', 'student', 'password'];

/** Shorter parts of a name appear in many unrelated words. */
const MIN_WORD_LENGTH = 4;
/** A password with fewer letters than this, not counting the guessable words, is rejected. */
const MIN_OTHER_LETTERS = 4;

/**
 * Whether the password consists mostly of the username, the local part of the email address, the name or common words.
 * A password may contain them, but needs enough other letters as well.
 */
export function isGuessable(
  password: string,
  person: { username: string; email: string; name: string },
): boolean {
  const localPart = person.email.split('@')[0] ?? '';
  const parts = [
    person.username,
    localPart,
    ...`${person.username} ${localPart} ${person.name}`.split(/[^\p{L}\p{N}]+/u),
  ];
  const words = [...parts.map((part) => part.toLowerCase()), ...COMMON_WORDS]
    .filter((word) => word.length >= MIN_WORD_LENGTH)
    .toSorted((a, b) => b.length - a.length);
  const lower = password.toLowerCase();
  const rest = words.reduce((text, word) => text.replaceAll(word, ''), lower);
  if (rest === lower) return false;
  return rest.replaceAll(/[^\p{L}]/gu, '').length < MIN_OTHER_LETTERS;
}
