-- needs-stop
-- The directory of contacts is filled from rows that forced row-level security hides from the owner role.
--
-- The family portal: sign-in by a code sent to an address, and what a signed-in contact may read.

-- Finds the contacts of all tutors by address, before the tutor is known. Global; kept up to date by a trigger, because
-- imports, restores and erasures change contacts too.
create table contact_directory (
  -- SHA-256 of the email address in lower case.
  address_hash bytea not null,
  tutor_id uuid not null references tutors on delete cascade,
  contact_id integer not null,
  public_id text not null,
  primary key (tutor_id, contact_id),
  foreign key (tutor_id, contact_id) references contacts on delete cascade
);
create index contact_directory_address_idx on contact_directory (address_hash);

create function update_contact_directory() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from contact_directory where tutor_id = old.tutor_id and contact_id = old.id;
  end if;
  if new.email is not null and new.erased_at is null then
    insert into contact_directory (address_hash, tutor_id, contact_id, public_id)
    values (sha256(convert_to(lower(new.email), 'UTF8')), new.tutor_id, new.id, new.public_id);
  end if;
  -- Which browsers an erased person used is personal data too.
  if new.erased_at is not null then
    delete from contact_logins where tutor_id = new.tutor_id and contact_id = new.id;
  end if;
  return null;
end
$$;
create trigger contacts_update_directory after insert or update of email, public_id, erased_at on contacts
  for each row execute function update_contact_directory();

alter table contacts no force row level security;
insert into contact_directory (address_hash, tutor_id, contact_id, public_id)
select sha256(convert_to(lower(email), 'UTF8')), tutor_id, id, public_id from contacts
where email is not null and erased_at is null;
alter table contacts force row level security;

-- Sign-in codes. The code is derived from the id with the secret key, so it is not stored. Rows exist for unknown addresses
-- too, so that both take the same time.
create table portal_codes (
  id uuid primary key,
  -- Known only to the browser that asked for the code.
  request_hash bytea not null unique,
  email text not null,
  -- Whether a tutor with an open portal has the address on file.
  is_known boolean not null,
  attempts_left integer not null check (attempts_left >= 0),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  sent_at timestamptz
);
create index portal_codes_expires_at_idx on portal_codes (expires_at);

-- Browsers that are signed in to the portal. The login proves an address; contact_directory says whose it is.
create table portal_logins (
  token_hash bytea primary key,
  public_id text not null unique,
  address_hash bytea not null,
  email text not null,
  -- The cookie ends with the browser.
  is_shared_device boolean not null,
  user_agent text not null,
  created_at timestamptz not null,
  last_seen_at timestamptz not null,
  expires_at timestamptz not null,
  -- When the person was informed of the new login by email; null until then.
  notified_at timestamptz
);
create index portal_logins_address_idx on portal_logins (address_hash);
create index portal_logins_expires_at_idx on portal_logins (expires_at);
grant select, insert, update, delete on contact_directory, portal_codes, portal_logins
  to lessonbook_app, lessonbook_maintenance;

-- One tutor's part of a login: a tutor sees and ends only the visits to their own portal.
create table contact_logins (
  tutor_id uuid not null references tutors on delete cascade,
  contact_id integer not null,
  -- The public id of the login.
  login_id text not null,
  user_agent text not null,
  first_seen_at timestamptz not null,
  last_seen_at timestamptz not null,
  -- Set by the tutor; the browser has to sign in again.
  revoked_at timestamptz,
  primary key (tutor_id, contact_id, login_id),
  foreign key (tutor_id, contact_id) references contacts on delete cascade
);
alter table contact_logins enable row level security;
alter table contact_logins force row level security;
create policy tenant_isolation on contact_logins using (tutor_id = current_setting('app.tutor_id')::uuid)
  with check (tutor_id = current_setting('app.tutor_id')::uuid);
grant select, insert, update, delete on contact_logins to lessonbook_app, lessonbook_maintenance;

-- The role of a signed-in contact reads these views and no table. They run with the rights of the owner role, which is
-- subject to the policies of the tenant tables, and show only what the settings app.contact_id and app.login_id allow. Column
-- grants could not hide a place or a fee, because a contact may see them for one student and not for another.

-- What the contact may see and do. Empty if the portal is closed, the contact is suspended or the login was revoked.
create view portal_access with (security_barrier) as
select a.tutor_id, a.contact_id, c.name as contact_name, c.time_zone, a.student_id, s.name as student_name,
  a.sees_lessons, a.sees_place, a.sees_money, a.may_cancel, a.may_ask
from contact_access a
join contacts c on c.tutor_id = a.tutor_id and c.id = a.contact_id
join students s on s.tutor_id = a.tutor_id and s.id = a.student_id
join tutors t on t.tutor_id = a.tutor_id
where a.tutor_id = current_setting('app.tutor_id')::uuid
  and a.contact_id = current_setting('app.contact_id')::integer
  and (a.sees_lessons or a.sees_notes or a.sees_money)
  and c.erased_at is null and s.erased_at is null and s.archived_at is null
  and (
    -- The tutor's preview.
    current_setting('app.login_id') = 'preview'
    or (
      t.portal_opened_at is not null and t.deletion_scheduled_at is null and c.suspended_at is null
      and exists (
        select 1 from contact_logins l
        where l.tutor_id = a.tutor_id and l.contact_id = a.contact_id
          and l.login_id = current_setting('app.login_id') and l.revoked_at is null)
    ));

create view portal_tutor with (security_barrier) as
select t.tutor_id, t.name, t.time_zone from tutors t
where t.tutor_id = current_setting('app.tutor_id')::uuid
  and exists (select 1 from portal_access a where a.tutor_id = t.tutor_id);

create view portal_lessons with (security_barrier) as
select s.tutor_id, s.id as session_id, x.student_id, a.student_name, b.name as subject_name, s.date, s.start_time,
  s.end_time, s.starts_at, s.ends_at,
  case when x.state = 'cancelled' then 'cancelled' else s.status end as state,
  exists (
    select 1 from session_students o
    where o.tutor_id = x.tutor_id and o.session_id = x.session_id and o.student_id <> x.student_id) as is_group,
  case when a.sees_place then s.place end as place,
  -- A contact who may cancel has to know the fee.
  case when a.sees_money or a.may_cancel then coalesce(x.fee, 0) end as fee,
  case when a.sees_money or a.may_cancel then x.currency end as currency
from portal_access a
join session_students x on x.tutor_id = a.tutor_id and x.student_id = a.student_id
join sessions s on s.tutor_id = x.tutor_id and s.id = x.session_id
join subjects b on b.tutor_id = s.tutor_id and b.id = s.subject_id
where a.sees_lessons and s.status in ('scheduled', 'cancelled', 'completed');

grant usage on schema public to lessonbook_contact;
grant select on portal_access, portal_tutor, portal_lessons to lessonbook_contact;
