export const STUDENT_FILTERS = [
  'active',
  'owing',
  'unscheduled',
  'trial',
  'paused',
  'left',
] as const;
export type StudentFilter = (typeof STUDENT_FILTERS)[number];

export const STUDENT_TABS = ['lessons', 'notes', 'money', 'people'] as const;
export type StudentTab = (typeof STUDENT_TABS)[number];

/** The dialogs that a page opens for a student. */
export type StudentAction =
  | 'lesson'
  | 'payment'
  | 'move'
  | 'note'
  | 'edit'
  | 'status'
  | 'leave'
  | 'delete';

export interface StudentsSearch {
  /** The filter; if omitted, the active students are shown. */
  show?: StudentFilter;
  q?: string;
  /** The student beside the list, on wide screens. */
  student?: number;
  tab?: StudentTab;
}

const isOneOf = <T extends string>(values: readonly T[], value: unknown): value is T =>
  values.includes(value as T);

export const parseTab = ({ tab }: Record<string, unknown>): { tab?: StudentTab } =>
  isOneOf(STUDENT_TABS, tab) && tab !== 'lessons' ? { tab } : {};

export const parseStudentFilters = ({
  show,
  q,
}: Record<string, unknown>): Pick<StudentsSearch, 'show' | 'q'> => ({
  ...(isOneOf(STUDENT_FILTERS, show) && show !== 'active' && { show }),
  ...((typeof q === 'string' || typeof q === 'number') && q !== '' && { q: String(q) }),
});
