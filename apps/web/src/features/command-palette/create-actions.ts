import type { Student } from '@lessonbook/contract/students';
import {
  type Icon,
  IconCalendarPlus,
  IconCoins,
  IconFilePlus,
  IconUmbrella,
  IconUserPlus,
} from '@tabler/icons-react';
import type { LessonDefaults } from '../lessons/shared/lesson-form.ts';
import type { CreateActionId } from './shared/open-create-dialog.ts';

/** A dialog over the page. */
export type DialogRequest =
  | { kind: 'lesson'; defaults: LessonDefaults }
  | { kind: 'student'; student: Student | null; name?: string }
  | { kind: 'payment'; familyId: number }
  | { kind: 'invoice' }
  | { kind: 'time-off' };

interface CreateAction {
  id: CreateActionId;
  label: string;
  hint?: string;
  keywords: string;
  Icon: Icon;
  /** Null if the payer has to be chosen first. */
  request: DialogRequest | null;
}

/** The actions of the palette and the + menu that create a record. */
export const CREATE_ACTIONS: readonly CreateAction[] = [
  {
    id: 'new-lesson',
    label: 'New lesson',
    hint: 'Add a lesson to your schedule',
    keywords: 'add create session',
    Icon: IconCalendarPlus,
    request: { kind: 'lesson', defaults: {} },
  },
  {
    id: 'record-payment',
    label: 'Record payment',
    keywords: 'paid received money cash transfer add',
    Icon: IconCoins,
    request: null,
  },
  {
    id: 'new-student',
    label: 'New student',
    keywords: 'add create pupil',
    Icon: IconUserPlus,
    request: { kind: 'student', student: null },
  },
  {
    id: 'new-invoice',
    label: 'New invoice',
    keywords: 'add create bill',
    Icon: IconFilePlus,
    request: { kind: 'invoice' },
  },
  {
    id: 'time-off',
    label: 'Time off',
    hint: 'Days without lessons',
    keywords: 'holiday cancel my day half term ill',
    Icon: IconUmbrella,
    request: { kind: 'time-off' },
  },
];
