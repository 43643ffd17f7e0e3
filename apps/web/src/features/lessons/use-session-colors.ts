import type { SessionRow } from '@lessonbook/contract/sessions';
import { SUBJECT_COLORS, type SubjectColor } from '@lessonbook/contract/subjects';
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { subjectsQuery } from '../subjects/api.ts';

/** With fewer subjects than this, sessions are coloured by student instead. */
const MIN_SUBJECTS = 3;

export type ColorOf = (session: Pick<SessionRow, 'studentId' | 'subjectColor'>) => SubjectColor;

export function useSessionColors(): ColorOf {
  const { data: subjects } = useQuery(subjectsQuery);
  const byStudent = subjects !== undefined && subjects.length < MIN_SUBJECTS;
  return useCallback(
    ({ studentId, subjectColor }) => (byStudent ? studentColor(studentId) : subjectColor),
    [byStudent],
  );
}

const studentColor = (id: number): SubjectColor =>
  SUBJECT_COLORS[id % SUBJECT_COLORS.length] ?? 'stone';
