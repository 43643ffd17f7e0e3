import { SUBJECT_COLORS, type SubjectColor } from '@lessonbook/contract/subjects';

/** Tones are given in turn: the one that the fewest subjects wear, the earlier one among equals. */
export function nextColor(used: readonly SubjectColor[]): SubjectColor {
  const countOf = (color: SubjectColor) => used.filter((one) => one === color).length;
  return SUBJECT_COLORS.reduce((least, color) => (countOf(color) < countOf(least) ? color : least));
}
