import type { Stripe } from 'stripe';
import {
  type AccountRecord,
  type CapabilityStatus,
  toV1Account,
  toV2Account,
} from './account-record.ts';
import { emitEvent, emitThinEvent } from './emit-events.ts';
import { ApiError, noAccessToAccount } from './error-response.ts';
import type { StripeState } from './state.ts';

type CreateParams = Stripe.V2.Core.AccountCreateParams;
type UpdateParams = Stripe.V2.Core.AccountUpdateParams;

export function createAccount(state: StripeState, params: CreateParams): Stripe.V2.Core.Account {
  const responsibilities = params.defaults?.responsibilities;
  const dashboard = params.dashboard ?? 'full';
  if (dashboard === 'express' && responsibilities?.losses_collector === 'stripe') {
    throw new ApiError({
      status: 400,
      code: 'invalid_parameters',
      message: 'losses_collector "stripe" is not supported with the express dashboard.',
      beforeProcessing: true,
    });
  }
  const record: AccountRecord = {
    id: state.newId('account'),
    createdAt: state.clock.millis(),
    contactEmail: params.contact_email ?? null,
    displayName: params.display_name ?? null,
    dashboard,
    country: params.identity?.country?.toLowerCase() ?? null,
    entityType: params.identity?.entity_type ?? null,
    currency: params.defaults?.currency ?? null,
    feesCollector: responsibilities?.fees_collector ?? 'stripe',
    lossesCollector: responsibilities?.losses_collector ?? 'stripe',
    metadata: toStrings(params.metadata),
    isMerchant: params.configuration?.merchant !== undefined,
    detailsSubmitted: false,
    cardPayments: 'restricted',
    payouts: 'restricted',
    closed: false,
    deauthorized: false,
  };
  state.accounts.set(record.id, record);
  emitThinEvent(state, 'v2.core.account.created', record.id);
  return toV2Account(record, params.include ?? []);
}

export function retrieveAccount(state: StripeState, id: string, include: readonly string[]) {
  return toV2Account(findAccount(state, id), include);
}

export function retrieveV1Account(state: StripeState, id: string): Stripe.Account {
  const record = state.accounts.get(id);
  if (!record || record.deauthorized) throw noAccessToAccount(id);
  return toV1Account(record);
}

export function updateAccount(state: StripeState, id: string, params: UpdateParams) {
  const record = findAccount(state, id);
  if (record.closed) throw alreadyClosed(id);
  if (params.contact_email !== undefined) record.contactEmail = params.contact_email;
  if (params.display_name !== undefined) record.displayName = params.display_name;
  if (params.dashboard !== undefined) record.dashboard = params.dashboard;
  if (params.identity?.country !== undefined) {
    record.country = params.identity.country.toLowerCase();
  }
  if (params.defaults?.currency !== undefined) record.currency = params.defaults.currency;
  if (params.configuration?.merchant) record.isMerchant = true;
  for (const [key, value] of Object.entries(params.metadata ?? {})) {
    // An empty value removes the key, as in Stripe.
    if (value === null || value === '') delete record.metadata[key];
    else record.metadata[key] = String(value);
  }
  emitThinEvent(state, 'v2.core.account.updated', id);
  return toV2Account(record, params.include ?? []);
}

export function closeAccount(state: StripeState, id: string): Stripe.V2.Core.Account {
  const record = findAccount(state, id);
  if (record.closed) throw alreadyClosed(id);
  record.closed = true;
  record.cardPayments = 'restricted';
  record.payouts = 'restricted';
  emitThinEvent(state, 'v2.core.account.closed', id);
  return toV2Account(record, []);
}

/** Marks onboarding as complete and activates the capabilities. */
export function completeOnboarding(state: StripeState, id: string): void {
  findAccount(state, id).detailsSubmitted = true;
  setCapabilities(state, id, { cardPayments: 'active', payouts: 'active' });
}

export interface CapabilityChange {
  cardPayments?: CapabilityStatus;
  payouts?: CapabilityStatus;
}

export function setCapabilities(state: StripeState, id: string, change: CapabilityChange): void {
  const record = findAccount(state, id);
  const changed: string[] = [];
  if (change.cardPayments !== undefined && change.cardPayments !== record.cardPayments) {
    record.cardPayments = change.cardPayments;
    changed.push('card_payments');
  }
  if (change.payouts !== undefined && change.payouts !== record.payouts) {
    record.payouts = change.payouts;
    changed.push('stripe_balance.payouts');
  }
  if (changed.length === 0) return;
  emitThinEvent(state, 'v2.core.account[requirements].updated', id);
  for (const updated_capability of changed) {
    const type = 'v2.core.account[configuration.merchant].capability_status_updated';
    emitThinEvent(state, type, id, { updated_capability });
  }
}

/** The tutor revokes the platform's access in the Stripe dashboard. */
export function deauthorize(state: StripeState, id: string): void {
  findAccount(state, id).deauthorized = true;
  const application = { id: 'ca_Lessonbook0000000000000000000', object: 'application' };
  emitEvent(state, state.storeFor(id), 'account.application.deauthorized', {
    ...application,
    name: 'Lessonbook',
  });
}

export function findAccount(state: StripeState, id: string): AccountRecord {
  const record = state.accounts.get(id);
  if (!record) {
    throw new ApiError({ status: 404, code: 'not_found', message: `Account ${id} not found` });
  }
  if (record.deauthorized) throw noAccessToAccount(id);
  return record;
}

function alreadyClosed(id: string): ApiError {
  return new ApiError({
    status: 400,
    code: 'account_closed',
    message: `Account ${id} has been closed.`,
  });
}

function toStrings(values: object | null | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values ?? {}).map(([key, value]) => [key, String(value)]),
  );
}
