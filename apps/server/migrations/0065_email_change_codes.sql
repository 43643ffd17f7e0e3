-- Codes with which a signed-in contact confirms a new email address. Null for codes to sign in.
alter table portal_codes
  -- The contact whose address is to change, and the login that asked.
  add column contact_public_id text,
  add column login_id text,
  -- Set once the address has been changed: the code works no more.
  add column used_at timestamptz,
  -- The address that was replaced, until its owner has been informed.
  add column previous_address text;

-- What the tutor has on file about the contact who is signed in. The calendar feed, which is read without a login, has none of it.
create view portal_contact with (security_barrier) as
select c.tutor_id, c.id as contact_id, c.name, c.relationship, c.email, c.phone, c.student_id is not null as is_student,
  exists (
    select 1 from families f
    join student_payers p on p.tutor_id = f.tutor_id and p.family_id = f.id
    where f.tutor_id = c.tutor_id and f.contact_id = c.id) as is_payer
from contacts c
where c.tutor_id = current_setting('app.tutor_id')::uuid
  and c.id = current_setting('app.contact_id')::integer
  and current_setting('app.login_id') <> 'feed'
  and exists (select 1 from portal_access);
grant select on portal_contact to lessonbook_contact;
