import { parseLesson, type QuickAddContext } from './parse-lesson.ts';
import type { QuickAddStudent } from './resolve-lesson.ts';

export type LessonAction = 'cancel' | 'move' | 'complete';

/** A sentence that is about an existing lesson, or that adds a student. */
export type QuickRequest =
  | { kind: 'lesson'; action: LessonAction; student: QuickAddStudent; date: string | null }
  | { kind: 'student'; name: string };

// A Map, because a plain object would also match the typed word 'constructor'.
const ACTIONS = new Map<string, LessonAction>([
  ['cancel', 'cancel'],
  ['skip', 'cancel'],
  ['move', 'move'],
  ['reschedule', 'move'],
  ['change', 'move'],
  ['shift', 'move'],
  ['complete', 'complete'],
  ['done', 'complete'],
]);

/**
 * 'cancel maya tomorrow', 'move leo thursday to friday', 'add Olivia Hale'. Null for anything else, and empty if it is not
 * clear who is meant.
 */
export function parseLessonActionsOrNewStudent(
  sentence: string,
  context: QuickAddContext,
): QuickRequest[] | null {
  const [verb = '', ...rest] = sentence
    .trim()
    .replace(/['’]s\b/g, '')
    .split(/\s+/);
  const action = ACTIONS.get(verb.toLowerCase());
  if (!action) return newStudent(sentence, context);
  // What follows 'to' is the new time, which is chosen on the page of the lesson.
  const to = rest.findIndex((word) => word.toLowerCase() === 'to');
  const { students, otherStudents, dates } = parseLesson(
    rest.slice(0, to === -1 ? rest.length : to).join(' '),
    context,
  );
  return [...students, ...otherStudents].map((student) => ({
    kind: 'lesson',
    action,
    student,
    date: dates[0] ?? null,
  }));
}

/** 'add Olivia', unless Olivia is a student or more than a name follows. */
function newStudent(sentence: string, context: QuickAddContext): QuickRequest[] | null {
  const match = /^(?:add|new)\s+(?:a\s+)?(?:new\s+)?(?:(?:student|pupil)\s+)?(.+)$/i.exec(
    sentence.trim(),
  );
  const name = match?.[1]?.trim() ?? '';
  if (!/^[\p{L}'’.-]+(?:\s+[\p{L}'’.-]+){0,3}$/u.test(name)) return null;
  const { unrecognized } = parseLesson(name, context);
  return unrecognized[0] === name ? [{ kind: 'student', name: capitalizeWords(name) }] : null;
}

export const capitalizeWords = (name: string): string =>
  name.replace(/(^|\s)\p{Ll}/gu, (letter) => letter.toUpperCase());
