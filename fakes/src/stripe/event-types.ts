/** The version pinned by the SDK, which determines the format of events. */
export const API_VERSION = '2026-10-28.endive';

export interface SnapshotEvent {
  id: string;
  object: 'event';
  account?: string;
  api_version: string;
  created: number;
  data: { object: object; previous_attributes?: object };
  livemode: boolean;
  pending_webhooks: number;
  request: { id: string | null; idempotency_key: string | null };
  type: string;
}

export interface ThinEvent {
  id: string;
  object: 'v2.core.event';
  context?: string;
  created: string;
  /** Returned when the event is retrieved; not part of the delivered (thin) event. */
  data?: object;
  livemode: boolean;
  reason?: { type: 'request'; request: { id: string; idempotency_key: string } };
  related_object: { id: string; type: string; url: string };
  type: string;
}

export type AnyEvent = SnapshotEvent | ThinEvent;

export function isThin(event: AnyEvent): event is ThinEvent {
  return event.object === 'v2.core.event';
}
