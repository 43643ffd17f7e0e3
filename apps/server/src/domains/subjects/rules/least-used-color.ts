import { SUBJECT_COLORS, type SubjectColor } from '@lessonbook/contract/subjects';

/** Returns the least used colour, or the first in the list if there is a tie. */
export function leastUsedColor(used: readonly SubjectColor[]): SubjectColor {
  const countOf = (color: SubjectColor) => used.filter((usedColor) => usedColor === color).length;
  return SUBJECT_COLORS.reduce((least, color) => (countOf(color) < countOf(least) ? color : least));
}
