import { SUBJECT_COLORS, type SubjectColor } from '@lessonbook/contract/subjects';

/** The least used colour; the first in the list if several are equal. */
export function nextColor(used: readonly SubjectColor[]): SubjectColor {
  const countOf = (color: SubjectColor) => used.filter((usedColor) => usedColor === color).length;
  return SUBJECT_COLORS.reduce((least, color) => (countOf(color) < countOf(least) ? color : least));
}
