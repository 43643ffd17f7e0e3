import type { ImportKind } from '@lessonbook/contract/import';

interface Column {
  name: string;
  needed?: true;
}

/** As the tutor may head them; the server knows some other words for each. */
export const COLUMNS: Record<ImportKind, readonly Column[]> = {
  students: [
    { name: 'Name', needed: true },
    { name: 'Phone' },
    { name: 'Email' },
    { name: 'Subject' },
    { name: 'Notes' },
    { name: 'Carer name' },
    { name: 'Relationship' },
    { name: 'Carer phone' },
    { name: 'Carer email' },
  ],
  lessons: [
    { name: 'Student', needed: true },
    { name: 'Subject', needed: true },
    { name: 'Date', needed: true },
    { name: 'Start', needed: true },
    { name: 'End', needed: true },
    { name: 'Fee' },
    { name: 'Weekly until' },
  ],
};
