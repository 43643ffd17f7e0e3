-- Cards, through the tutor's own Stripe account. Card money is recorded in `payments`; these tables hold the ids and states of
-- the provider.

create table card_accounts (
  tutor_id uuid primary key references tutors on delete cascade,
  -- Sent to the provider when the account is created, so that a repeat returns the same account.
  idempotency_key text not null,
  account_id text,
  default_method text not null default 'manual' check (default_method in ('manual', 'stripe')),
  -- As last reported by the provider.
  charges_enabled boolean not null default false,
  payouts_enabled boolean not null default false,
  created_at timestamptz not null,
  check (default_method = 'manual' or account_id is not null)
);

-- One attempt to pay by card. The amount is set here; the provider decides whether it was paid.
create table checkouts (
  tutor_id uuid not null references tutors on delete cascade,
  id integer not null,
  public_id text not null,
  account_id text not null,
  family_id integer not null,
  invoice_id integer,
  currency text not null check (currency in ('GBP', 'USD', 'EUR', 'INR')),
  amount integer not null check (amount > 0),
  charge_ids integer[] not null,
  -- Null until the provider has responded.
  stripe_session_id text,
  payment_intent text,
  state text not null check (state in ('open', 'pending', 'paid', 'failed', 'expired')),
  payment_id integer,
  created_at timestamptz not null,
  primary key (tutor_id, id),
  unique (tutor_id, public_id),
  unique (tutor_id, stripe_session_id),
  check ((state = 'paid') = (payment_id is not null)),
  foreign key (tutor_id, family_id) references families,
  foreign key (tutor_id, invoice_id) references invoices,
  foreign key (tutor_id, payment_id) references payments
);
create index checkouts_family_idx on checkouts (tutor_id, family_id);
create index checkouts_invoice_idx on checkouts (tutor_id, invoice_id) where invoice_id is not null;
create index checkouts_payment_idx on checkouts (tutor_id, payment_id) where payment_id is not null;
create index checkouts_payment_intent_idx on checkouts (tutor_id, payment_intent) where payment_intent is not null;
create index checkouts_open_idx on checkouts (tutor_id, created_at) where state in ('open', 'pending');

-- Refunds and disputes, one row for each object of the provider.
create table card_reversals (
  tutor_id uuid not null references tutors on delete cascade,
  vendor_id text not null,
  checkout_id integer not null,
  kind text not null check (kind in ('refund', 'dispute')),
  -- The ledger entry; null while none applies (a dispute that was won, a refund that failed).
  payment_id integer,
  primary key (tutor_id, vendor_id),
  foreign key (tutor_id, checkout_id) references checkouts,
  foreign key (tutor_id, payment_id) references payments
);
create index card_reversals_checkout_idx on card_reversals (tutor_id, checkout_id);
create index card_reversals_payment_idx on card_reversals (tutor_id, payment_id) where payment_id is not null;

-- Refunds that the tutor requested and the provider has not finished.
create table refund_requests (
  tutor_id uuid not null references tutors on delete cascade,
  id integer not null,
  public_id text not null,
  payment_id integer not null,
  amount integer not null check (amount > 0),
  note text,
  state text not null check (state in ('waiting', 'done', 'failed')),
  vendor_id text,
  created_at timestamptz not null,
  primary key (tutor_id, id),
  foreign key (tutor_id, payment_id) references payments
);
create index refund_requests_payment_idx on refund_requests (tutor_id, payment_id);

-- Which tutor a webhook event belongs to. Global, because it is read before the tutor is known; no personal data.
create table stripe_account_index (
  account_id text primary key,
  tutor_id uuid not null references tutors on delete cascade
);
create index stripe_account_index_tutor_idx on stripe_account_index (tutor_id);

-- Ids of processed webhook events, so that each is processed once.
create table webhook_events (
  event_id text primary key,
  account_id text not null,
  type text not null,
  received_at timestamptz not null
);
create index webhook_events_received_at_idx on webhook_events (received_at);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array[
    'card_accounts', 'checkouts', 'card_reversals', 'refund_requests'
  ] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format(
      'create policy tenant_isolation on %I using (tutor_id = current_setting(''app.tutor_id'')::uuid)
       with check (tutor_id = current_setting(''app.tutor_id'')::uuid)',
      tenant_table);
  end loop;
end
$$;

grant select, insert, update, delete on card_accounts, checkouts, card_reversals, refund_requests, stripe_account_index
  to lessonbook_app, lessonbook_maintenance;
grant select, insert, delete on webhook_events to lessonbook_app, lessonbook_maintenance;
