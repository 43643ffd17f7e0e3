import type { Stripe } from 'stripe';
import { findAccount } from './accounts.ts';
import { invalidParam, missingParam } from './error-response.ts';
import type { StripeState } from './state.ts';

const TTL_MILLIS = 5 * 60_000;

export function createAccountLink(
  state: StripeState,
  params: Partial<Stripe.V2.Core.AccountLinkCreateParams>,
): Stripe.V2.Core.AccountLink {
  if (params.account === undefined) throw missingParam('account');
  const useCase = params.use_case;
  if (useCase === undefined) throw missingParam('use_case');
  const urls = useCase.account_onboarding ?? useCase.account_update;
  if (urls === undefined) throw missingParam(`use_case.${useCase.type}`);
  if (!URL.canParse(urls.refresh_url)) {
    throw invalidParam('use_case.refresh_url', 'Not a valid URL', 'url_invalid');
  }
  const record = findAccount(state, params.account);
  if (record.closed) throw invalidParam('account', 'The account has been closed.');

  const token = state.newId('link');
  state.links.set(token, {
    token,
    account: record.id,
    refreshUrl: urls.refresh_url,
    returnUrl: urls.return_url ?? urls.refresh_url,
    expiresAt: state.clock.millis() + TTL_MILLIS,
    state: 'unused',
  });
  return {
    object: 'v2.core.account_link',
    account: record.id,
    created: state.clock.iso(),
    expires_at: state.clock.iso(TTL_MILLIS),
    livemode: false,
    url: `${state.baseUrl}/setup/e/${record.id}/${token}`,
    use_case: useCase,
  };
}
