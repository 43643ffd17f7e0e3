import { escapeHtml } from '../shared/page-layout.ts';
import { formatMoney } from './format-money.ts';
import { renderStripePage } from './page-layout.ts';
import type { CheckoutState } from './state.ts';
import { TEST_CARDS } from './test-cards.ts';

export interface PayerFields {
  email: string;
  name: string;
}

export function renderCheckout(
  checkout: CheckoutState,
  merchant: string,
  problem: string | null,
  fields: PayerFields,
): string {
  const { session } = checkout;
  const currency = session.currency ?? '';
  const sum = formatMoney(session.amount_total ?? 0, currency);
  const lines = checkout.lineItems.map((item) => {
    const times = item.quantity === 1 ? '' : ` × ${item.quantity}`;
    const amount = formatMoney(item.amount_total, currency);
    return `<li><span>${escapeHtml(item.description ?? '')}${times}</span><span>${amount}</span></li>`;
  });
  const backLink =
    session.cancel_url === null
      ? ''
      : `<p class="quiet"><a href="${escapeHtml(session.cancel_url)}">Back</a></p>`;

  return renderStripePage(
    `Pay ${merchant}`,
    `${backLink}
<h1>Pay ${escapeHtml(merchant)}</h1>
<p class="sum">${sum}</p>
<ul class="lines">${lines.join('')}</ul>
${problem === null ? '' : `<p role="alert">${escapeHtml(problem)}</p>`}
<form method="post" action="/c/pay/${session.id}">
${renderField('email', 'Email', fields.email, 'type="email" autocomplete="email" required')}
${renderField('cardNumber', 'Card number', '', 'inputmode="numeric" autocomplete="cc-number" placeholder="4242 4242 4242 4242" required')}
<div class="pair">
<div>${renderField('expiry', 'Expiry', '', 'autocomplete="cc-exp" placeholder="MM / YY"')}</div>
<div>${renderField('cvc', 'CVC', '', 'inputmode="numeric" autocomplete="cc-csc" placeholder="CVC"')}</div>
</div>
${renderField('name', 'Name on card', fields.name, 'autocomplete="cc-name"')}
<button name="method" value="card">Pay ${sum}</button>
</form>
<details><summary>Test cards</summary><ul>${TEST_CARDS.map(renderTestCard).join('')}</ul></details>
<h2>Pay by bank debit</h2>
<p class="quiet">The bank responds later, so the payment is not confirmed immediately.</p>
<form method="post" action="/c/pay/${session.id}">
<button class="second" name="method" value="bank-debit-succeeds">Pay by bank debit: succeeds later</button>
<button class="second" name="method" value="bank-debit-fails">Pay by bank debit: fails later</button>
</form>`,
  );
}

function renderField(name: string, label: string, value: string, attributes: string): string {
  return `<label for="${name}">${label}</label>
<input id="${name}" name="${name}" value="${escapeHtml(value)}" ${attributes}>`;
}

function renderTestCard({ number, note }: (typeof TEST_CARDS)[number]): string {
  return `<li><code>${number.replaceAll(/(\d{4})(?=\d)/g, '$1 ')}</code> ${note}</li>`;
}

export function renderAuthentication(
  checkout: CheckoutState,
  merchant: string,
  fields: PayerFields,
): string {
  const { session } = checkout;
  const sum = formatMoney(session.amount_total ?? 0, session.currency ?? '');
  return renderStripePage(
    'Confirm your payment',
    `<h1>Confirm your payment</h1>
<p>Your bank asks whether you want to pay ${sum} to ${escapeHtml(merchant)}.</p>
<form method="post" action="/c/pay/${session.id}/authenticate">
<input type="hidden" name="email" value="${escapeHtml(fields.email)}">
<input type="hidden" name="name" value="${escapeHtml(fields.name)}">
<button name="result" value="complete">Complete authentication</button>
<button class="second" name="result" value="fail">Fail authentication</button>
</form>`,
  );
}

export function renderNoPayment(message: string, backUrl: string | null): string {
  const backLink =
    backUrl === null ? '' : `<p><a href="${escapeHtml(backUrl)}">Back to the business</a></p>`;
  return renderStripePage(
    'Nothing to pay here',
    `<h1>Nothing to pay here</h1><p>${escapeHtml(message)}</p>${backLink}`,
  );
}
