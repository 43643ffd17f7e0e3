import { type AnyEvent, isThin } from './event-types.ts';

export interface Endpoint {
  url: string;
  secret: string;
  /** Types it asked for; those of the product when left out. */
  events?: readonly string[] | '*';
}

/** What the product's two endpoints are subscribed to. */
const ACCOUNT_EVENTS: readonly string[] = [
  'v2.core.account[requirements].updated',
  'v2.core.account[configuration.merchant].capability_status_updated',
  'v2.core.account.closed',
];
const CONNECT_EVENTS: readonly string[] = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'charge.refunded',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'account.application.deauthorized',
];

export interface Delivery {
  eventId: string;
  type: string;
  account: string | null;
  url: string;
  copy: number;
  attempt: number;
  /** Null when there was no answer at all. */
  status: number | null;
  answer: string;
}

export function isSubscribed(endpoint: Endpoint, event: AnyEvent): boolean {
  const types = endpoint.events ?? (isThin(event) ? ACCOUNT_EVENTS : CONNECT_EVENTS);
  return types === '*' || types.includes(event.type);
}
