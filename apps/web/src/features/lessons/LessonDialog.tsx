import { LessonDialogEdit } from './LessonDialogEdit.tsx';
import { LessonDialogNew } from './LessonDialogNew.tsx';
import type { LessonEdit, LessonStart, SavedLesson } from './lesson-form.ts';

interface Props {
  opened: boolean;
  onClose: () => void;
  start?: LessonStart;
  edit?: LessonEdit;
  onSaved?: (saved: SavedLesson) => void;
}

/** Writes a lesson down, or changes it. Large with its calendar, so fetch it when it is first wanted. */
export function LessonDialog({ opened, onClose, start = {}, edit, onSaved }: Props) {
  const common = { opened, onClose, onSaved: onSaved ?? (() => {}) };
  return edit ? (
    <LessonDialogEdit edit={edit} {...common} />
  ) : (
    <LessonDialogNew start={start} {...common} />
  );
}
