-- The tutor's agreement with families, in versions that do not change once they are published.
create table agreements (
  tutor_id uuid not null references tutors on delete cascade,
  version integer not null check (version > 0),
  text text not null,
  -- The first day on which it applies, in the tutor's time zone.
  starts_on date not null,
  published_at timestamptz not null,
  -- When families were first emailed about it.
  asked_at timestamptz,
  primary key (tutor_id, version)
);

create table agreement_acceptances (
  tutor_id uuid not null references tutors on delete cascade,
  contact_id integer not null,
  version integer not null,
  -- As the person typed it.
  name text not null,
  accepted_at timestamptz not null,
  -- The IP address, without its last part.
  network text,
  primary key (tutor_id, contact_id, version),
  foreign key (tutor_id, contact_id) references contacts on delete cascade,
  foreign key (tutor_id, version) references agreements
);
create index agreement_acceptances_version_idx on agreement_acceptances (tutor_id, version);

alter table agreements enable row level security;
alter table agreements force row level security;
create policy tenant_isolation on agreements using (tutor_id = current_setting('app.tutor_id')::uuid)
  with check (tutor_id = current_setting('app.tutor_id')::uuid);
alter table agreement_acceptances enable row level security;
alter table agreement_acceptances force row level security;
create policy tenant_isolation on agreement_acceptances using (tutor_id = current_setting('app.tutor_id')::uuid)
  with check (tutor_id = current_setting('app.tutor_id')::uuid);
grant select, insert, update, delete on agreements, agreement_acceptances to lessonbook_app, lessonbook_maintenance;

-- A published version does not change.
create function keep_agreement() returns trigger language plpgsql as $$
begin
  raise exception 'agreement % is published', old.version using errcode = 'check_violation';
end
$$;
create trigger agreements_keep before update of version, text, starts_on, published_at on agreements
  for each row when (old.version <> new.version or old.starts_on <> new.starts_on or old.published_at <> new.published_at
    or old.text <> new.text)
  execute function keep_agreement();

-- Pays means: in the latest arrangement for a current student.
create or replace view portal_contact with (security_barrier) as
select c.tutor_id, c.id as contact_id, c.name, c.relationship, c.email, c.phone, c.student_id is not null as is_student,
  exists (
    select 1 from families f
    join student_payers p on p.tutor_id = f.tutor_id and p.family_id = f.id
    join students s on s.tutor_id = p.tutor_id and s.id = p.student_id and s.archived_at is null
    where f.tutor_id = c.tutor_id and f.contact_id = c.id
      and p.from_date = (
        select max(l.from_date) from student_payers l where l.tutor_id = p.tutor_id and l.student_id = p.student_id)
  ) as is_payer
from contacts c
where c.tutor_id = current_setting('app.tutor_id')::uuid
  and c.id = current_setting('app.contact_id')::integer
  and current_setting('app.login_id') <> 'feed'
  and exists (select 1 from portal_access);

-- Only for people who pay, with their own acceptance.
create view portal_agreements with (security_barrier) as
select a.tutor_id, c.contact_id, a.version, a.text, a.starts_on, x.accepted_at, x.name as accepted_name
from portal_contact c
join agreements a on a.tutor_id = c.tutor_id
left join agreement_acceptances x on x.tutor_id = a.tutor_id and x.version = a.version and x.contact_id = c.contact_id
where c.is_payer;
grant select on portal_agreements to lessonbook_contact;
