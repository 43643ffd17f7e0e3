/** What WhatsApp tells about a message. */
export const DELIVERY_STATUSES = ['sent', 'delivered', 'read', 'failed'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

export const isDeliveryStatus = (status: string): status is DeliveryStatus =>
  (DELIVERY_STATUSES as readonly string[]).includes(status);

const RANK: Record<Exclude<DeliveryStatus, 'failed'>, number> & Record<string, number> = {
  waiting: 0,
  sent: 1,
  delivered: 2,
  read: 3,
};

/**
 * Where a message stands after such news, or null if it says nothing new. News comes in any order and more than once, so a
 * message only ever moves on: what was delivered cannot fail any more, and what failed is the tutor's again.
 */
export function nextDeliveryStatus(state: string, reported: DeliveryStatus): DeliveryStatus | null {
  if (reported === 'failed') return state === 'waiting' || state === 'sent' ? 'failed' : null;
  const rank = RANK[state];
  return rank !== undefined && RANK[reported] > rank ? reported : null;
}
