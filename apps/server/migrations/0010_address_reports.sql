-- Recipients can report the emails of a tutor.

-- Global, so that a reported address is also protected from accounts that are created later, and a report survives the
-- erasure of the person. Stores hashes of the address and of the tutor's id.
create table address_reports (
  address_hash bytea not null,
  tutor_hash bytea not null,
  reported_at timestamptz not null,
  primary key (address_hash, tutor_hash)
);
grant select, insert, update, delete on address_reports to lessonbook_app, lessonbook_maintenance;
