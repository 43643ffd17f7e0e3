import type { SessionRow } from '@lessonbook/contract/sessions';
import { TONES, type Tone } from '@lessonbook/contract/subjects';
import { useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { subjectsQuery } from '../subjects/api.ts';

/** With one or two subjects everything would wear the same colour; then it helps to tell the students apart. */
const FEW_SUBJECTS = 3;

export type ToneOf = (session: Pick<SessionRow, 'studentId' | 'subjectTone'>) => Tone;

export function useTones(): ToneOf {
  const { data: subjects } = useQuery(subjectsQuery);
  const byStudent = subjects !== undefined && subjects.length < FEW_SUBJECTS;
  return useCallback(
    ({ studentId, subjectTone }) => (byStudent ? toneOfStudent(studentId) : subjectTone),
    [byStudent],
  );
}

const toneOfStudent = (id: number): Tone => TONES[id % TONES.length] ?? 'stone';
