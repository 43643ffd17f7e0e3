import { type LiveForm, useLiveForm } from '../../lib/live-form.ts';
import { type LessonForm, LessonFormCheck } from './lesson-form.ts';

/** The dialog's fields hang together: a start moves its end. */
export const useLessonForm = (initial: LessonForm) => useLiveForm(LessonFormCheck, initial);

export type LessonFormState = LiveForm<LessonForm>;
