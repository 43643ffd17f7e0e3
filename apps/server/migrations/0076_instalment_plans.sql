-- Instalments agreed for what was overdue on an account. A plan only says when existing charges are due.
create table instalment_plans (
  tutor_id uuid not null references tutors on delete cascade,
  id integer not null,
  family_id integer not null,
  currency text not null check (currency in ('GBP', 'USD', 'EUR', 'INR')),
  created_at timestamptz not null,
  -- Set when the tutor ends the plan. A plan whose charges are paid has no effect.
  ended_at timestamptz,
  primary key (tutor_id, id),
  foreign key (tutor_id, family_id) references families
);
create index instalment_plans_family_idx on instalment_plans (tutor_id, family_id);
create unique index instalment_plans_active_idx on instalment_plans (tutor_id, family_id, currency) where ended_at is null;

create table instalments (
  tutor_id uuid not null references tutors on delete cascade,
  plan_id integer not null,
  position integer not null,
  due_on date not null,
  amount integer not null check (amount > 0),
  -- Set when the date has come in the tutor's time zone.
  is_due boolean not null,
  -- Set when the tutor was notified that it was not paid in time.
  is_missed boolean not null default false,
  primary key (tutor_id, plan_id, position),
  foreign key (tutor_id, plan_id) references instalment_plans on delete cascade
);

-- The charges that were overdue when the plan was agreed.
create table instalment_plan_charges (
  tutor_id uuid not null references tutors on delete cascade,
  plan_id integer not null,
  charge_id integer not null,
  primary key (tutor_id, plan_id, charge_id),
  foreign key (tutor_id, plan_id) references instalment_plans on delete cascade,
  foreign key (tutor_id, charge_id) references charges
);
create index instalment_plan_charges_charge_idx on instalment_plan_charges (tutor_id, charge_id);

do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['instalment_plans', 'instalments', 'instalment_plan_charges'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format($policy$create policy tenant_isolation on %I using (tutor_id = current_setting('app.tutor_id')::uuid)
      with check (tutor_id = current_setting('app.tutor_id')::uuid)$policy$, tenant_table);
    execute format('grant select, insert, update, delete on %I to lessonbook_app, lessonbook_maintenance', tenant_table);
  end loop;
end $$;
