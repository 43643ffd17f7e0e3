import { lazy, Suspense } from 'react';
import { LessonDialogNew } from './LessonDialogNew.tsx';
import type { LessonEdit, LessonStart, SavedLesson } from './lesson-form.ts';

/** Changing a lesson asks much that writing one down does not. */
const LessonDialogEdit = lazy(async () => ({
  default: (await import('./LessonDialogEdit.tsx')).LessonDialogEdit,
}));

interface Props {
  opened: boolean;
  onClose: () => void;
  start?: LessonStart;
  edit?: LessonEdit;
  onSaved?: (saved: SavedLesson) => void;
}

/** Writes a lesson down, or changes it. Large with its fields, so fetch it when it is first wanted. */
export function LessonDialog({ opened, onClose, start = {}, edit, onSaved }: Props) {
  const common = { opened, onClose, onSaved: onSaved ?? (() => {}) };
  return edit ? (
    <Suspense>
      <LessonDialogEdit edit={edit} {...common} />
    </Suspense>
  ) : (
    <LessonDialogNew start={start} {...common} />
  );
}
