-- Recipients can report an email that was not meant for them.

-- Global, so that a reported address is also protected from accounts that are created later. Stores a hash of the address.
create table address_reports (
  address_hash bytea primary key,
  reported_at timestamptz not null
);
grant select, insert, update, delete on address_reports to lessonbook_app, lessonbook_maintenance;

-- The tutor whose email was reported may not email the address again.
alter table suppressions drop constraint suppressions_reason_check;
alter table suppressions add constraint suppressions_reason_check
  check (reason in ('bounced', 'unsubscribed', 'reported')) not valid;
