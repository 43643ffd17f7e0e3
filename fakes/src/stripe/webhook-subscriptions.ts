import { type AnyEvent, isThin } from './event-types.ts';

export interface Endpoint {
  url: string;
  secret: string;
  /** Subscribed event types; defaults to the types that the product needs. */
  events?: readonly string[] | '*';
}

/** The event types that the product subscribes to. */
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
  /** Null if there was no response. */
  status: number | null;
  responseText: string;
}

export function isSubscribed(endpoint: Endpoint, event: AnyEvent): boolean {
  const types = endpoint.events ?? (isThin(event) ? ACCOUNT_EVENTS : CONNECT_EVENTS);
  return types === '*' || types.includes(event.type);
}
