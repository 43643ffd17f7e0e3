/** What WhatsApp tells about a message. */
export const DELIVERY = ['sent', 'delivered', 'read', 'failed'] as const;
export type Delivery = (typeof DELIVERY)[number];

export const isDelivery = (status: string): status is Delivery =>
  (DELIVERY as readonly string[]).includes(status);

const RANK: Record<Exclude<Delivery, 'failed'>, number> & Record<string, number> = {
  waiting: 0,
  sent: 1,
  delivered: 2,
  read: 3,
};

/**
 * Where a message stands after such news, or null if it says nothing new. News comes in any order and more than once, so a
 * message only ever moves on: what was delivered cannot fail any more, and what failed is the tutor's again.
 */
export function afterNews(state: string, news: Delivery): Delivery | null {
  if (news === 'failed') return state === 'waiting' || state === 'sent' ? 'failed' : null;
  const rank = RANK[state];
  return rank !== undefined && RANK[news] > rank ? news : null;
}
