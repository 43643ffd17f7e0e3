import { TONES, type Tone } from '@lessonbook/contract/subjects';

/** Tones are given in turn: the one that the fewest subjects wear, the earlier one among equals. */
export function nextTone(worn: readonly Tone[]): Tone {
  const wearers = (tone: Tone) => worn.filter((one) => one === tone).length;
  return TONES.reduce((least, tone) => (wearers(tone) < wearers(least) ? tone : least));
}
