import { setImmediate } from 'node:timers/promises';

interface Pauses {
  /** The number of items between two pauses. */
  every: number;
  /** May throw, to end the work. */
  afterPause?: () => void;
}

/** Maps a long list with pauses, in which the process answers other requests. */
export async function mapWithPauses<Item, Result>(
  items: readonly Item[],
  { every, afterPause }: Pauses,
  map: (item: Item, index: number) => Result,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const [index, item] of items.entries()) {
    if (index % every === 0) {
      await setImmediate();
      afterPause?.();
    }
    results.push(map(item, index));
  }
  return results;
}
