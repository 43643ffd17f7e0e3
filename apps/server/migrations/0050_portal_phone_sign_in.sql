-- needs-stop
-- The directory of contacts is filled from rows that forced row-level security hides from the owner role, and columns are
-- renamed.
--
-- Sign-in to the family portal with a phone number, to which the code is sent by WhatsApp.

-- The number in E.164 format; null if it has no country code.
create function to_e164(phone text) returns text language sql immutable parallel safe as $$
  select substring(regexp_replace(phone, '\(0\)|[\s().-]', '', 'g') from '^\+[1-9][0-9]{6,14}$')
$$;

-- A contact can have one row for each kind of address. The hash of a phone number is that of its E.164 format.
alter table contact_directory
  add column kind text not null default 'email' check (kind in ('email', 'phone')),
  drop constraint contact_directory_pkey,
  add primary key (tutor_id, contact_id, kind);
alter table contact_directory alter column kind drop default;

-- What the login that created the feed has proven.
alter table contact_feeds
  add column proven_by text not null default 'email' check (proven_by in ('email', 'phone'));

alter table portal_codes rename column email to address;
alter table portal_logins rename column email to address;

create or replace function update_contact_directory() returns trigger language plpgsql as $$
begin
  if tg_op = 'UPDATE' then
    delete from contact_directory where tutor_id = old.tutor_id and contact_id = old.id;
    -- The feed was created by the person with the old address, like the logins that end with it.
    delete from contact_feeds
    where tutor_id = old.tutor_id and contact_id = old.id
      and (new.erased_at is not null
        or (proven_by = 'email' and lower(new.email) is distinct from lower(old.email))
        or (proven_by = 'phone' and to_e164(new.phone) is distinct from to_e164(old.phone)));
  end if;
  if new.erased_at is null then
    insert into contact_directory (address_hash, tutor_id, contact_id, public_id, kind)
    select sha256(convert_to(a.address, 'UTF8')), new.tutor_id, new.id, new.public_id, a.kind
    from (values (lower(new.email), 'email'), (to_e164(new.phone), 'phone')) as a (address, kind)
    where a.address is not null;
  else
    -- Which browsers an erased person used is personal data too.
    delete from contact_logins where tutor_id = new.tutor_id and contact_id = new.id;
  end if;
  return null;
end
$$;
drop trigger contacts_update_directory on contacts;
create trigger contacts_update_directory after insert or update of email, phone, public_id, erased_at on contacts
  for each row execute function update_contact_directory();

alter table contacts no force row level security;
insert into contact_directory (address_hash, tutor_id, contact_id, public_id, kind)
select sha256(convert_to(to_e164(phone), 'UTF8')), tutor_id, id, public_id, 'phone' from contacts
where to_e164(phone) is not null and erased_at is null;
alter table contacts force row level security;
