-- Cards, through the tutor's own account at the provider. What a card paid stands in `payments` like any other money; here is
-- what the provider calls it.

create table card_accounts (
  tutor_id uuid primary key references tutors on delete cascade,
  -- What a repeat of "make me an account" is known by, at the provider too.
  connect_key text not null,
  account_id text,
  default_method text not null default 'manual' check (default_method in ('manual', 'stripe')),
  -- As the provider said last.
  can_take_cards boolean not null default false,
  payouts_enabled boolean not null default false,
  created_at timestamptz not null,
  -- A family is asked for a card only where one can be taken.
  check (default_method = 'manual' or account_id is not null)
);

-- One attempt to pay by card. The amount is ours; whether it came is the provider's word.
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
  -- What the provider calls it; none until it has answered.
  session_id text,
  payment_intent text,
  state text not null check (state in ('open', 'pending', 'paid', 'failed', 'expired')),
  payment_id integer,
  created_at timestamptz not null,
  primary key (tutor_id, id),
  unique (tutor_id, public_id),
  unique (tutor_id, session_id),
  check ((state = 'paid') = (payment_id is not null)),
  foreign key (tutor_id, family_id) references families,
  foreign key (tutor_id, invoice_id) references invoices,
  foreign key (tutor_id, payment_id) references payments
);
create index checkouts_of_family on checkouts (tutor_id, family_id);
create index checkouts_of_invoice on checkouts (tutor_id, invoice_id) where invoice_id is not null;
create index checkouts_of_payment on checkouts (tutor_id, payment_id) where payment_id is not null;
create index checkouts_of_intent on checkouts (tutor_id, payment_intent) where payment_intent is not null;
create index checkouts_undecided on checkouts (tutor_id, created_at) where state in ('open', 'pending');

-- Money that went back: refunds, and what a bank took in a dispute. One row for each thing the provider names.
create table card_returns (
  tutor_id uuid not null references tutors on delete cascade,
  vendor_id text not null,
  checkout_id integer not null,
  kind text not null check (kind in ('refund', 'dispute')),
  -- The entry in the book that says so; null while it is not so (a dispute that was won, a refund that failed).
  payment_id integer,
  primary key (tutor_id, vendor_id),
  foreign key (tutor_id, checkout_id) references checkouts,
  foreign key (tutor_id, payment_id) references payments
);
create index card_returns_of_checkout on card_returns (tutor_id, checkout_id);
create index card_returns_of_payment on card_returns (tutor_id, payment_id) where payment_id is not null;

-- What the tutor asked to give back, until the provider has done it.
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
create index refund_requests_of_payment on refund_requests (tutor_id, payment_id);

-- Whose account an event is about: looked up before anyone is known, so global. Nothing personal is here.
create table card_account_owners (
  account_id text primary key,
  tutor_id uuid not null references tutors on delete cascade
);
create index card_account_owners_of_tutor on card_account_owners (tutor_id);
grant select, insert, update, delete on card_account_owners to lessonbook_app, lessonbook_maintenance;

-- Every event is taken once: its id is the key.
create table card_events (
  event_id text primary key,
  account_id text not null,
  type text not null,
  received_at timestamptz not null
);
create index card_events_by_time on card_events (received_at);
grant select, insert, delete on card_events to lessonbook_app, lessonbook_maintenance;

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['card_accounts', 'checkouts', 'card_returns', 'refund_requests'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format(
      'create policy own_rows on %I using (tutor_id = current_setting(''app.tutor_id'')::uuid)
       with check (tutor_id = current_setting(''app.tutor_id'')::uuid)',
      tenant_table);
    execute format('grant select, insert, update, delete on %I to lessonbook_app, lessonbook_maintenance', tenant_table);
  end loop;
end
$$;
