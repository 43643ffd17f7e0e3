import type { Icon } from '@tabler/icons-react';

export const SECTIONS = ['Lesson', 'Do', 'Go to', 'Students', 'Families'] as const;
export type Section = (typeof SECTIONS)[number];

/** One thing that can be picked. */
export interface Command {
  id: string;
  section: Section;
  label: string;
  hint?: string | undefined;
  /** Other words by which people look for it. */
  alias?: string;
  Icon: Icon;
  /** A page takes the focus, a dialog gives it back where it was, and a question keeps the palette open. */
  leads: 'page' | 'dialog' | 'question';
  run: () => void;
}
