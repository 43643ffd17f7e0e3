-- Ledger: payer accounts, charges, payments, allocations, invoices.
--
-- Entries are append-only. Values derived from them (outstanding, unallocated, paid_by_id) are stored with the entry so that
-- indexes find what is open; `npm run invariants` recomputes each of them from the entries.

-- A payer's account: of a carer, or of a student without one.
create table families (
  tutor_id uuid not null references tutors on delete cascade,
  id integer not null,
  public_id text not null,
  carer_id integer,
  student_id integer,
  address text,
  payment_reference text not null check (length(payment_reference) between 1 and 18),
  pay_token text not null,
  -- When the payer last reported a bank transfer; it does not count as a payment.
  transfer_claimed_at timestamptz,
  created_at timestamptz not null,
  primary key (tutor_id, id),
  check ((carer_id is null) <> (student_id is null)),
  unique (tutor_id, carer_id),
  unique (tutor_id, student_id),
  foreign key (tutor_id, carer_id) references carers,
  foreign key (tutor_id, student_id) references students
);

-- Money received or returned. Refunds and reversals are separate entries with their own sign.
create table payments (
  tutor_id uuid not null references tutors on delete cascade,
  id integer not null,
  public_id text not null,
  family_id integer not null,
  kind text not null check (kind in ('payment', 'refund', 'reversal')),
  amount integer not null,
  currency text not null check (currency in ('GBP', 'USD', 'EUR', 'INR')),
  method text not null check (method in ('cash', 'bank_transfer', 'other', 'card', 'opening')),
  paid_on date not null,
  note text,
  refunds_id integer,
  reverses_id integer,
  -- Derived, as described at the top of this file.
  reversed boolean not null default false,
  refunded integer not null default 0 check (refunded >= 0),
  unallocated integer not null check (unallocated >= 0),
  created_by text not null,
  created_at timestamptz not null,
  primary key (tutor_id, id),
  constraint payments_amount_sign check (case kind when 'payment' then amount > 0 when 'refund' then amount < 0 else amount <> 0 end),
  constraint payments_derived_within_amount check (kind <> 'payment' or refunded + unallocated <= amount),
  check ((kind = 'refund') = (refunds_id is not null)),
  check ((kind = 'reversal') = (reverses_id is not null)),
  unique (tutor_id, reverses_id),
  foreign key (tutor_id, family_id) references families,
  foreign key (tutor_id, refunds_id) references payments,
  foreign key (tutor_id, reverses_id) references payments
);
create index payments_family_idx on payments (tutor_id, family_id, paid_on);
create index payments_paid_on_idx on payments (tutor_id, paid_on, id);
create index payments_refunds_idx on payments (tutor_id, refunds_id) where refunds_id is not null;
create index payments_unallocated_idx on payments (tutor_id, family_id, currency, paid_on, id) where unallocated > 0;

-- Numbered when it is issued, immutable from then on. The amount due is derived from its charges.
create table invoices (
  tutor_id uuid not null references tutors on delete cascade,
  id integer not null,
  public_id text not null,
  kind text not null check (kind in ('invoice', 'credit_note')),
  family_id integer not null,
  currency text not null check (currency in ('GBP', 'USD', 'EUR', 'INR')),
  sequence integer check (sequence > 0),
  number text,
  token text,
  period_from date,
  period_to date,
  issued_on date,
  due_on date,
  note text,
  -- Both parties as they were at issue: names, addresses, bank details, payment reference.
  parties_snapshot jsonb,
  corrected_invoice_id integer,
  created_by text not null,
  created_at timestamptz not null,
  issued_at timestamptz,
  voided_at timestamptz,
  voided_on date,
  void_reason text,
  primary key (tutor_id, id),
  unique (tutor_id, kind, sequence),
  unique (tutor_id, number),
  constraint invoices_issued_complete check (
    (issued_at is null) = (number is null) and (issued_at is null) = (sequence is null)
    and (issued_at is null) = (token is null) and (issued_at is null) = (parties_snapshot is null)
    and (issued_at is null) = (issued_on is null)),
  check (voided_at is null or issued_at is not null),
  check ((kind = 'credit_note') = (corrected_invoice_id is not null)),
  foreign key (tutor_id, family_id) references families,
  foreign key (tutor_id, corrected_invoice_id) references invoices
);
create index invoices_family_idx on invoices (tutor_id, family_id);
create index invoices_drafts_idx on invoices (tutor_id, id) where issued_at is null;
create index invoices_corrected_invoice_idx on invoices (tutor_id, corrected_invoice_id) where corrected_invoice_id is not null;

-- What a payer owes. The amount never changes: a reversal or a credit note is an entry of its own.
create table charges (
  tutor_id uuid not null references tutors on delete cascade,
  id integer not null,
  public_id text not null,
  family_id integer not null,
  student_id integer,
  session_id integer,
  kind text not null check (kind in ('lesson', 'cancellation', 'item', 'opening', 'reversal', 'credit_note')),
  amount integer not null,
  currency text not null check (currency in ('GBP', 'USD', 'EUR', 'INR')),
  description text,
  due_date date not null,
  reverses_id integer,
  -- The issued invoice that lists the charge; for the entry of a credit note, the credit note.
  invoice_id integer,
  -- Derived: what is open, the total of the credit notes, and the payment that completed the charge.
  reversed boolean not null default false,
  outstanding integer not null check (outstanding >= 0),
  credited integer not null default 0 check (credited >= 0),
  paid_by_id integer,
  created_by text not null,
  created_at timestamptz not null,
  primary key (tutor_id, id),
  constraint charges_amount_sign check (case when kind in ('reversal', 'credit_note') then amount < 0 else amount > 0 end),
  constraint charges_reversal_target check ((kind in ('reversal', 'credit_note')) = (reverses_id is not null)),
  constraint charges_derived_within_amount check (kind in ('reversal', 'credit_note') or outstanding + credited <= amount),
  foreign key (tutor_id, family_id) references families,
  foreign key (tutor_id, student_id) references students,
  foreign key (tutor_id, session_id) references sessions,
  foreign key (tutor_id, reverses_id) references charges,
  foreign key (tutor_id, invoice_id) references invoices,
  foreign key (tutor_id, paid_by_id) references payments
);
create unique index charges_one_per_session on charges (tutor_id, session_id)
  where session_id is not null and kind in ('lesson', 'cancellation') and not reversed;
create unique index charges_reversed_once on charges (tutor_id, reverses_id) where kind = 'reversal';
create index charges_reverses_idx on charges (tutor_id, reverses_id) where reverses_id is not null;
create index charges_session_idx on charges (tutor_id, session_id);
create index charges_family_idx on charges (tutor_id, family_id, due_date);
create index charges_student_idx on charges (tutor_id, student_id);
create index charges_invoice_idx on charges (tutor_id, invoice_id) where invoice_id is not null;
create index charges_paid_by_idx on charges (tutor_id, paid_by_id) where paid_by_id is not null;
create index charges_open_idx on charges (tutor_id, due_date, id) where outstanding > 0;
create index charges_family_open_idx on charges (tutor_id, family_id, currency, due_date, id) where outstanding > 0;

-- Which payment paid which charge. Releasing money is an entry with a negative amount.
create table allocations (
  tutor_id uuid not null references tutors on delete cascade,
  id integer not null,
  payment_id integer not null,
  charge_id integer not null,
  amount integer not null check (amount <> 0),
  -- The refund for which the money was released.
  refund_id integer,
  created_at timestamptz not null,
  primary key (tutor_id, id),
  foreign key (tutor_id, payment_id) references payments,
  foreign key (tutor_id, charge_id) references charges,
  foreign key (tutor_id, refund_id) references payments
);
create index allocations_payment_idx on allocations (tutor_id, payment_id) include (charge_id, amount, refund_id);
create index allocations_charge_idx on allocations (tutor_id, charge_id);
create index allocations_refund_idx on allocations (tutor_id, refund_id) where refund_id is not null;

create table invoice_lines (
  tutor_id uuid not null references tutors on delete cascade,
  invoice_id integer not null,
  position integer not null,
  charge_id integer,
  session_id integer,
  student_id integer,
  student_name text,
  description text not null,
  date date not null,
  amount integer not null check (amount > 0),
  primary key (tutor_id, invoice_id, position),
  foreign key (tutor_id, invoice_id) references invoices on delete cascade,
  foreign key (tutor_id, charge_id) references charges,
  foreign key (tutor_id, session_id) references sessions on delete cascade,
  foreign key (tutor_id, student_id) references students
);
create index invoice_lines_charge_idx on invoice_lines (tutor_id, charge_id) where charge_id is not null;
create index invoice_lines_session_idx on invoice_lines (tutor_id, session_id) where session_id is not null;
create index invoice_lines_student_idx on invoice_lines (tutor_id, student_id) where student_id is not null;

create table business_settings (
  tutor_id uuid primary key references tutors on delete cascade,
  trading_name text,
  address text,
  email text,
  phone text,
  extra text,
  account_name text,
  sort_code text,
  account_number text,
  iban text,
  bic text,
  due_days integer not null default 7 check (due_days between 0 and 365),
  invoice_note text,
  invoice_prefix text not null default '',
  next_invoice_number integer not null default 1 check (next_invoice_number > 0),
  next_credit_note_number integer not null default 1 check (next_credit_note_number > 0)
);

-- An issued invoice can be voided and its personal data erased, nothing else. The erased form is fixed here, so that erasure
-- cannot be used to write other content.
create function reject_issued_invoice_change() returns trigger language plpgsql as $$
declare
  erased jsonb := jsonb_build_object('to', jsonb_build_object('name', 'Erased person', 'address', null), 'reference', 'ERASED');
  erasable text[] := array['voided_at', 'voided_on', 'void_reason', 'parties_snapshot', 'note'];
begin
  if old.issued_at is null then
    return new;
  end if;
  if (to_jsonb(old) - array['voided_at', 'voided_on', 'void_reason'])
      is not distinct from (to_jsonb(new) - array['voided_at', 'voided_on', 'void_reason']) then
    return new;
  end if;
  if (to_jsonb(old) - erasable) is not distinct from (to_jsonb(new) - erasable)
      and old.voided_at is not distinct from new.voided_at
      and (new.note is null or new.note is not distinct from old.note)
      and (new.parties_snapshot is not distinct from old.parties_snapshot
        or new.parties_snapshot = old.parties_snapshot || erased) then
    return new;
  end if;
  raise exception 'invoice % is issued and cannot change', old.number using errcode = 'restrict_violation';
end $$;
create trigger invoices_reject_issued_change before update on invoices
  for each row execute function reject_issued_invoice_change();

create function reject_issued_line_change() returns trigger language plpgsql as $$
declare
  line invoice_lines := case when tg_op = 'INSERT' then new else old end;
  erasable text[] := array['student_name', 'description'];
begin
  if not exists (select 1 from invoices i
    where i.tutor_id = line.tutor_id and i.id = line.invoice_id and i.issued_at is not null) then
    return case when tg_op = 'DELETE' then old else new end;
  end if;
  -- The tutor is being deleted, with all rows.
  if tg_op = 'DELETE' and not exists (select 1 from tutors t where t.tutor_id = old.tutor_id) then
    return old;
  end if;
  if tg_op = 'UPDATE' and (to_jsonb(old) - erasable) is not distinct from (to_jsonb(new) - erasable)
      and (new.student_name is not distinct from old.student_name or new.student_name = 'Erased person')
      and (new.description = old.description or new.description = 'Lesson' or new.description = 'Item') then
    return new;
  end if;
  raise exception 'the lines of an issued invoice cannot change' using errcode = 'restrict_violation';
end $$;
create trigger invoice_lines_reject_issued_change before insert or update or delete on invoice_lines
  for each row execute function reject_issued_line_change();

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array[
    'families', 'payments', 'invoices', 'charges', 'allocations', 'invoice_lines', 'business_settings'
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

grant select, insert, update, delete on families, invoices, invoice_lines, business_settings
  to lessonbook_app, lessonbook_maintenance;
grant select, insert, update, delete on charges, payments, allocations to lessonbook_maintenance;
-- The application cannot delete ledger entries or change amounts. It updates derived values, moves a charge with its session,
-- and erases free text that may contain personal data.
grant select, insert on charges, payments, allocations to lessonbook_app;
grant update (reversed, outstanding, credited, paid_by_id, invoice_id, session_id, description) on charges to lessonbook_app;
grant update (reversed, refunded, unallocated, note) on payments to lessonbook_app;
