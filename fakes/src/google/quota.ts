import type { AdjustableClock } from '../shared/clock.ts';
import { ApiError } from './error-response.ts';

export interface Quotas {
  perUserPerMinute: number;
  perProjectPerMinute: number;
  /** Google uses either status. */
  status: 403 | 429;
}

export const DEFAULT_QUOTAS: Quotas = {
  perUserPerMinute: 600,
  perProjectPerMinute: 10_000,
  status: 403,
};

export interface MinuteCount {
  user: string;
  /** Start of the minute. */
  minute: string;
  served: number;
  /** Requests over the quota. */
  refused: number;
}

export interface QuotaUsage {
  minutes: MinuteCount[];
  /** The highest number of requests served within any sixty seconds. */
  peak: { project: number; users: Record<string, number> };
  refused: number;
}

const MINUTE = 60_000;

/** Timestamps of the requests in the last minute. */
class LastMinute {
  peak = 0;
  private times: number[] = [];
  private first = 0;

  countAt(now: number): number {
    while (this.first < this.times.length && (this.times[this.first] ?? 0) <= now - MINUTE) {
      this.first += 1;
    }
    if (this.first > 10_000) {
      this.times = this.times.slice(this.first);
      this.first = 0;
    }
    return this.times.length - this.first;
  }

  add(now: number): void {
    this.times.push(now);
    this.peak = Math.max(this.peak, this.countAt(now));
  }
}

/** Counts requests per user and minute and rejects those over quota. */
export class QuotaCounter {
  quotas: Quotas = DEFAULT_QUOTAS;
  private readonly project = new LastMinute();
  private readonly users = new Map<string, LastMinute>();
  private readonly minutes = new Map<string, MinuteCount>();
  private readonly clock: AdjustableClock;

  constructor(clock: AdjustableClock) {
    this.clock = clock;
  }

  count(user: string): void {
    const now = this.clock.millis();
    const userMinute = this.users.get(user) ?? new LastMinute();
    this.users.set(user, userMinute);
    const minute = this.getMinuteCount(user, now);
    const { perUserPerMinute, perProjectPerMinute } = this.quotas;
    const quotaError =
      userMinute.countAt(now) >= perUserPerMinute
        ? this.createQuotaError('userRateLimitExceeded', 'User Rate Limit Exceeded')
        : this.project.countAt(now) >= perProjectPerMinute
          ? this.createQuotaError('rateLimitExceeded', 'Rate Limit Exceeded')
          : null;
    if (quotaError) {
      minute.refused += 1;
      throw quotaError;
    }
    minute.served += 1;
    userMinute.add(now);
    this.project.add(now);
  }

  report(): QuotaUsage {
    const minutes = [...this.minutes.values()].map((each) => ({ ...each }));
    const users = [...this.users].map(([user, userMinute]) => [user, userMinute.peak]);
    return {
      minutes,
      peak: { project: this.project.peak, users: Object.fromEntries(users) },
      refused: minutes.reduce((sum, { refused }) => sum + refused, 0),
    };
  }

  private createQuotaError(reason: string, message: string): ApiError {
    return new ApiError({ status: this.quotas.status, reason, message, domain: 'usageLimits' });
  }

  private getMinuteCount(user: string, now: number): MinuteCount {
    const minute = new Date(Math.floor(now / MINUTE) * MINUTE).toISOString();
    const key = `${minute} ${user}`;
    let count = this.minutes.get(key);
    if (!count) {
      count = { user, minute, served: 0, refused: 0 };
      this.minutes.set(key, count);
    }
    return count;
  }
}
