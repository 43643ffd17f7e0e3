-- needs-stop
-- Contacts replace carers and self-paying students, and a student's charges may be split between payers. The previous
-- release reads the table and the columns that this file replaces.

-- Forced row-level security would hide the rows from the owner role; it is forced again at the end.
alter table carers no force row level security;
alter table students no force row level security;
alter table families no force row level security;
alter table id_sequences no force row level security;

alter table carers rename to contacts;
alter table contacts rename constraint carers_pkey to contacts_pkey;
alter table contacts rename constraint carers_name_check to contacts_name_check;
alter table contacts rename constraint carers_tutor_id_fkey to contacts_tutor_id_fkey;
alter table contacts
  -- The student who is this contact; null for every other person. Name, phone and email are then copies of the student's.
  add column student_id integer,
  -- Null means the tutor's time zone.
  add column time_zone text;

-- A contact for each student who pays for themselves, or has done so and still has an account.
insert into contacts (tutor_id, id, public_id, student_id, name, phone, email, created_at, erased_at)
select s.tutor_id,
  greatest(
    coalesce((select q.last_id from id_sequences q where q.tutor_id = s.tutor_id and q.kind = 'carer'), 0),
    coalesce((select max(c.id) from contacts c where c.tutor_id = s.tutor_id), 0)
  ) + row_number() over (partition by s.tutor_id order by s.id),
  translate(encode(decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'), 'base64'), '+/=', '-_'),
  s.id, s.name, s.phone, s.email, s.created_at, s.erased_at
from students s
where s.carer_id is null
  or exists (select 1 from families f where f.tutor_id = s.tutor_id and f.student_id = s.id);

update id_sequences set kind = 'contact' where kind = 'carer';
insert into id_sequences (tutor_id, kind, last_id)
select tutor_id, 'contact', max(id) from contacts group by tutor_id
on conflict (tutor_id, kind) do update set last_id = greatest(id_sequences.last_id, excluded.last_id);

-- The main contact: a carer, or the student's own contact.
alter table students add column contact_id integer;
update students s set contact_id = coalesce(s.carer_id,
  (select c.id from contacts c where c.tutor_id = s.tutor_id and c.student_id = s.id));
alter table students
  drop column carer_id,
  alter column contact_id set not null,
  add foreign key (tutor_id, contact_id) references contacts;
create index students_contact_idx on students (tutor_id, contact_id);

-- Deferred, because a student and their own contact refer to each other.
alter table contacts
  add unique (tutor_id, student_id),
  add foreign key (tutor_id, student_id) references students deferrable initially deferred;

-- What a contact may see of a student, and do for them.
create table contact_access (
  tutor_id uuid not null references tutors on delete cascade,
  contact_id integer not null,
  student_id integer not null,
  sees_lessons boolean not null,
  sees_place boolean not null,
  sees_notes boolean not null,
  sees_money boolean not null,
  may_cancel boolean not null,
  may_ask boolean not null,
  primary key (tutor_id, contact_id, student_id),
  foreign key (tutor_id, contact_id) references contacts,
  foreign key (tutor_id, student_id) references students
);
create index contact_access_student_idx on contact_access (tutor_id, student_id);
insert into contact_access
  (tutor_id, contact_id, student_id, sees_lessons, sees_place, sees_notes, sees_money, may_cancel, may_ask)
select tutor_id, contact_id, id, true, true, true, true, true, true from students;

-- An account belongs to one contact.
alter table families add column contact_id integer;
update families f set contact_id = coalesce(f.carer_id,
  (select c.id from contacts c where c.tutor_id = f.tutor_id and c.student_id = f.student_id));
alter table families
  drop column carer_id,
  drop column student_id,
  alter column contact_id set not null,
  add unique (tutor_id, contact_id),
  add foreign key (tutor_id, contact_id) references contacts;
-- Saving a student creates the account of the payer, so an account is missing only if rows were written in another way.
insert into families (tutor_id, id, public_id, contact_id, payment_reference, pay_token, created_at)
select m.tutor_id, m.id,
  translate(encode(decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'), 'base64'), '+/=', '-_'),
  m.contact_id, coalesce(nullif(m.letters, ''), 'LESSONS') || m.id,
  'b_' || translate(encode(decode(replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''), 'hex'), 'base64'), '+/=', '-_'),
  now()
from (
  select c.tutor_id, c.id as contact_id,
    -- As buildPaymentReference does.
    left(upper(regexp_replace(normalize((regexp_match(trim(c.name), '\S+$'))[1], NFD), '[^A-Za-z]', '', 'g')), 8) as letters,
    greatest(
      coalesce((select q.last_id from id_sequences q where q.tutor_id = c.tutor_id and q.kind = 'family'), 0),
      coalesce((select max(f.id) from families f where f.tutor_id = c.tutor_id), 0)
    ) + row_number() over (partition by c.tutor_id order by c.id) as id
  from contacts c
  where exists (select 1 from students s where s.tutor_id = c.tutor_id and s.contact_id = c.id)
    and not exists (select 1 from families f where f.tutor_id = c.tutor_id and f.contact_id = c.id)) as m;
insert into id_sequences (tutor_id, kind, last_id)
select tutor_id, 'family', max(id) from families group by tutor_id
on conflict (tutor_id, kind) do update set last_id = greatest(id_sequences.last_id, excluded.last_id);
insert into public_links (token_hash, tutor_id, kind, target_id, created_at)
select sha256(convert_to(pay_token, 'UTF8')), tutor_id, 'balance', id, created_at from families
on conflict (token_hash) do nothing;

-- Who pays for a student. The payers on a date are the rows with the latest from_date that is not after it.
create table student_payers (
  tutor_id uuid not null references tutors on delete cascade,
  student_id integer not null,
  family_id integer not null,
  percent integer not null check (percent between 1 and 100),
  -- The payer at position 0 pays the odd pennies.
  position integer not null check (position >= 0),
  -- 1900-01-01 for payers from the start.
  from_date date not null,
  primary key (tutor_id, student_id, from_date, family_id),
  foreign key (tutor_id, student_id) references students,
  foreign key (tutor_id, family_id) references families
);
create index student_payers_family_idx on student_payers (tutor_id, family_id);
insert into student_payers (tutor_id, student_id, family_id, percent, position, from_date)
select s.tutor_id, s.id, f.id, 100, 0, '1900-01-01'
from students s join families f on f.tutor_id = s.tutor_id and f.contact_id = s.contact_id;

-- One charge for each payer instead of one for each session; a travel fee is charged once to each payer.
drop index charges_one_per_session;
create unique index charges_one_per_payer on charges (tutor_id, session_id, student_id, family_id)
  where session_id is not null and kind in ('lesson', 'cancellation') and not reversed;
create unique index charges_one_travel_per_payer on charges (tutor_id, session_id, family_id)
  where kind = 'travel' and not reversed;
alter table charges
  drop constraint charges_kind_check,
  add constraint charges_kind_check
    check (kind in ('lesson', 'cancellation', 'travel', 'item', 'opening', 'reversal', 'credit_note'));

alter table contacts force row level security;
alter table students force row level security;
alter table families force row level security;
alter table id_sequences force row level security;
do $$
declare
  tenant_table text;
begin
  foreach tenant_table in array array['contact_access', 'student_payers'] loop
    execute format('alter table %I enable row level security', tenant_table);
    execute format('alter table %I force row level security', tenant_table);
    execute format(
      'create policy tenant_isolation on %I using (tutor_id = current_setting(''app.tutor_id'')::uuid)
       with check (tutor_id = current_setting(''app.tutor_id'')::uuid)',
      tenant_table);
  end loop;
end
$$;
grant select, insert, update, delete on contact_access, student_payers to lessonbook_app, lessonbook_maintenance;
