import { normalizeText } from './normalize-text.ts';

interface NamedSubject {
  id: number;
  name: string;
}

export interface SubjectsOfStudent {
  /** Names, separated by commas. */
  subject?: string | null | undefined;
  /** The subjects of the student's lessons. */
  subjectIds?: readonly number[] | undefined;
}

/**
 * The subjects that a student takes: those of their lessons, and those named in their details. `unknown` are names that
 * are not in the tutor's list of subjects.
 */
export function matchStudentSubjects<S extends NamedSubject>(
  { subject, subjectIds = [] }: SubjectsOfStudent,
  subjects: readonly S[],
): { taken: S[]; unknown: string[] } {
  const text = subject ?? '';
  // Tries the whole text first, because a subject may be called 'English and drama'.
  const names = findByName(subjects, text) ? [text] : splitNames(text);
  const named = names.map((name) => ({ name, found: findByName(subjects, name) }));
  const ids = new Set([...subjectIds, ...named.flatMap(({ found }) => found?.id ?? [])]);
  return {
    taken: subjects.filter(({ id }) => ids.has(id)),
    unknown: named.flatMap(({ name, found }) => (found ? [] : [name])),
  };
}

/** 'Maths, Piano and English' contains three names. */
const splitNames = (text: string): string[] =>
  text
    .split(/[,;/&]|\band\b/)
    .map((name) => name.trim())
    .filter((name) => name !== '');

function findByName<S extends NamedSubject>(subjects: readonly S[], name: string): S | undefined {
  const wanted = normalizeText(name.trim());
  return wanted === '' ? undefined : subjects.find((one) => normalizeText(one.name) === wanted);
}
