import { invalidParam, noSuch } from './error-response.ts';

/** The objects of one kind in one account, in the order in which they were made. */
export class Collection<T extends { id: string }> {
  private readonly items: T[] = [];
  private readonly positions = new Map<string, number>();

  add(item: T): T {
    this.positions.set(item.id, this.items.length);
    this.items.push(item);
    return item;
  }

  get(id: string): T | undefined {
    const place = this.positions.get(id);
    return place === undefined ? undefined : this.items[place];
  }

  all(): readonly T[] {
    return this.items;
  }

  /** One page, newest first. */
  page(ask: PageParams, fits: (item: T) => boolean): { data: T[]; has_more: boolean } {
    const limit = limitOf(ask.limit);
    const found: T[] = [];
    if (ask.ending_before !== undefined) {
      const from = this.positionOf(ask.ending_before, 'ending_before') + 1;
      for (let at = from; at < this.items.length && found.length <= limit; at += 1) {
        const item = this.items[at];
        if (item && fits(item)) found.push(item);
      }
      return { data: found.slice(0, limit).toReversed(), has_more: found.length > limit };
    }
    const from =
      ask.starting_after === undefined
        ? this.items.length - 1
        : this.positionOf(ask.starting_after, 'starting_after') - 1;
    for (let at = from; at >= 0 && found.length <= limit; at -= 1) {
      const item = this.items[at];
      if (item && fits(item)) found.push(item);
    }
    return { data: found.slice(0, limit), has_more: found.length > limit };
  }

  private positionOf(id: string, param: string): number {
    const place = this.positions.get(id);
    if (place === undefined) throw noSuch('object', id, param);
    return place;
  }
}

export interface PageParams {
  limit?: string | undefined;
  starting_after?: string | undefined;
  ending_before?: string | undefined;
}

function limitOf(asked: string | undefined): number {
  if (asked === undefined) return 10;
  const limit = Number(asked);
  if (!Number.isInteger(limit)) {
    throw invalidParam('limit', `Invalid integer: ${asked}`, 'parameter_invalid_integer');
  }
  if (limit < 1) throw invalidParam('limit', 'This value must be greater than or equal to 1.');
  if (limit > 100) throw invalidParam('limit', 'This value must be less than or equal to 100.');
  return limit;
}
