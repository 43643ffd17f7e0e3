/** The system clock, or a test's clock. */
export interface TimeSource {
  now: () => number;
}

/** A clock that can be advanced, so that tests need not wait for things to expire. */
export class AdjustableClock {
  private offset = 0;
  private readonly source: TimeSource;

  constructor(source: TimeSource = Date) {
    this.source = source;
  }

  millis(): number {
    return this.source.now() + this.offset;
  }

  seconds(): number {
    return Math.floor(this.millis() / 1000);
  }

  iso(offsetMillis = 0): string {
    return new Date(this.millis() + offsetMillis).toISOString();
  }

  advance(millis: number): void {
    this.offset += millis;
  }
}
