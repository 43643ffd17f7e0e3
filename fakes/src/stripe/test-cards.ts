/** How one of Stripe's test cards behaves. */
export type CardBehavior =
  | { kind: 'pays' }
  | { kind: 'authenticates' }
  | { kind: 'declined'; code: DeclineCode; declineCode?: string; message: string };

export type DeclineCode = 'card_declined' | 'expired_card' | 'incorrect_cvc' | 'processing_error';

export interface TestCard {
  number: string;
  brand: string;
  behavior: CardBehavior;
  /** Description in the list on the checkout page. */
  note: string;
}

function declinedCard(code: DeclineCode, message: string, declineCode?: string): CardBehavior {
  return { kind: 'declined', code, message, ...(declineCode === undefined ? {} : { declineCode }) };
}

export const TEST_CARDS: readonly TestCard[] = [
  {
    number: '4242424242424242',
    brand: 'visa',
    behavior: { kind: 'pays' },
    note: 'succeeds',
  },
  {
    number: '5555555555554444',
    brand: 'mastercard',
    behavior: { kind: 'pays' },
    note: 'succeeds',
  },
  {
    number: '4000002500003155',
    brand: 'visa',
    behavior: { kind: 'authenticates' },
    note: 'requires authentication',
  },
  {
    number: '4000000000000002',
    brand: 'visa',
    behavior: declinedCard('card_declined', 'Your card was declined.', 'generic_decline'),
    note: 'is declined',
  },
  {
    number: '4000000000009995',
    brand: 'visa',
    behavior: declinedCard(
      'card_declined',
      'Your card has insufficient funds. Try a different card.',
      'insufficient_funds',
    ),
    note: 'has insufficient funds',
  },
  {
    number: '4000000000000069',
    brand: 'visa',
    behavior: declinedCard('expired_card', 'Your card has expired.'),
    note: 'has expired',
  },
];

export function findTestCard(number: string): TestCard | undefined {
  const digits = number.replaceAll(/\D/g, '');
  return TEST_CARDS.find((card) => card.number === digits);
}
