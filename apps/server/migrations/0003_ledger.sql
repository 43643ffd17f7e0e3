-- The ledger: payments, what they paid for, invoices, and what the public links show.
--
-- Entries are only ever added. What is derived from them (outstanding, unallocated, who completed a charge) stands beside
-- the entry so that an index finds what is open; `npm run invariants` proves every one of them from the entries alone.

-- Backfills below touch rows of every tutor; the owner is bound by the policies too, until the end of this file.
alter table families no force row level security;
alter table students no force row level security;
alter table carers no force row level security;
alter table sessions no force row level security;
alter table charges no force row level security;
alter table counters no force row level security;

-- The tutor's decision, so that a missing charge can be told from a waived one.
alter table sessions add column charged boolean not null default false;
update sessions set charged = true
where exists (select 1 from charges c where c.tutor_id = sessions.tutor_id and c.session_id = sessions.id
  and c.kind <> 'reversal' and not c.reversed);

-- Links that work without a login. Searched before anyone is known, so global; only a hash of the token is here.
create table public_links (
  token_hash bytea primary key,
  tutor_id uuid not null references tutors on delete cascade,
  kind text not null check (kind in ('balance', 'invoice')),
  target_id integer not null,
  created_at timestamptz not null
);
create index public_links_of_tutor on public_links (tutor_id, kind, target_id);
grant select, insert, update, delete on public_links to lessonbook_app, lessonbook_maintenance;

-- Every payer has an account from the first day, so that money may come before the first lesson.
alter table families
  add column address text,
  add column reference text,
  add column pay_token text,
  -- What the payer said about a transfer; it pays nothing.
  add column claimed_at timestamptz;

with payers as (
  select tutor_id, carer_id, case when carer_id is null then id end as student_id, min(created_at) as created_at
  from students group by tutor_id, carer_id, case when carer_id is null then id end
), missing as (
  select p.*, row_number() over (partition by p.tutor_id order by p.created_at, p.carer_id, p.student_id) as position
  from payers p
  where not exists (select 1 from families f where f.tutor_id = p.tutor_id
    and (f.carer_id = p.carer_id or f.student_id = p.student_id))
)
insert into families (tutor_id, id, public_id, carer_id, student_id, created_at)
select m.tutor_id,
  coalesce((select last_id from counters c where c.tutor_id = m.tutor_id and c.kind = 'family'), 0) + m.position,
  replace(gen_random_uuid()::text, '-', ''), m.carer_id, m.student_id, m.created_at
from missing m;
insert into counters (tutor_id, kind, last_id)
select tutor_id, 'family', max(id) from families group by tutor_id
on conflict (tutor_id, kind) do update set last_id = excluded.last_id;

update families f set
  pay_token = 'b_' || replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''),
  reference = coalesce(nullif(upper(left(regexp_replace(
    coalesce((select name from carers c where c.tutor_id = f.tutor_id and c.id = f.carer_id),
             (select name from students s where s.tutor_id = f.tutor_id and s.id = f.student_id)),
    '^.*\s|[^A-Za-z]', '', 'g'), 8)), ''), 'LESSONS') || f.id;
insert into public_links (token_hash, tutor_id, kind, target_id, created_at)
select sha256(convert_to(pay_token, 'UTF8')), tutor_id, 'balance', id, created_at from families;
alter table families
  alter column reference set not null,
  alter column pay_token set not null,
  add constraint families_reference_length check (length(reference) between 1 and 18);

-- Money received, given back, or taken back. A refund and a reversal are entries of their own, negative where they take.
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
  -- Derived: see the head of this file.
  reversed boolean not null default false,
  refunded integer not null default 0 check (refunded >= 0),
  unallocated integer not null check (unallocated >= 0),
  author text not null,
  created_at timestamptz not null,
  primary key (tutor_id, id),
  constraint payments_sign check (case kind when 'payment' then amount > 0 when 'refund' then amount < 0 else amount <> 0 end),
  constraint payments_not_over check (kind <> 'payment' or refunded + unallocated <= amount),
  check ((kind = 'refund') = (refunds_id is not null)),
  check ((kind = 'reversal') = (reverses_id is not null)),
  unique (tutor_id, reverses_id),
  foreign key (tutor_id, family_id) references families,
  foreign key (tutor_id, refunds_id) references payments,
  foreign key (tutor_id, reverses_id) references payments
);
create index payments_of_family on payments (tutor_id, family_id, paid_on);
create index payments_by_date on payments (tutor_id, paid_on, id);
create index payments_refunds on payments (tutor_id, refunds_id) where refunds_id is not null;
create index payments_with_credit on payments (tutor_id, family_id, currency, paid_on, id) where unallocated > 0;

-- Which money paid which charge. A release is an entry with a negative amount.
create table allocations (
  tutor_id uuid not null references tutors on delete cascade,
  id integer not null,
  payment_id integer not null,
  charge_id integer not null,
  amount integer not null check (amount <> 0),
  -- The refund that took the money out again.
  refund_id integer,
  created_at timestamptz not null,
  primary key (tutor_id, id),
  foreign key (tutor_id, payment_id) references payments,
  foreign key (tutor_id, charge_id) references charges,
  foreign key (tutor_id, refund_id) references payments
);
create index allocations_of_payment on allocations (tutor_id, payment_id) include (charge_id, amount, refund_id);
create index allocations_of_charge on allocations (tutor_id, charge_id);
create index allocations_of_refund on allocations (tutor_id, refund_id) where refund_id is not null;

-- Numbered when it is issued, frozen from then on. What it is worth today is derived from its charges.
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
  -- Both sides as they were at issue: names, addresses, bank, reference.
  parties jsonb,
  corrects_id integer,
  author text not null,
  created_at timestamptz not null,
  issued_at timestamptz,
  voided_at timestamptz,
  voided_on date,
  void_reason text,
  primary key (tutor_id, id),
  unique (tutor_id, kind, sequence),
  unique (tutor_id, number),
  constraint invoices_issued_whole check (
    (issued_at is null) = (number is null) and (issued_at is null) = (sequence is null)
    and (issued_at is null) = (token is null) and (issued_at is null) = (parties is null)
    and (issued_at is null) = (issued_on is null)),
  check (voided_at is null or issued_at is not null),
  check ((kind = 'credit_note') = (corrects_id is not null)),
  foreign key (tutor_id, family_id) references families,
  foreign key (tutor_id, corrects_id) references invoices
);
create index invoices_of_family on invoices (tutor_id, family_id);
create index invoices_drafts on invoices (tutor_id, id) where issued_at is null;
create index invoices_corrections on invoices (tutor_id, corrects_id) where corrects_id is not null;

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
create index invoice_lines_of_charge on invoice_lines (tutor_id, charge_id) where charge_id is not null;
create index invoice_lines_of_session on invoice_lines (tutor_id, session_id) where session_id is not null;
create index invoice_lines_of_student on invoice_lines (tutor_id, student_id) where student_id is not null;

-- Whatever the application does, an issued document stays as it was: it can be voided, nothing else.
create function keep_issued_invoice() returns trigger language plpgsql as $$
begin
  if old.issued_at is not null and
    (to_jsonb(old) - array['voided_at', 'voided_on', 'void_reason'])
      is distinct from (to_jsonb(new) - array['voided_at', 'voided_on', 'void_reason']) then
    raise exception 'invoice % is issued and cannot change', old.number using errcode = 'restrict_violation';
  end if;
  return new;
end $$;
create trigger invoices_frozen before update on invoices for each row execute function keep_issued_invoice();

create function keep_issued_lines() returns trigger language plpgsql as $$
declare
  line invoice_lines := case when tg_op = 'INSERT' then new else old end;
begin
  if exists (select 1 from invoices i where i.tutor_id = line.tutor_id and i.id = line.invoice_id and i.issued_at is not null) then
    raise exception 'the lines of an issued invoice cannot change' using errcode = 'restrict_violation';
  end if;
  return case when tg_op = 'DELETE' then old else new end;
end $$;
create trigger invoice_lines_frozen before insert or update or delete on invoice_lines
  for each row execute function keep_issued_lines();

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

-- A charge may now also be an item of an invoice or an opening balance, and a credit note may take part of it back.
alter table charges
  drop constraint charges_kind_check,
  drop constraint charges_check,
  drop constraint charges_check1,
  drop constraint charges_tutor_id_reverses_id_key,
  alter column student_id drop not null,
  add column description text,
  -- The issued invoice it stands on; of a credit note's entry, the credit note.
  add column invoice_id integer,
  -- Derived: what credit notes took off, and the payment that completed it.
  add column credited integer not null default 0 check (credited >= 0),
  add column paid_by_id integer,
  add constraint charges_kind_known check (kind in ('lesson', 'cancellation', 'item', 'opening', 'reversal', 'credit_note')),
  add constraint charges_sign check (case when kind in ('reversal', 'credit_note') then amount < 0 else amount > 0 end),
  add constraint charges_takes_back check ((kind in ('reversal', 'credit_note')) = (reverses_id is not null)),
  add constraint charges_not_over check (kind in ('reversal', 'credit_note') or outstanding + credited <= amount),
  add foreign key (tutor_id, invoice_id) references invoices,
  add foreign key (tutor_id, paid_by_id) references payments;
create unique index charges_reversed_once on charges (tutor_id, reverses_id) where kind = 'reversal';
create index charges_taking_back on charges (tutor_id, reverses_id) where reverses_id is not null;
create index charges_of_invoice on charges (tutor_id, invoice_id) where invoice_id is not null;
create index charges_paid_by on charges (tutor_id, paid_by_id) where paid_by_id is not null;
create index charges_open_of_family on charges (tutor_id, family_id, currency, due_date, id) where outstanding > 0;
drop index charges_one_per_session;
create unique index charges_one_per_session on charges (tutor_id, session_id)
  where session_id is not null and kind in ('lesson', 'cancellation') and not reversed;

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['payments', 'allocations', 'invoices', 'invoice_lines', 'business_settings'] loop
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
alter table families force row level security;
alter table students force row level security;
alter table carers force row level security;
alter table sessions force row level security;
alter table charges force row level security;
alter table counters force row level security;

-- Entries are never taken out by the application; their amounts are never changed. A charge follows its session when that moves.
grant update (reversed, outstanding, credited, paid_by_id, invoice_id, session_id) on charges to lessonbook_app;
revoke delete, update on payments from lessonbook_app;
grant update (reversed, refunded, unallocated) on payments to lessonbook_app;
revoke delete, update on allocations from lessonbook_app;
